"""What the desk asks: games and mail in lines, without the states and bytes that they hold.

Games and their mail grow without end: every list is cut, and what is counted has an index.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, func, or_
from sqlmodel import Session, col, select

from pbem.store.outbox import UNSENT
from pbem.store.quarantine import AT_REST
from pbem.store.tables import (
    Audit,
    Bounce,
    Event,
    Game,
    Inbox,
    InboxStatus,
    Outbox,
    OutboxStatus,
    Seat,
    SeatStatus,
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which games a list is about: `only` these (None: all), and not those in `but`."""

    only: frozenset[int] | None = None
    but: frozenset[int] = frozenset()

    def holds(self, game_id: int | None) -> bool:
        """Whether a game is in it; what belongs to no game is where all are."""
        if game_id is None:
            return self.only is None
        return game_id not in self.but and (self.only is None or game_id in self.only)

    def where(self, column: Any) -> list[Any]:
        """The same as conditions on a column with the game's id."""
        found: list[Any] = []
        if self.only is not None:
            found.append(col(column).in_(sorted(self.only)))
        if self.but:
            found.append(or_(col(column).is_(None), col(column).not_in(sorted(self.but))))
        return found


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


class MailLine(NamedTuple):
    """A row of the inbox in a list, without what it says."""

    id: int
    game_id: int | None
    seat: str | None
    source: str
    status: InboxStatus
    result: str | None
    mail_from: str | None
    received_at: datetime


class LetterLine(NamedTuple):
    """A letter in a list, without its bytes."""

    id: int
    game_id: int | None
    seat: str | None
    kind: str
    subject: str | None
    to_address: str
    status: OutboxStatus
    attempts: int
    created_at: datetime
    next_try_at: datetime
    sent_at: datetime | None
    last_error: str | None


class PersonLine(NamedTuple):
    """An address with its seats in running games and the reports of letters that came back."""

    address: str
    games: int
    bounces: int
    unreachable: bool


_GAME_LINE: Any = tuple(getattr(Game, name) for name in GameLine._fields)
_CHAIR: Any = tuple(getattr(Seat, name) for name in Chair._fields)
_MAIL_LINE: Any = tuple(getattr(Inbox, name) for name in MailLine._fields)
_LETTER_LINE: Any = tuple(getattr(Outbox, name) for name in LetterLine._fields)

FAILED = (OutboxStatus.FAILED, OutboxStatus.UNKNOWN)
"""Letters that somebody may have to look at."""

MOST_COUNTED = 10_000
"""Nobody counts more than that for a page."""


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


def mails(
    session: Session,
    game_id: int,
    *,
    seats: Collection[str] | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[MailLine]:
    """What came in for a game, newest first; only that of some seats, if given."""
    statement = select(*_MAIL_LINE).where(Inbox.game_id == game_id)
    if seats is not None:
        statement = statement.where(col(Inbox.seat).in_(sorted(seats)))
    if before is not None:
        statement = statement.where(col(Inbox.id) < before)
    found: Any = session.exec(statement.order_by(col(Inbox.id).desc()).limit(limit))
    return [MailLine(*row) for row in found]


def letters(
    session: Session,
    scope: Scope,
    *,
    game_id: int | None = None,
    statuses: Collection[OutboxStatus] | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[LetterLine]:
    """Letters, newest first: of one game, or with one of these statuses, if given."""
    statement = select(*_LETTER_LINE).where(*scope.where(Outbox.game_id))
    if game_id is not None:
        statement = statement.where(Outbox.game_id == game_id)
    if statuses is not None:
        statement = statement.where(_plain(Outbox.status, statuses))
    if before is not None:
        statement = statement.where(col(Outbox.id) < before)
    found: Any = session.exec(statement.order_by(col(Outbox.id).desc()).limit(limit))
    return [LetterLine(*row) for row in found]


def _plain(column: Any, values: Collection[OutboxStatus]) -> Any:
    """A condition on a status: of the common ones, the newest rows are found without its index."""
    if OutboxStatus.SENT in values:
        return func.coalesce(column, "").in_([str(value) for value in values])
    return col(column).in_(list(values))


def letter(session: Session, outbox_id: int) -> LetterLine | None:
    """One letter as a line."""
    found: Any = session.exec(select(*_LETTER_LINE).where(Outbox.id == outbox_id)).first()
    return None if found is None else LetterLine(*found)


def queued(session: Session, scope: Scope, limit: int = 50) -> list[LetterLine]:
    """Letters that wait, those first that are tried next."""
    found: list[LetterLine] = []
    for status in UNSENT:  # each by the index; a sum of them would be sorted whole
        statement = (
            select(*_LETTER_LINE)
            .where(Outbox.status == status, *scope.where(Outbox.game_id))
            .order_by(col(Outbox.next_hint_at))
        )
        rows: Any = session.exec(statement.limit(limit))
        found += [LetterLine(*row) for row in rows]
    return sorted(found, key=lambda line: (line.next_try_at, line.id))[:limit]


def count_letters(session: Session, statuses: Collection[OutboxStatus]) -> int:
    """How many letters have one of these statuses, up to `MOST_COUNTED`."""
    return _count(session, select(Outbox.id).where(col(Outbox.status).in_(list(statuses))))


def count_mails(session: Session, statuses: Collection[InboxStatus]) -> int:
    """How many mails have one of these statuses, up to `MOST_COUNTED`."""
    return _count(session, select(Inbox.id).where(col(Inbox.status).in_(list(statuses))))


def _count(session: Session, rows: Any) -> int:
    counted = select(func.count()).select_from(rows.limit(MOST_COUNTED).subquery())
    return session.exec(counted).one()


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


class Waiting(NamedTuple):
    """What stands in the boxes, up to `MOST_COUNTED`; since when that which is due longest."""

    mails: int
    oldest_mail: datetime | None
    letters: int
    oldest_letter: datetime | None
    stray: int
    failed: int


def waiting(session: Session) -> Waiting:
    """What waits to be played or sent, and what came to nothing."""
    mail = (
        select(Inbox.received_at)
        .where(Inbox.status == InboxStatus.ACCEPTED)
        .order_by(col(Inbox.next_hint_at))
    )
    letters = [line.created_at for line in queued(session, Scope(), limit=1)]
    return Waiting(
        mails=count_mails(session, (InboxStatus.ACCEPTED,)),
        oldest_mail=session.exec(mail.limit(1)).first(),
        letters=count_letters(session, UNSENT),
        oldest_letter=letters[0] if letters else None,
        stray=count_mails(session, AT_REST),
        failed=count_letters(session, (OutboxStatus.FAILED,)),
    )
