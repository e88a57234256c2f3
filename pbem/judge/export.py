"""The record of a game out of its rows, in the form of `rules.record`."""

from pbem.judge import atlas
from pbem.rules import fair, notation, record
from pbem.rules.branching import closing_links
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.store import games, snapshots, tables
from pbem.store.engine import Session


def export(session: Session, game: tables.Game, *, public: bool) -> str:
    """The record as it stands, also while the game runs.

    The public form hides the faces of cards until the game is over; dice always stand.
    """
    state = atlas.state_of(session, game)
    events = [notation.event_from_json(e.body) for e in games.whole_history(session, game.id)]
    links = closing_links(events)
    closed = {}
    for snapshot in snapshots.of_game(session, game.id):
        after = atlas.state_from(session, snapshot.state)
        link = links[snapshot.branch, snapshot.turn]
        secret = fair.link_secret(game.chain_last, link)
        closed[link] = record.Closed(notation.checksum(after), secret)
    shown = header(session, game, with_deck=state.phase is Phase.OVER)
    return record.write(shown, events, closed, public=public)


def header(session: Session, game: tables.Game, *, with_deck: bool) -> record.Header:
    """The tags of the game's record; the deck's seed tells every hand."""
    state = atlas.state_of(session, game)
    return record.Header(
        game=games.public_id(game.id),
        ruleset=state.first_ruleset,
        players=tuple(
            record.Player(Seat(s.letter), s.colour, s.name) for s in games.seats(session, game.id)
        ),
        dice_commit=game.commitment,
        deck_commit=game.deck_commitment,
        luck=game.luck,
        board_id=state.board_id,
        deck_seed=game.deck_seed if with_deck else None,
    )
