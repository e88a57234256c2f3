"""Orders that a letter may suggest: legal now, one of each kind, in the reader's language."""

from pbem.judge import computer
from pbem.orders import plan
from pbem.orders.write import write
from pbem.rules import odds
from pbem.rules.board import Code
from pbem.rules.odds import Limits
from pbem.rules.position import SETUP, TURN, Phase
from pbem.rules.view import View


def turn(view: View, language: str) -> tuple[str, ...]:
    """What the reader could write now: wishes in the setup, nothing for a seat not on turn."""
    if view.reader is not None and view.phase in SETUP:
        return wishes(view, language)
    if view.reader is None or view.on_turn != view.reader or view.phase not in TURN:
        return ()
    orders: list[plan.Order] = []
    if view.phase is Phase.TRADE:
        orders.append(plan.Trade(plan.Trading.AUTO))
    source = _source(view)
    if view.to_place and source:
        orders.append(plan.Place((plan.Spot(source, plan.Amount.REST),)))
    target = computer.best_target(view, source) if source else None
    if source and target:
        orders.append(plan.Attack((source, target), Limits(keep=2)))
    move = computer.best_move(view)
    if move is not None:
        orders.append(plan.Fortify(move.source, move.target, move.armies))
    orders.append(plan.Flow.END)
    return tuple(write(order, language, view.board) for order in orders)


def _source(view: View) -> Code | None:
    """Where an attack with three dice can begin: where the armies go, else where most stand."""
    if view.to_place:
        return computer.best_front(view)
    if view.reader is None or view.phase is Phase.FORTIFY:
        return None
    ready = [
        code
        for code in view.held(view.reader)
        if view.armies[code] > odds.FULL_DICE and any(True for _ in view.enemies(code))
    ]
    return max(ready, key=lambda code: view.armies[code], default=None)


def wishes(view: View, language: str) -> tuple[str, ...]:
    """What a setup list could be."""
    assert view.reader is not None
    orders = computer.setup_wishes(view)
    return tuple(write(order, language, view.board) for order in orders)
