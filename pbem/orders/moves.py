"""Move-ins that are said behind their attack, in a sentence or on a line of their own.

"Attack India from Siam. If I win, move all in." says what one sentence could say, so the plan that
is checked says it in one.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem.orders.plan import Attack, Captured, Guard, Line, Occupy, Sentence


def joined(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines with every such move-in put into the attack before it."""
    found: list[Line] = []
    for line in lines:
        found.append(replace(line, sentences=()))
        for said in line.sentences:
            _add(found, said)
    return tuple(line for line in found if line.sentences)


def _add(lines: list[Line], said: Sentence) -> None:
    place = next((i for i in reversed(range(len(lines))) if lines[i].sentences), None)
    before = None if place is None else lines[place].sentences[-1]
    if place is None or before is None or not _belongs(before, said):
        lines[-1] = replace(lines[-1], sentences=(*lines[-1].sentences, said))
        return
    *others, attack = before.orders
    moving, *rest = said.orders
    assert isinstance(attack, Attack)
    assert isinstance(moving, Occupy)
    whole = replace(before, orders=(*others, replace(attack, move=moving.armies)))
    lines[place] = replace(lines[place], sentences=(*lines[place].sentences[:-1], whole))
    if rest:
        left = replace(said, orders=tuple(rest))
        lines[-1] = replace(lines[-1], sentences=(*lines[-1].sentences, left))


def _belongs(before: Sentence, said: Sentence) -> bool:
    """Whether the sentence begins with what the attack before it left open."""
    attack, moving = before.orders[-1], said.orders[0]
    if not (isinstance(attack, Attack) and isinstance(moving, Occupy)):
        return False
    if (attack.move, attack.leave) != (None, None):
        return False
    match said.guard:
        case None:
            return before.guard is None
        case Guard((Captured(territory, False),), False):
            return territory in (None, attack.targets[-1]) and len(attack.targets) == 1
    return False
