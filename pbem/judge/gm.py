"""What a game master does to a game from outside its rules; all whom it concerns are told.

Each act takes the working sheet of a locked game, leaves a line in the audit, and is true with the
commit of that sheet. The board, the dice and the record stay as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pbem.judge import lobby, setup_lists, turn_end
from pbem.judge.lobby import NewSeat
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.rules.position import SETUP, TURN, Phase
from pbem.store import audit, proposals, tables
from pbem.store.tables import SeatStatus


class ActError(ValueError):
    """The act makes no sense as the game stands; the message says why."""


@dataclass(frozen=True, slots=True)
class Why:
    """Who acts, as the audit names them, and for what reason; players read the reason."""

    who: str
    reason: str = ""


def pause(progress: Progress, why: Why) -> None:
    """Stop the clock: no deadline and no reminder comes, and orders are answered with the news."""
    game = _running(progress)
    if game.paused_at is not None:
        raise ActError("the game is paused already")
    game.paused_at = progress.now
    _record(progress, why, "pause")
    _tell_all(progress, "paused", why, {"until": None})


def answer_paused(progress: Progress, seat: tables.Seat, mail: tables.Inbox) -> Outcome:
    """The answer to orders while the clock stands still: nothing is done, and why."""
    acts = audit.of_game(progress.session, progress.game.id)
    reason = next((act.reason for act in reversed(acts) if act.what == "pause"), "")
    told = {"by": "", "until": None, "reason": reason}
    facts = {"about": "paused", "told": told}
    progress.tell(Recipe("note", seat.letter, mail.id, facts, answers=mail))
    return done("paused")


def resume(progress: Progress, why: Why) -> None:
    """Go on: what was to come comes later by as long as the pause was."""
    game = _running(progress)
    if game.paused_at is None:
        raise ActError("the game is not paused")
    lost = progress.now - game.paused_at
    game.paused_at = None
    if game.deadline is not None:
        game.deadline += lost
    if game.next_reminder_at is not None:
        game.next_reminder_at += lost
    _record(progress, why, "resume", paused_for=int(lost.total_seconds()))
    _tell_all(progress, "resumed", why, {"deadline": _moment(game)})


def extend(progress: Progress, why: Why, by: timedelta) -> None:
    """Move the deadline to later."""
    game = _running(progress)
    before = _moment(game)
    if game.deadline is None:
        raise ActError("the game waits for nobody, so nothing has a deadline")
    game.deadline += by
    if progress.state.phase in TURN:
        turn_end.set_reminder(progress)
    _record(progress, why, "extend", before=before, after=_moment(game))
    _tell_all(progress, "deadline-moved", why, {"before": before, "after": _moment(game)})


def replace(progress: Progress, why: Why, letter: str, heir: NewSeat) -> None:
    """Give a seat to another person, or to the computer; the addresses of the one before die."""
    game = _running(progress)
    seat = next((s for s in progress.seats if s.letter == letter), None)
    if seat is None:
        raise ActError(f"the game has no seat {letter}")
    if seat.status == SeatStatus.ELIMINATED:
        raise ActError(f"seat {letter} is out of the game")
    before, former = seat.name, seat.address
    _seat(progress, seat, heir)
    detail = {"seat": letter, "before": former, "after": seat.address}
    _record(progress, why, "replace", **detail)
    told = {"seat": letter, "before": before, "after": seat.name}
    _tell_all(progress, "replaced", why, told, but=letter)
    n = f"replaced{seat.key_epoch}"
    if former is not None:
        progress.tell(_note(letter, n, "replaced", told | {"reason": why.reason}, to=former))
    if game.on_turn == letter and progress.state.phase in TURN:
        _call(progress, seat, n)
    elif not seat.computer:
        progress.tell(_welcome(progress, seat, n, told))
    elif progress.state.phase is Phase.INVITED:
        lobby.begin_if_full(progress)


def _seat(progress: Progress, seat: tables.Seat, heir: NewSeat) -> None:
    seat.address, seat.computer = heir.address, heir.address is None
    seat.name, seat.language = heir.name, heir.language
    seat.key_epoch += 1
    seat.settings, seat.misses = {}, []
    seat.thread_message_id = seat.last_letter_address = None
    if progress.state.phase is Phase.INVITED:
        seat.status = SeatStatus.JOINED if seat.computer else SeatStatus.INVITED
    proposals.lapse(progress.session, progress.game.id, progress.now, seat=seat.letter)
    progress.session.add(seat)


def _call(progress: Progress, seat: tables.Seat, n: str) -> None:
    """The turn goes on with its new player, who has the whole time for it."""
    game = progress.game
    if seat.computer:
        game.deadline = game.next_reminder_at = None
        return
    game.deadline = progress.options.timetable.ends(progress.now)
    turn_end.set_reminder(progress)
    turn_end.call(progress, n)


def _welcome(progress: Progress, seat: tables.Seat, n: str, told: Mapping[str, Any]) -> Recipe:
    """What a new player reads first, who is not on turn."""
    deadline = _moment(progress.game)
    if progress.state.phase is Phase.INVITED:
        return Recipe("invitation", seat.letter, n, {"inviter": "", "deadline": deadline})
    if progress.state.phase in SETUP and not _has_list(progress, seat):
        events = (1, progress.last_seq)
        return Recipe("setup-call", seat.letter, n, {"deadline": deadline}, events=events)
    return _note(seat.letter, n, "replaced", told)


def _has_list(progress: Progress, seat: tables.Seat) -> bool:
    return any(row.seat == seat.letter for row in setup_lists.kept(progress))


def _running(progress: Progress) -> tables.Game:
    if progress.state.phase is Phase.OVER:
        raise ActError("the game is over")
    return progress.game


def _record(progress: Progress, why: Why, what: str, **detail: Any) -> None:
    audit.record(
        progress.session,
        progress.now,
        who=why.who,
        what=what,
        game_id=progress.game.id,
        reason=why.reason,
        detail=detail,
    )


def _tell_all(
    progress: Progress, about: str, why: Why, told: Mapping[str, Any], but: str | None = None
) -> None:
    facts = {"by": "", "reason": why.reason, **told}
    n = f"{about}{progress.now:%Y%m%d%H%M%S%f}"
    for seat in progress.seats:
        if seat.letter != but:
            progress.tell(_note(seat.letter, n, about, facts))


def _note(
    letter: str, n: str, about: str, told: Mapping[str, Any], to: str | None = None
) -> Recipe:
    # Two notes of one act may go to one seat: to who leaves it, and to who takes it.
    key = n if to is None else f"{n}left"
    return Recipe("note", letter, key, {"about": about, "told": dict(told)}, to=to)


def _moment(game: tables.Game) -> str | None:
    return None if game.deadline is None else game.deadline.isoformat()
