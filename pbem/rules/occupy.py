"""Moving in after a capture (rule 5)."""

from pbem.rules.action import Occupy
from pbem.rules.attack import go_on
from pbem.rules.claim import acting
from pbem.rules.dice import Chance
from pbem.rules.event import Occupied
from pbem.rules.position import changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.state import Played, State


def refuse(state: State, action: Occupy) -> Refusal | None:
    """At least the dice of the last roll, at most all but one."""
    waiting = state.occupation
    if waiting is None:
        return refused(Reason.NOT_NOW, phase=state.phase)
    if waiting.least <= action.armies <= waiting.most:
        return None
    return refused(
        Reason.OCCUPATION,
        source=waiting.source,
        target=waiting.target,
        armies=action.armies,
        least=waiting.least,
        most=waiting.most,
    )


def occupy(state: State, action: Occupy, _chance: Chance) -> Played:
    """The least already stands there; the rest of the number follows."""
    waiting = state.occupation
    assert waiting is not None  # for the type checker: `refuse` was asked
    source, target = waiting.source, waiting.target
    more = action.armies - waiting.least
    armies = state.armies
    moved = changed(
        state,
        armies={**armies, source: armies[source] - more, target: armies[target] + more},
        occupation=None,
    )
    return Played(go_on(moved), (Occupied(acting(state), source, target, action.armies),))
