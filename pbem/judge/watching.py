"""Who may look at a game on a page, and what of it: a player as the own seat, a spectator as all.

A spectator of a delayed game sees it as it stood when the last turn but one was closed. Everything
goes through `rules.view`; a state of the past is seen as it was then, the own hand too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.judge import atlas, showing
from pbem.judge.options import Options
from pbem.judge.roles import May, Person
from pbem.judge.showing import Showing, Turn
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.store import games, snapshots, tables
from pbem.store.engine import Session
from pbem.store.snapshots import Closed

DELAY = 1
"""The closed turns that a delayed game keeps back, beside the one that is open."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A look at a game: from a seat, or from none; `closed` are the turns that it may see."""

    game: tables.Game
    seat: Seat | None
    closed: Sequence[Closed]
    is_late: bool

    @property
    def last(self) -> int | None:
        """The last turn whose events it may see; None: all of them."""
        return self.closed[-1].turn if self.is_late and self.closed else None

    @property
    def sees_nothing(self) -> bool:
        """Whether there is nothing yet that a late look may see."""
        return self.is_late and not self.closed


def watch(
    session: Session, game: tables.Game, person: Person | None, wanted: str | None = None
) -> Watch | None:
    """The look that somebody may take; None for who may take none.

    `wanted` is the letter of the seat to look from, for who holds several.
    """
    return _look(game, person, wanted, snapshots.closed_turns(session, game.id))


def glances(
    session: Session, rows: Sequence[tables.Game], person: Person | None, language: str
) -> tuple[tuple[Watch, Showing], ...]:
    """The looks at several games that somebody may take, and what they show now.

    However many games there are, the database is asked as often.
    """
    numbers = [game.id for game in rows]
    closed, seats = snapshots.closed_turns_of(session, numbers), games.seats_of(session, numbers)
    looks = [_look(game, person, None, closed[game.id]) for game in rows]
    seen = [look for look in looks if look is not None and not look.sees_nothing]
    states = snapshots.find_all(
        session, {look.game.id: look.closed[-1] for look in seen if look.is_late}
    )
    found = []
    for look in seen:
        game = look.game
        past = states.get(game.id)
        state = atlas.state_from(session, game.state if past is None else past.state)
        shown = showing.of_rows(game, seats[game.id], state, look.seat, language)
        found.append((look, shown))
    return tuple(found)


def _look(
    game: tables.Game, person: Person | None, wanted: str | None, closed: Sequence[Closed]
) -> Watch | None:
    held = () if person is None else person.seats.get(game.id, ())
    if held:
        seat = wanted if wanted in held else held[0]
        return Watch(game, Seat(seat), closed, is_late=False)
    spectators = Options.from_json(game.options).spectators
    if person is not None and person.may(game.id, May.LOOK):
        return Watch(game, None, closed, is_late=False)
    if spectators == "no":
        return None
    late = spectators == "delayed" and game.phase != Phase.OVER
    return Watch(game, None, closed[:-DELAY] if late else closed, is_late=late)


def showing_of(session: Session, looking: Watch, language: str, turn: int | None = None) -> Showing:
    """The game as it stands, or as it stood when a turn was closed (another turn is the newest)."""
    state = _state(session, looking, turn)
    return showing.of_state(session, looking.game, state, looking.seat, language)


def story(session: Session, looking: Watch, *, before: int | None, count: int) -> tuple[Turn, ...]:
    """So many turns with their events, newest first; those below `before` if given."""
    if looking.sees_nothing:
        return ()
    if looking.last is not None:
        before = min(before, looking.last + 1) if before is not None else looking.last + 1
    return showing.timeline(session, looking.game.id, looking.seat, before=before, count=count)


def _state(session: Session, looking: Watch, turn: int | None) -> State:
    at = next((closed for closed in looking.closed if closed.turn == turn), None)
    if at is None and looking.is_late:
        at = looking.closed[-1]
    if at is None:
        return atlas.state_of(session, looking.game)
    return atlas.state_from(session, snapshots.find(session, looking.game.id, at).state)
