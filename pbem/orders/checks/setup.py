"""Whether a wish can be meant in the setup: E36, E05, and no orders of a turn."""

from collections.abc import Iterator, Sequence

from pbem.orders.checks.examples import example
from pbem.orders.mistake import Fact, Mistake
from pbem.orders.plan import Avoid, Claim, Fill, Flow, Line, PlaceNeutral
from pbem.rules.position import Phase
from pbem.rules.seat import NEUTRAL
from pbem.rules.view import View


def check(lines: Sequence[Line], view: View, language: str) -> Iterator[Mistake]:
    """In the setup only wishes are orders; claims are over once every territory is taken."""
    for line in lines:
        for order in (order for said in line.sentences for order in said.orders):
            if isinstance(order, Claim | Avoid) and view.phase is not Phase.CLAIM:
                yield Mistake("E36", line.number, line.text)
            elif isinstance(order, Fill) and view.phase is Phase.FILL:
                yield from _unheld(order, line, view)
            elif isinstance(order, PlaceNeutral) and NEUTRAL in view.reserve:
                yield from _not_neutral(order, line, view)
            elif not isinstance(order, Claim | Avoid | Fill) and order is not Flow.END:
                facts = {"word": line.text, "kind": "setup", "example": example("", view, language)}
                yield Mistake("E27", line.number, line.text, facts)


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
