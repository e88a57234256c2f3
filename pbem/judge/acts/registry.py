"""All acts by their names: what is offered on the pages, in commands and by mail."""

from collections.abc import Mapping

from pbem.judge.acts import clock, rollback, seats
from pbem.judge.acts.act import Act

_IN_ORDER: tuple[type[Act], ...] = (
    clock.Pause,
    clock.Resume,
    clock.Extend,
    clock.MoveDeadline,
    clock.Remind,
    seats.SetLanguage,
    seats.Replace,
    rollback.Rollback,
)

ACTS: Mapping[str, type[Act]] = {act.name: act for act in _IN_ORDER}
"""Safe ones first. What is never offered (another die, a silent change) is not here."""
