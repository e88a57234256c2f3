"""The record of a game out of its rows, in the form of `rules.record`."""

from collections.abc import Sequence

from pbem.judge import atlas
from pbem.rules import fair, notation, record
from pbem.rules.event import TurnStarted
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.store import games, tables
from pbem.store.engine import Session


def export(session: Session, game: tables.Game, *, public: bool) -> str:
    """The record as it stands, also while the game runs.

    The public form hides the faces of cards until the game is over; dice always stand.
    """
    state = atlas.state_of(session, game)
    events = [notation.event_from_json(e.body) for e in games.events_of(session, game.id)]
    links = {e.turn: e.link for e in events if isinstance(e, TurnStarted)}
    closed = {}
    for snapshot in games.snapshots_of(session, game.id, game.branch):
        after = atlas.state_from(session, snapshot.state)
        link = links.get(snapshot.turn, record.SETUP_LINK)
        secret = fair.link_secret(game.chain_last, link)
        closed[link] = record.Closed(notation.checksum(after), secret)
    header = _header(game, games.seats(session, game.id), state)
    return record.write(header, events, closed, public=public)


def _header(game: tables.Game, seats: Sequence[tables.Seat], state: State) -> record.Header:
    return record.Header(
        game=games.public_id(game.id),
        ruleset=state.ruleset,
        players=tuple(record.Player(Seat(s.letter), s.colour, s.name) for s in seats),
        dice_commit=game.commitment,
        deck_commit=game.deck_commitment,
        luck=game.luck,
        board_id=state.board_id,
        deck_seed=game.deck_seed if state.phase is Phase.OVER else None,
    )
