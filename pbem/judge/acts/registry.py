"""All acts by their names: what is offered on the pages, in commands and by mail."""

from collections.abc import Mapping

from pbem.judge.acts import address, board, clock, ending, letters, rollback, seats, terms, turns
from pbem.judge.acts.act import Act

_IN_ORDER: tuple[type[Act], ...] = (
    clock.Pause,
    clock.Resume,
    clock.Extend,
    clock.MoveDeadline,
    clock.Remind,
    letters.Note,
    letters.Resend,
    seats.SetLanguage,
    address.Move,
    turns.PlayLate,
    turns.OrderFor,
    seats.Replace,
    seats.Neutral,
    terms.ChangeOption,
    rollback.Rollback,
    turns.RunAgain,
    board.Set,
    board.SetCards,
    ending.End,
    ending.Draw,
)

ACTS: Mapping[str, type[Act]] = {act.name: act for act in _IN_ORDER}
"""Safe ones first. What is never offered (another die, a silent change) is not here."""
