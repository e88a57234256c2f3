"""What makes up for every lost hint: whatever is due, and rows that nobody has taken up.

Everything here can be done twice, by two sweeps at once or after a crash between any two lines.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge import (
    agreement,
    clock,
    deadline,
    digest,
    ladder,
    life,
    outage,
    reached,
    standing,
    standstill,
    substitute,
    turn_end,
    webhooks,
)
from pbem.judge.acts import voting
from pbem.judge.house import House
from pbem.judge.intake import LOBBY
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.store import clock as clocks
from pbem.store import consents, due, games, lobby, pictures, positions, tables, visits
from pbem.store.due import DueGame
from pbem.store.engine import Engine
from pbem.store.engine import session as open_session
from pbem.store.tables import Inbox

log = logging.getLogger(__name__)

Hint = Callable[..., None]
"""Publishes a task's name and the ids of its row; may fail silently."""

APPLY = "orders.apply"
SEND = "mail.send"
APPLY_DUE = "clock.apply"
SEND_NEWS = "clock.send"
"""The same two for what no player waits for: in a queue of its own, so that ten thousand deadlines
of one minute stand in no order mail's way."""

ON_TIME = timedelta(seconds=10)
"""A reminder that goes out within this time tells the round time that it was set for."""

CALL_WEBHOOK = "clock.webhook"
"""One attempt at a call of a webhook."""

KEEP_POSITIONS, KEEP_PICTURES = timedelta(days=30), timedelta(days=1)
KEEP_CALLERS, KEEP_VISITS = timedelta(days=2), timedelta(days=2)

Act = Callable[[Progress], object]


@dataclass(frozen=True, slots=True)
class Swept:
    """How many things were due."""

    deadlines: int = 0
    reminders: int = 0
    inbox: int = 0
    outbox: int = 0


def sweep(engine: Engine, house: House, now: datetime, hint: Hint) -> Swept:
    """One round. Hints are given after the commits that they follow."""
    if standstill.stands_still(engine):
        with open_session(engine) as session:
            clock.beat(session, now, timedelta(0))
        return Swept()
    here = _Round(engine, house, now)
    letters = here.catch_up()
    late = here.deadlines()
    reminded = [] if late is None else here.of_clock()
    letters += here.letters
    with open_session(engine) as session:
        rows = due.unplayed(session, now)
        unsent = due.unsent(session, now)
        idle = due.computers(session)
        due.hinted(session, [*rows, *unsent], now)
        clock.beat(session, now, _lag(late or (), now))
    with open_session(engine) as session:
        calls = webhooks.due(session, now)
    for call in calls:
        hint(CALL_WEBHOOK, *call)
    for name, game_id in _to_play(rows, idle):
        hint(name, game_id)
    for letter in letters:
        hint(SEND_NEWS, letter)
    for letter in (row.id for row in unsent):
        hint(SEND, letter)
    return Swept(len(late or ()), len(reminded), len(rows), len(unsent))


class _Round:
    """One round of the sweep on its engine; `letters` are the outbox ids of what it wrote."""

    def __init__(self, engine: Engine, house: House, now: datetime) -> None:
        self._engine = engine
        self._house = house
        self._now = now
        self.letters: list[int] = []

    def catch_up(self) -> list[int]:
        """Note an outage, and move the games that it has not moved yet."""
        with open_session(self._engine) as session:
            clock.notice(session, self._house, self._now)
            behind = due.behind(session, clocks.newest_outage(session))
        self._each(behind, outage.catch_up)
        return []

    def deadlines(self) -> Sequence[DueGame] | None:
        """Put the deadlines that are due into their inboxes; None while the clock stands still."""
        with open_session(self._engine) as session:
            if clock.is_held(session) or due.behind(session, clocks.newest_outage(session), 1):
                return None
            late = due.deadlines(session, self._now)
            held = clock.hold_if_unusual(session, self._house, late, self._now)
            if held is not None:
                self.letters += held
                return None
            deadline.all_fall_due(session, late)
            return late

    def of_clock(self) -> Sequence[DueGame]:
        """Pauses that end, reminders, warnings, dead tables, questions and news; the reminders."""
        with open_session(self._engine) as session:
            over = due.pauses(session, self._now)
            reminders = due.reminders(session, self._now)
            warned = due.warnings(session, self._now)
            stale = due.stale(session, self._now)
            readers = due.news(session, self._now)
            unanswered = consents.overdue(session, self._now)
        self._each(over, agreement.end_pause)
        self._each((game.game_id for game in reminders), _remind)
        self._each((game.game_id for game in warned), substitute.warn)
        self._each((game.game_id for game in stale), life.look)
        self._each(unanswered, voting.look)
        self._each(dict.fromkeys(game_id for game_id, _ in readers), digest.tell)
        return reminders

    def _each(self, game_ids: Iterable[int], act: Act) -> None:
        """The act on each game; one that is broken must not keep the sweep from all the others."""
        for game_id in game_ids:
            try:
                self.letters += _on_game(self._engine, self._house, game_id, self._now, act)
            except Exception:
                log.exception("%s failed in %s", act.__name__, games.public_id(game_id))


def _on_game(
    engine: Engine, house: House, game_id: int, now: datetime, act: Act
) -> tuple[int, ...]:
    with open_session(engine) as session:
        progress = Progress(session, house, games.lock(session, game_id), now, None)
        act(progress)
        return progress.close()


def _to_play(
    rows: Sequence[due.Waiting], idle: Sequence[due.IdleComputer]
) -> Iterator[tuple[str, int]]:
    """A hint for each game that something waits in; a mail's goes before a deadline's."""
    mailed = {row.game_id or LOBBY for row in rows if row.box is Inbox and not row.by_clock}
    by_clock = {row.game_id for row in rows if row.game_id is not None and row.by_clock}
    for game_id in sorted(mailed):
        yield APPLY, game_id
    for game_id in sorted((by_clock | {seat.game_id for seat in idle}) - mailed):
        yield APPLY_DUE, game_id


def _lag(late: Sequence[DueGame], now: datetime) -> timedelta:
    return now - late[0].at if late else timedelta(0)


def remind(engine: Engine, house: House, game_id: int, now: datetime) -> tuple[int, ...]:
    """Write the reminder that is due, if it still is, and set the time of the next one."""
    return _on_game(engine, house, game_id, now, _remind)


def _remind(progress: Progress) -> None:
    game, now = progress.game, progress.now
    at = game.next_reminder_at
    if at is None or at > now or game.deadline is None or game.on_turn is None:
        return
    seat = progress.seat(game.on_turn)
    reminders = standing.of(seat).reminders(progress.options)
    game.next_reminder_at = turn_end.next_reminder(game.deadline, reminders, now)
    first = bool(reminders) and at == game.deadline - reminders[0]
    sent = ladder.has_sent(progress, seat)
    if not sent:
        reached.warn(progress, seat, late=False)
    if now < game.deadline and (first or not sent):
        left = _left(game.deadline, at, now)
        progress.tell(_reminder(game, seat, left, sent=sent))


def _left(deadline: datetime, at: datetime, now: datetime) -> int:
    """Seconds to the deadline; what comes late, after an outage, tells the time that is left."""
    return int((deadline - (at if now - at < ON_TIME else now)).total_seconds())


def _reminder(game: tables.Game, seat: tables.Seat, left: int, *, sent: bool) -> Recipe:
    assert game.deadline is not None
    facts = {"deadline": game.deadline.isoformat(), "left": left, "sent": sent}
    # One for each time before each deadline: a deadline that was moved is reminded of anew.
    n = f"{game.deadline:%Y%m%d%H%M%S}-{left}"
    return Recipe("reminder", seat.letter, n, facts, expires_at=game.deadline)


def tidy(engine: Engine, now: datetime) -> int:
    """Drop what no letter and no page needs any more; how many positions went."""
    with open_session(engine) as session:
        pictures.purge(session, now, KEEP_PICTURES)
        lobby.forget_callers(session, now - KEEP_CALLERS)
        visits.forget(session, now - KEEP_VISITS)
        return positions.purge(session, now, KEEP_POSITIONS)
