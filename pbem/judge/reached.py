"""Whether the call of a turn has left for its player, and who is told if it has not."""

from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.store import outbox, tables
from pbem.store.tables import OutboxStatus

_MAY_HAVE = (OutboxStatus.SENT, OutboxStatus.UNKNOWN, OutboxStatus.DROPPED)


def warn(progress: Progress, seat: tables.Seat, *, late: bool) -> None:
    """Tell the game masters if no server has taken the call of this turn: while the deadline can
    still be moved, and when it has passed (`late`). Whoever wants no letters was not called."""
    call = outbox.newest_of_kind(progress.session, progress.game.id, seat.letter, "turn-call")
    turn = progress.state.turn
    if call is None or call.recipe.get("turn") != turn or call.status in _MAY_HAVE:
        return
    told = {"seat": seat.letter, "late": late}
    progress.tell_gm(GmNote("unreached", f"{turn}{'late' if late else ''}", told))
