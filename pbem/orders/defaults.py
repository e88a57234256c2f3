"""Defaults that hang on other lines of the plan, written out (orders.md, "Defaults").

Written out, a line says the same alone as among the others: that is what the answer repeats.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.orders.plan import (
    Amount,
    Attack,
    Captured,
    Condition,
    Else,
    Guard,
    Line,
    Order,
    Sentence,
)
from pbem.rules.board import Code


def filled(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines with what moves in and which capture is meant."""
    return tuple(_with_captures(_with_moves(lines)))


def _with_moves(lines: Sequence[Line]) -> list[Line]:
    """All but 1 moves in where a later line attacks from there, else the least."""
    later: set[Code] = set()
    found: list[Line] = []
    for line in reversed(lines):
        sentences: list[Sentence] = []
        for said in reversed(line.sentences):
            orders: list[Order] = []
            for order in reversed(said.orders):
                orders.append(_with_move(order, later))
                if isinstance(order, Attack):
                    later.add(order.source)
            sentences.append(replace(said, orders=tuple(reversed(orders))))
        found.append(replace(line, sentences=tuple(reversed(sentences))))
    return found[::-1]


def _with_move(order: Order, later: set[Code]) -> Order:
    """A chain takes all but 1 along by itself; what was said stands."""
    if not isinstance(order, Attack) or len(order.targets) > 1:
        return order
    if order.move is not None or order.leave is not None:
        return order
    return replace(order, move=Amount.ALL if order.targets[0] in later else Amount.LEAST)


def _with_captures(lines: Sequence[Line]) -> Iterator[Line]:
    """CAPTURED without a territory means the target of the attack before it."""
    target: Code | None = None
    guarded = False
    for line in lines:
        sentences: list[Sentence] = []
        for said in line.sentences:
            sentences.append(_with_capture(said, target, guarded=guarded))
            guarded = said.guard is not None
            attacks = [order for order in said.orders if isinstance(order, Attack)]
            target = attacks[-1].targets[-1] if attacks else target
        yield replace(line, sentences=tuple(sentences))


def _with_capture(said: Sentence, target: Code | None, *, guarded: bool) -> Sentence:
    if target is None:
        return said
    match said.guard:
        case Guard(conditions, unless):
            meant = tuple(_meant(condition, target) for condition in conditions)
            return replace(said, guard=Guard(meant, unless))
        case Else() if not guarded:
            return replace(said, guard=Guard((Captured(target),), unless=True))
        case _:
            return said


def _meant(condition: Condition, target: Code) -> Condition:
    if isinstance(condition, Captured) and condition.territory is None:
        return Captured(target, condition.negated)
    return condition
