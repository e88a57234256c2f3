"""A seat's list for the draft, from the orders of its mail (orders.md, "Setup by mail")."""

from collections.abc import Iterable

from pbem.orders.plan import Avoid, Capital, Claim, Fill, Order, PlaceNeutral, Wish
from pbem.orders.sheet import Sheet
from pbem.rules.board import Code, ContinentId
from pbem.rules.setup import ANY, NEAREST, Want, Wishes

_ANYWHERE = {Wish.NEAREST: NEAREST, Wish.ANY: ANY}


def of(sheet: Sheet) -> Wishes:
    """The list that a mail makes; orders that are no wishes are left out."""
    orders = [order for line in sheet.lines for said in line.sentences for order in said.orders]
    return Wishes(
        claims=_claims(orders),
        avoid=_avoided(orders),
        fill=_spots(orders, Fill),
        neutral=_spots(orders, PlaceNeutral),
        capital=next((o.territory for o in reversed(orders) if isinstance(o, Capital)), None),
    )


def _claims(orders: Iterable[Order]) -> tuple[Want, ...]:
    wants = (want for order in orders if isinstance(order, Claim) for want in order.wants)
    return tuple(_ANYWHERE[want] if isinstance(want, Wish) else want for want in wants)


def _avoided(orders: Iterable[Order]) -> tuple[ContinentId, ...]:
    return tuple(c for order in orders if isinstance(order, Avoid) for c in order.continents)


def _spots(
    orders: Iterable[Order], kind: type[Fill | PlaceNeutral]
) -> tuple[tuple[Code, int], ...]:
    spots = (spot for order in orders if isinstance(order, kind) for spot in order.spots)
    return tuple((s.territory, s.armies) for s in spots if isinstance(s.armies, int))
