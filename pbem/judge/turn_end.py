"""What follows an act: who is out, whether the turn or the game is over, and who is told what.

Which letter goes to whom stands in one place here (screens.md, "Which letter to whom"): a report to
all but the sender, who has an answer, and the next seat, whose call tells what it missed.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pbem.judge import (
    absence,
    bank,
    branches,
    closing,
    dice,
    digest,
    ladder,
    life,
    next_turn,
    senders,
    standing,
)
from pbem.judge.closing import Span
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.judge.sitting import AHEAD, KEPT, PRESS, RESIGN
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.store import games, proposals, tables
from pbem.store.tables import SeatStatus

LASTING = (senders.CONFIRM, RESIGN, AHEAD, PRESS)
"""Kinds of proposals that hang on no board: they wait until their seat answers."""

OF_THE_TURN = (*LASTING, KEPT)
"""Kinds that outlast a step: a plan that paused waits for its CONTINUE as long as the turn."""


def settle(
    progress: Progress, before: State, span: Span, *, sender: str, automatic: bool = False
) -> bool:
    """Draw the consequences of an act of the seat on turn; whether the turn is closed.

    `before` is the state before the act, `span` its events.
    """
    _tell_eliminated(progress, before)
    if progress.state.phase is Phase.OVER:
        closing.finish(progress, before, span)
        return True
    if progress.state.turn == before.turn:
        progress.game.step += 1
        _let_lapse(progress, but=OF_THE_TURN)
        _limit_session(progress, before)
        return False
    if not automatic and before.on_turn is not None:
        bank.save(progress, progress.seat(before.on_turn))
    progress.close_turn(before.turn)
    if closing.is_at_limit(progress):
        closing.close_at_limit(progress, before, span)
        return True
    begin_turn(progress)
    _report(progress, before, span, sender, automatic=automatic)
    return True


def _let_lapse(progress: Progress, seat: str | None = None, but: Collection[str] = LASTING) -> None:
    """What was proposed for the old board is void, for all seats or for one that is out."""
    proposals.lapse(progress.session, progress.game.id, progress.now, seat=seat, but=but)


def begin_turn(progress: Progress) -> None:
    """A turn was started: its deadline, its reminders, and the call to the seat on it."""
    game, state = progress.game, progress.state
    assert state.on_turn is not None
    game.step = branches.first_step(game, state.turn)
    _let_lapse(progress)
    proposals.lapse(progress.session, game.id, progress.now, seat=state.on_turn, kind=AHEAD)
    if game.stale_at is None:
        life.sign(progress)
    seat = progress.seat(state.on_turn)
    if seat.computer:
        game.deadline = game.next_reminder_at = game.warning_at = None
        return
    set_deadline(progress, seat)
    digest.told(progress, seat)
    if not next_turn.bring(progress, seat):
        call(progress, 1)


def set_deadline(progress: Progress, seat: tables.Seat) -> None:
    """The seat on turn has its whole time from now on."""
    timetable = progress.options.timetable
    progress.game.deadline = absence.moved(timetable.ends(progress.now), seat, timetable)
    set_reminder(progress)


def set_reminder(progress: Progress) -> None:
    """The next reminder of the seat on turn, as the seat wants to be reminded; and the warning."""
    game, on_turn = progress.game, progress.state.on_turn
    if game.deadline is None or on_turn is None:
        return
    seat = progress.seat(on_turn)
    spans = standing.of(seat).reminders(progress.options)
    game.next_reminder_at = next_reminder(game.deadline, spans, progress.now)
    last = ladder.is_last_chance(progress, seat)
    game.warning_at = ladder.warning_at(progress.now, game.deadline) if last else None


def _limit_session(progress: Progress, before: State) -> None:
    """The first roll of a turn: whoever holds the dice has only so long (option `session`)."""
    game, most = progress.game, progress.options.session
    if not most or game.deadline is None or before.rolled or not progress.state.rolled:
        return
    ends = progress.now + timedelta(seconds=most)
    if ends < game.deadline:
        game.deadline = ends
        set_reminder(progress)


def call(progress: Progress, n: int | str, dropped: Sequence[Mapping[str, Any]] = ()) -> None:
    """The turn call to the seat on turn; `dropped` are the mistakes of a kept plan."""
    game, on_turn = progress.game, progress.state.on_turn
    assert on_turn is not None
    assert game.deadline is not None
    facts = {
        "deadline": game.deadline.isoformat(),
        "step": game.step,
        "dropped": list(dropped),
    }
    since = (_since(progress, on_turn), _start_of_turn(progress))
    progress.tell(Recipe("turn-call", on_turn, n, facts, events=since))


def next_reminder(
    deadline: datetime, before: tuple[timedelta, ...], now: datetime
) -> datetime | None:
    """The first reminder that is still to come."""
    return min((deadline - span for span in before if deadline - span > now), default=None)


def _since(progress: Progress, seat: Seat) -> int:
    """The first event after the seat's own last turn; before its first turn, turn 1's start."""
    session, game = progress.session, progress.game
    own = 2 * len(progress.seats)
    for event in games.last_events(session, game.id, "turn-ended", own):
        if event.body["seat"] == seat:
            return event.seq + 1
    return games.first_event(session, game.id, 1) or progress.last_seq


def _start_of_turn(progress: Progress) -> int:
    """The event that began the turn: the last one, unless the turn has gone on since."""
    begun = games.first_event(progress.session, progress.game.id, progress.state.turn)
    return progress.last_seq if begun is None else begun


def _tell_eliminated(progress: Progress, before: State) -> None:
    for letter in progress.state.eliminated:
        if letter in before.eliminated:
            continue
        out = progress.seat(letter)
        out.status = SeatStatus.ELIMINATED
        _let_lapse(progress, seat=letter, but=(senders.CONFIRM,))
        progress.session.add(out)
        facts = {"turn": before.turn, "by": before.on_turn}
        progress.tell(Recipe("eliminated", letter, 1, facts))


def _report(progress: Progress, before: State, span: Span, sender: str, *, automatic: bool) -> None:
    """The turn that closed, to those who are told of it by no other letter."""
    first = games.first_event(progress.session, progress.game.id, before.turn) or span[0]
    facts = {
        "turn": before.turn,
        "seat": before.on_turn,
        "next_seat": progress.state.on_turn,
        "deadline": None if (at := progress.game.deadline) is None else at.isoformat(),
        "automatic": automatic,
        "link": dice.published(progress.game, before.link),
    }
    # The last event is the next turn's start.
    told = (first, span[1] - 1)
    for seat in progress.seats:
        if seat.letter in (sender, progress.state.on_turn):
            continue
        if standing.of(seat).wants_news:
            progress.tell(Recipe("report", seat.letter, before.turn, facts, events=told))
