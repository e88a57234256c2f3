"""What follows an act: who is out, whether the turn or the game is over, and who is told what.

Which letter goes to whom stands in one place here (screens.md, "Which letter to whom"): a report to
all but the sender, who has an answer, and the next seat, whose call tells what it missed.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pbem.judge import absence, dice, next_turn, senders, standing
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.rules.position import Phase
from pbem.rules.record import SETUP_LINK
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.store import games, proposals, tables
from pbem.store.tables import SeatStatus

Span = tuple[int, int]


def settle(
    progress: Progress, before: State, span: Span, *, sender: str, automatic: bool = False
) -> bool:
    """Draw the consequences of an act of the seat on turn; whether the turn is closed.

    `before` is the state before the act, `span` its events.
    """
    _tell_eliminated(progress, before)
    if progress.state.phase is Phase.OVER:
        finish(progress, before, span)
        return True
    if progress.state.turn == before.turn:
        progress.game.step += 1
        _let_lapse(progress)
        return False
    progress.closed_turns.append(before.turn)
    begin_turn(progress)
    _report(progress, before, span, sender, automatic=automatic)
    return True


def _let_lapse(progress: Progress) -> None:
    """What was proposed for the old board is void; a held mail may still be called one's own."""
    proposals.lapse(progress.session, progress.game.id, progress.now, but=senders.CONFIRM)


def begin_turn(progress: Progress) -> None:
    """A turn was started: its deadline, its reminders, and the call to the seat on it."""
    game, state = progress.game, progress.state
    assert state.on_turn is not None
    game.step = 1
    _let_lapse(progress)
    if progress.seat(state.on_turn).computer:
        game.deadline = game.next_reminder_at = None
        return
    seat = progress.seat(state.on_turn)
    game.deadline = _deadline(progress, seat)
    set_reminder(progress)
    if not next_turn.bring(progress, seat):
        call(progress, 1)


def _deadline(progress: Progress, seat: tables.Seat) -> datetime:
    timetable = progress.options.timetable
    return absence.moved(timetable.ends(progress.now), seat, timetable)


def set_reminder(progress: Progress) -> None:
    """The next reminder of the seat on turn, as the seat wants to be reminded."""
    game, on_turn = progress.game, progress.state.on_turn
    if game.deadline is not None and on_turn is not None:
        spans = standing.of(progress.seat(on_turn)).reminders(progress.options)
        game.next_reminder_at = next_reminder(game.deadline, spans, progress.now)


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


def finish(
    progress: Progress, before: State, span: Span, *, how: str = "", reason: str = ""
) -> None:
    """The game is over: everybody is told, and what was secret of it is shown.

    The turn that was won may be the one after `before`: a mission was held until it began. `how`
    is empty where the goal was reached, else one of `rules.closing.Ending`.
    """
    game, state = progress.game, progress.state
    game.over_at = progress.now
    game.deadline = game.next_reminder_at = None
    proposals.lapse(progress.session, game.id, progress.now)
    progress.closed_turns += range(before.turn, state.turn + 1)
    first = games.first_event(progress.session, game.id, before.turn) or span[0]
    # A game that ends before it has begun shows the link that its setup would have had.
    links = range(max(before.link, SETUP_LINK), max(state.link, SETUP_LINK) + 1)
    facts = {
        "turn": state.turn,
        "winner": state.winner,
        "how": how,
        "reason": reason,
        "links": [dice.published(game, link) for link in links],
    }
    for seat in progress.seats:
        if seat.status != SeatStatus.DECLINED:
            progress.tell(Recipe("game-over", seat.letter, 1, facts, events=(first, span[1])))
