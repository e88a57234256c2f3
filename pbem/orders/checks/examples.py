"""Orders that would be possible now, for the player who wrote one that cannot be read."""

from pbem.orders.lexicon import lexicon
from pbem.orders.plan import (
    Amount,
    Attack,
    Capital,
    Claim,
    Fill,
    Flow,
    Fortify,
    Order,
    Place,
    Spot,
    Trade,
    Trading,
    Wish,
)
from pbem.orders.word import SERVICES, Word
from pbem.orders.write import write
from pbem.rules.position import Phase
from pbem.rules.view import View


def example(kind: str, view: View, language: str) -> str | None:
    """Canonical text of an order of that kind, the name of its order word in small letters."""
    if kind.upper() in SERVICES:
        said = lexicon(language, view.board)
        return said.examples.get(kind, said.printed[Word(kind.upper())].upper())
    order = _order(kind, view)
    return None if order is None else write(order, language, view.board)


def _order(kind: str, view: View) -> Order | None:
    if view.phase is Phase.FILL:
        return _fill(view)
    if view.phase is Phase.CAPITAL:
        return _capital(view)
    match "claim" if view.phase is Phase.CLAIM else kind:
        case "trade":
            return Trade(Trading.AUTO)
        case "place":
            return _place(view)
        case "fortify":
            return _fortify(view)
        case "claim":
            return Claim((next(iter(view.board.continents)), Wish.NEAREST))
        case "end":
            return Flow.END
        case _:
            return _attack(view)


def _capital(view: View) -> Capital | None:
    held = view.held(view.reader) if view.reader else ()
    return Capital(held[0]) if held else None


def _fill(view: View) -> Fill | None:
    held = view.held(view.reader) if view.reader else ()
    return Fill((Spot(max(held, key=view.threat), 5),)) if held else None


def _place(view: View) -> Place | None:
    held = view.held(view.reader) if view.reader else ()
    if not held:
        return None
    return Place((Spot(max(held, key=view.threat), view.to_place or Amount.REST),))


def _attack(view: View) -> Attack | None:
    """From the strongest border territory against its weakest neighbour."""
    held = view.held(view.reader) if view.reader else ()
    sources = [code for code in held if any(True for _ in view.enemies(code))]
    if not sources:
        return None
    source = max(sources, key=lambda code: view.armies[code])
    return Attack((source, min(view.enemies(source), key=lambda c: view.armies.get(c, 0))))


def _fortify(view: View) -> Fortify | None:
    held = view.held(view.reader) if view.reader else ()
    for source in sorted(held, key=lambda code: -view.armies[code]):
        for target in view.board.neighbours[source]:
            if target in held and view.armies[source] > 1:
                return Fortify(source, target, view.armies[source] - 1)
    return None
