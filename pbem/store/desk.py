"""What the desk asks of games, people and the audit: lines without the states that games hold.

Games grow without end: every list is cut, and what is counted has an index.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, func, or_
from sqlmodel import Session, col, select

from pbem.store.outbox import UNSENT
from pbem.store.post import FAILED, count_letters, count_mails
from pbem.store.quarantine import AT_REST
from pbem.store.scope import Scope
from pbem.store.tables import (
    Audit,
    Bounce,
    Event,
    Game,
    Inbox,
    InboxStatus,
    Outbox,
    Seat,
    SeatStatus,
)


class GameLine(NamedTuple):
    """A game in a list."""

    id: int
    ruleset: str
    phase: str
    turn: int
    on_turn: str | None
    deadline: datetime | None
    paused_at: datetime | None
    over_at: datetime | None


class Chair(NamedTuple):
    """A seat in a list, without what its player has set."""

    game_id: int
    letter: str
    colour: str
    name: str
    address: str | None
    computer: bool
    open_since: datetime | None


class PersonLine(NamedTuple):
    """An address with its seats in running games and the reports of letters that came back."""

    address: str
    games: int
    bounces: int
    unreachable: bool


_GAME_LINE: Any = tuple(getattr(Game, name) for name in GameLine._fields)
_CHAIR: Any = tuple(getattr(Seat, name) for name in Chair._fields)


def exists(session: Session, game_id: int) -> bool:
    """Whether there is a game with this id."""
    return session.exec(select(Game.id).where(Game.id == game_id)).first() is not None


def games(
    session: Session,
    scope: Scope,
    *,
    over: bool | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[GameLine]:
    """The newest games first; only those that are over, or are not, if `over` says so."""
    statement = select(Game.id).where(*scope.where(Game.id))
    if over is not None:
        is_over = col(Game.over_at).is_not(None)
        statement = statement.where(is_over if over else ~is_over)
    if before is not None:
        statement = statement.where(col(Game.id) < before)
    # First the ids, which an index has all together: the rows lie far apart, with their states.
    found = session.exec(statement.order_by(col(Game.id).desc()).limit(limit)).all()
    return games_named(session, found)


def games_named(session: Session, numbers: Collection[int]) -> list[GameLine]:
    """These games, the newest first."""
    if not numbers:
        return []
    statement = select(*_GAME_LINE).where(col(Game.id).in_(sorted(numbers)))
    found: Any = session.exec(statement.order_by(col(Game.id).desc()))
    return [GameLine(*row) for row in found]


def seats_of(session: Session, numbers: Iterable[int]) -> dict[int, list[Chair]]:
    """The seats of some games, by game and letter."""
    found: dict[int, list[Chair]] = {number: [] for number in numbers}
    statement = select(*_CHAIR).where(col(Seat.game_id).in_(sorted(found)))
    rows: Any = session.exec(statement.order_by(col(Seat.game_id), col(Seat.letter)))
    for row in rows:
        chair = Chair(*row)
        found[chair.game_id].append(chair)
    return found


def stray_by_game(session: Session, scope: Scope) -> dict[int | None, int]:
    """How many mails came to rest without an effect, by game; None: those of no game."""
    statement = (
        select(Inbox.game_id, func.count())
        .where(col(Inbox.status).in_(AT_REST), *scope.where(Inbox.game_id))
        .group_by(col(Inbox.game_id))
    )
    return {game_id: count for game_id, count in session.exec(statement) if scope.holds(game_id)}


def failed_by_game(session: Session, scope: Scope, since: datetime) -> dict[int, int]:
    """How many letters written since then could not be sent, by game."""
    statement = (
        select(Outbox.game_id, func.count())
        .where(
            col(Outbox.status).in_(FAILED),
            col(Outbox.created_at) > since,
            col(Outbox.game_id).is_not(None),
            *scope.where(Outbox.game_id),
        )
        .group_by(col(Outbox.game_id))
    )
    return {game_id: count for game_id, count in session.exec(statement) if game_id is not None}


def unreachable(session: Session, scope: Scope) -> dict[int, list[str]]:
    """The seats of running games whose letters come back, by game."""
    statement = select(Seat.game_id, Seat.letter).where(
        col(Seat.unreachable_at).is_not(None), *scope.where(Seat.game_id)
    )
    found: dict[int, list[str]] = {}
    for game_id, letter in session.exec(statement):
        found.setdefault(game_id, []).append(letter)
    running = {line.id for line in games_named(session, found) if line.over_at is None}
    return {game_id: letters for game_id, letters in found.items() if game_id in running}


def overdue(session: Session, scope: Scope, before: datetime) -> set[int]:
    """Running games whose deadline passed before a moment and that still wait."""
    statement = select(Game.id).where(
        col(Game.over_at).is_(None),
        col(Game.paused_at).is_(None),
        col(Game.deadline) <= before,
        *scope.where(Game.id),
    )
    return set(session.exec(statement))


def declined(session: Session, scope: Scope) -> set[int]:
    """Games that have not begun and in which an invitation was declined."""
    statement = (
        select(Game.id)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Game.over_at).is_(None), col(Game.paused_at).is_(None))
        .where(col(Game.on_turn).is_(None), Game.turn == 0, Seat.status == SeatStatus.DECLINED)
        .where(*scope.where(Game.id))
    )
    return set(session.exec(statement))


def people(
    session: Session,
    scope: Scope,
    *,
    like: str = "",
    after: str = "",
    limit: int = 50,
) -> list[PersonLine]:
    """Addresses that hold seats, in their order, those above `after`."""
    statement: Any = (
        select(
            Seat.address,
            func.count(),
            func.max(col(Seat.unreachable_at)),
        )
        .where(col(Seat.address) > after, *scope.where(Seat.game_id))
        .group_by(col(Seat.address))
        .order_by(col(Seat.address))
    )
    if like:
        statement = statement.where(col(Seat.address).contains(like, autoescape=True))
    found = session.exec(statement.limit(limit)).all()
    counts = _bounces(session, [address for address, _, _ in found])
    return [
        PersonLine(address, games, counts.get(address, 0), since is not None)
        for address, games, since in found
    ]


def _bounces(session: Session, addresses: Collection[str]) -> dict[str, int]:
    statement: Any = (
        select(Seat.address, func.count(col(Bounce.source)))
        .join(
            Bounce, (col(Bounce.game_id) == col(Seat.game_id)) & (col(Bounce.seat) == Seat.letter)
        )
        .where(col(Seat.address).in_(sorted(addresses)))
        .group_by(col(Seat.address))
    )
    return dict(session.exec(statement).all())


def audit(
    session: Session,
    scope: Scope,
    *,
    who: str = "",
    before: int | None = None,
    limit: int = 50,
) -> Sequence[Audit]:
    """The newest lines of the audit first."""
    statement = select(Audit).where(*scope.where(Audit.game_id))
    if who:
        statement = statement.where(Audit.who == who)
    if before is not None:
        statement = statement.where(col(Audit.id) < before)
    return session.exec(statement.order_by(col(Audit.id).desc()).limit(limit)).all()


def turns_before(session: Session, game_id: int, before: int | None, count: int) -> list[int]:
    """The newest turns that have events, newest first, below `before` if given."""
    statement = select(Event.turn).where(Event.game_id == game_id)
    if before is not None:
        statement = statement.where(Event.turn < before)
    return list(session.exec(statement.distinct().order_by(col(Event.turn).desc()).limit(count)))


def events_of_turns(session: Session, game_id: int, first: int, last: int) -> Sequence[Event]:
    """The events of some turns, of all branches, in their order."""
    statement = select(Event).where(
        Event.game_id == game_id, Event.turn >= first, Event.turn <= last
    )
    return session.exec(statement.order_by(col(Event.seq))).all()


def pulse(session: Session) -> tuple[Any, ...]:
    """What is another when anything on the desk has changed; cheap, since it is asked for often."""
    newest = (func.max(table.id) for table in (Inbox, Outbox, Audit))
    seen = [session.exec(select(number)).one() for number in newest]
    waiting = count_mails(session, (InboxStatus.ACCEPTED,)), count_mails(session, AT_REST)
    letters = count_letters(session, UNSENT), count_letters(session, FAILED)
    return (*seen, *waiting, *letters)


def bounces_of(
    session: Session, seats: Iterable[tuple[int, str]], limit: int = 20
) -> Sequence[Bounce]:
    """The newest reports of letters to some seats that came back."""
    here = [
        and_(col(Bounce.game_id) == game_id, col(Bounce.seat) == letter)
        for game_id, letter in seats
    ]
    if not here:
        return ()
    statement = select(Bounce).where(or_(*here)).order_by(col(Bounce.at).desc())
    return session.exec(statement.limit(limit)).all()
