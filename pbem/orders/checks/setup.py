"""Whether a wish can be meant in the setup: E36, E05, E35, and no orders of a turn."""

from collections.abc import Iterator, Mapping, Sequence

from pbem.orders.checks.examples import example
from pbem.orders.mistake import Fact, Mistake
from pbem.orders.plan import Avoid, Capital, Claim, Fill, Flow, Line, PlaceNeutral
from pbem.rules.position import Phase
from pbem.rules.seat import NEUTRAL
from pbem.rules.view import View


def check(lines: Sequence[Line], view: View, language: str) -> Iterator[Mistake]:
    """In the setup only wishes are orders; claims are over once every territory is taken."""
    for line in lines:
        for order in (order for said in line.sentences for order in said.orders):
            if isinstance(order, _PHASES) and view.phase not in _WHEN[type(order)]:
                yield Mistake("E36", line.number, line.text)
            elif isinstance(order, Fill) and view.phase is Phase.FILL:
                yield from _unheld(order, line, view)
            elif isinstance(order, PlaceNeutral) and NEUTRAL in view.reserve:
                yield from _not_neutral(order, line, view)
            elif isinstance(order, Capital) and view.phase is Phase.CAPITAL:
                yield from _no_capital(order, line, view)
            elif not isinstance(order, _PHASES) and order is not Flow.END:
                facts = {"word": line.text, "kind": "setup", "example": example("", view, language)}
                yield Mistake("E27", line.number, line.text, facts)


_WHEN: Mapping[type, frozenset[Phase]] = {
    Claim: frozenset({Phase.CLAIM}),
    Avoid: frozenset({Phase.CLAIM}),
    Fill: frozenset({Phase.CLAIM, Phase.FILL}),
}
_PHASES = (Claim, Avoid, Fill)


def _no_capital(order: Capital, line: Line, view: View) -> Iterator[Mistake]:
    if view.owner.get(order.territory) != view.reader:
        yield Mistake("E35", line.number, line.text, {"territory": order.territory})


def _unheld(order: Fill, line: Line, view: View) -> Iterator[Mistake]:
    for spot in order.spots:
        owner = view.owner.get(spot.territory)
        if owner != view.reader:
            facts = {"territory": spot.territory, "owner": owner}
            yield Mistake("E05", line.number, line.text, facts)
            return


def _not_neutral(order: PlaceNeutral, line: Line, view: View) -> Iterator[Mistake]:
    for spot in order.spots:
        if view.owner.get(spot.territory) != NEUTRAL:
            facts: dict[str, Fact] = {"territory": spot.territory, "neutral": True}
            yield Mistake("E05", line.number, line.text, facts)
            return
