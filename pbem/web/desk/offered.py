"""Which acts a visitor is offered on a game."""

from collections.abc import Mapping

from pbem.judge.acts.act import NEEDED, Act
from pbem.judge.acts.registry import ACTS
from pbem.web.refusal import Reason, RefusedError
from pbem.web.visitor import AtGame


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
