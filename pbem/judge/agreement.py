"""What all players at the table can agree on: a draw, a pause, and to end that pause early.

Whoever stands and plays for itself has a voice; the computer agrees to everything. A voice counts
for one round, so that an offer that was forgotten never comes true by surprise.
"""

from collections.abc import Sequence
from datetime import timedelta

from pbem.judge import closing, pauses, standing
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.judge.sitting import Sitting
from pbem.orders.sheet import Asked
from pbem.rules.closing import Ending
from pbem.rules.position import TURN
from pbem.store import tables
from pbem.store.tables import SeatStatus

DRAW, PAUSE, RESUME = "draw", "pause", "resume"
ASKED = {DRAW: "draw-offered", PAUSE: "pause-asked", RESUME: "resume-asked"}
"""What is told of a voice as long as others are missing."""


def draw(mail: Sitting, asked: Asked) -> None:
    """DRAW: offer one, or agree to one; with the last voice the game ends."""
    if not _has_voice(mail.progress, mail.seat):
        mail.refuse(asked, "draw-not-now")
        return
    if _agreed(mail, asked, DRAW):
        mail.serve(asked, "draw-agreed")
        closing.close(mail.progress, Ending.DRAW)


def pause(mail: Sitting, asked: Asked) -> None:
    """PAUSE GAME: ask for a pause as long as the game allows, or agree to one."""
    progress, most = mail.progress, mail.progress.options.pause
    if not most:
        mail.refuse(asked, "pause-none")
        return
    if not _has_voice(progress, mail.seat) or progress.game.paused_at is not None:
        mail.refuse(asked, "pause-not-now")
        return
    if _agreed(mail, asked, PAUSE, days=most // 86_400):
        _pause(progress, timedelta(seconds=most))
        mail.serve(asked, "pause-agreed")


def resume(mail: Sitting, asked: Asked) -> None:
    """RESUME GAME: ask to end a pause that all agreed on, or agree to that."""
    progress = mail.progress
    if not _has_voice(progress, mail.seat) or not pauses.is_agreed(progress):
        mail.refuse(asked, "resume-not-now")
        return
    if _agreed(mail, asked, RESUME):
        _go_on(progress)
        mail.serve(asked, "resume-agreed")


def end_pause(progress: Progress) -> None:
    """The pause is over by itself, if it is."""
    game = progress.game
    if game.paused_at is not None and game.resume_at is not None and game.resume_at <= progress.now:
        _go_on(progress)


def _pause(progress: Progress, span: timedelta) -> None:
    game = progress.game
    game.paused_at, game.resume_at = progress.now, progress.now + span
    for seat in progress.seats:
        standing.put(seat, PAUSE, None)
        standing.put(seat, RESUME, None)  # said in an earlier pause
        progress.session.add(seat)
    _tell_all(progress, "paused-by-all", {"until": game.resume_at.isoformat()})


def _go_on(progress: Progress) -> None:
    pauses.end(progress)
    at = progress.game.deadline
    _tell_all(progress, "resumed", {"deadline": at and at.isoformat(), "reason": ""})


def _agreed(mail: Sitting, asked: Asked, about: str, **told: object) -> bool:
    """Note the seat's voice; whether it was the last. If not, all are told whose is missing."""
    waiting = _agree(mail, about)
    if waiting:
        mail.serve(asked, ASKED[about], waiting=waiting)
        _tell_others(mail, ASKED[about], {"seat": mail.seat.letter, "waiting": waiting, **told})
    return not waiting


def _agree(mail: Sitting, about: str) -> Sequence[str]:
    """Note the seat's voice; the seats whose voice is still missing."""
    progress = mail.progress
    standing.put(mail.seat, about, progress.state.turn)
    progress.session.add(mail.seat)
    oldest = progress.state.turn - len(progress.state.standing)
    voices = [seat for seat in progress.seats if _has_voice(progress, seat)]
    return [seat.letter for seat in voices if seat.settings.get(about, oldest) <= oldest]


def _has_voice(progress: Progress, seat: tables.Seat) -> bool:
    stands = seat.status == SeatStatus.STANDING and seat.letter in progress.state.standing
    return stands and not seat.computer and progress.state.phase in TURN


def _tell_others(mail: Sitting, about: str, told: dict[str, object]) -> None:
    for seat in mail.progress.seats:
        if seat.letter != mail.seat.letter:
            facts = {"about": about, "told": told}
            mail.progress.tell(Recipe("note", seat.letter, f"{about}{mail.row.id}", facts))


def _tell_all(progress: Progress, about: str, told: dict[str, object]) -> None:
    n = f"{about}{progress.now:%Y%m%d%H%M%S%f}"
    for seat in progress.seats:
        progress.tell(Recipe("note", seat.letter, n, {"about": about, "told": told}))
