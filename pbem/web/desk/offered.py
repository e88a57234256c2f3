"""Which acts a visitor is offered on a game."""

from collections.abc import Mapping
from types import MappingProxyType

from pbem.judge.acts.act import Act, Grade
from pbem.judge.acts.registry import ACTS
from pbem.judge.roles import May
from pbem.web.refusal import Reason, RefusedError
from pbem.web.visitor import AtGame

NEEDED: Mapping[Grade, May] = MappingProxyType(
    {Grade.SAFE: May.ACT_A, Grade.FAIR: May.ACT_B, Grade.DEEP: May.ACT_C}
)
"""What somebody must be allowed for an act of a grade."""


def offered(at: AtGame) -> Mapping[str, type[Act]]:
    """The acts that the visitor may do here, by name."""
    return {name: act for name, act in ACTS.items() if at.may(NEEDED[act.grade])}


def act_named(at: AtGame, name: str) -> type[Act]:
    """One of them. Raises RefusedError: 404 where there is none, 403 where it is not offered."""
    act = ACTS.get(name)
    if act is None:
        raise RefusedError(404, Reason.NO_PAGE)
    at.need(NEEDED[act.grade])
    return act
