"""Whether armies can be placed so: E05, E34, E14, and the sums E03 and E04."""

from collections.abc import Iterator

from pbem.orders.checks.outlook import Outlook, Said
from pbem.orders.mistake import Mistake, Repair
from pbem.orders.plan import Amount, Place, Spot
from pbem.rules.board import Code


def check(outlook: Outlook, order: Place, said: Said) -> Iterator[Mistake]:
    """Everything that is wrong with one PLACE, its sum left to `sums`."""
    for spot in order.spots:
        owned = outlook.may_hold(spot.territory) if said.mid_turn else outlook.holds(spot.territory)
        if not owned:
            yield said.mistake(
                "E05", territory=spot.territory, owner=outlook.view.owner.get(spot.territory)
            )
            return
    if said.mid_turn or not said.sure:
        return
    if not outlook.view.to_place:
        yield said.mistake("E34")
    elif outlook.first_attack is not None:
        first = outlook.first_attack.line
        repair = Repair(said.line, said.line, (), first, (outlook.write(order),))
        yield said.mistake("E14", repair, kind="place")


def settle(outlook: Outlook, order: Place, said: Said) -> Place:
    """Counts the armies; those placed before the first attack stand there for it."""
    if said.mid_turn or not said.sure:
        return order
    outlook.first_place = outlook.first_place or said
    for spot in order.spots:
        left = max(outlook.view.to_place - outlook.placed, 0)
        armies = spot.armies if isinstance(spot.armies, int) else left
        outlook.rest = outlook.rest or spot.armies is Amount.REST
        outlook.placed += armies
        if outlook.holds(spot.territory):
            outlook.add(spot.territory, armies)
            outlook.put[spot.territory] = outlook.put.get(spot.territory, 0) + armies
    return order


def sums(outlook: Outlook) -> Iterator[Mistake]:
    """Placed too many; or too few before something that needs them all placed."""
    have, placed = outlook.view.to_place, outlook.placed
    first = outlook.first_place
    if first is not None and have and placed > have:
        yield first.mistake("E03", have=have, placed=placed, over=placed - have)
    elif outlook.needs_placing is not None and placed < have:
        said = first or outlook.needs_placing
        spot = Spot(_example(outlook), Amount.REST)
        yield said.mistake(
            "E04",
            have=have,
            placed=placed,
            left=have - placed,
            example=outlook.write(Place((spot,))),
        )


def _example(outlook: Outlook) -> Code:
    """The own territory with the largest enemy next to it."""
    return max(outlook.view.held(outlook.seat), key=outlook.view.threat)
