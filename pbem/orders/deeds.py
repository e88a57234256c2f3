"""What each order but an attack does in the course of a plan.

An order that cannot be done any more leaves a note and nothing else; what is too many or too few
is brought to the nearest number that the rules allow.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from pbem.orders.course import Course
from pbem.orders.plan import Amount, CardName, Flow, Fortify, Occupy, Order, Place, Trade, Trading
from pbem.rules import action
from pbem.rules.card import Card
from pbem.rules.position import Phase
from pbem.rules.trade import automatic_set


def _trade(course: Course, order: Trade) -> None:
    """One named set; AUTO trades as many as are forced, at least one."""
    if order.cards is Trading.NONE:
        course.deed.done = True
        return
    if order.cards is not Trading.AUTO:
        _trade_named(course, order.cards, order)
        return
    chosen = automatic_set(course.state, course.state.hand)
    if chosen is None or course.state.phase is not Phase.TRADE:
        course.note("nothing-to-trade")
        return
    traded = course.play(replace(chosen, bonus=order.bonus or chosen.bonus))
    while traded and course.owes_trade:
        chosen = automatic_set(course.state, course.state.hand)
        traded = chosen is not None and course.play(chosen)


def _trade_named(course: Course, names: tuple[CardName, ...], order: Trade) -> None:
    places = card_places(names, course.state.hand)
    if len(places) == 3 and course.state.phase is Phase.TRADE:
        first, second, third = sorted(places)
        course.play(action.Trade((first, second, third), order.bonus))
    else:
        course.note("nothing-to-trade")


def card_places(names: Iterable[CardName], hand: tuple[Card, ...]) -> tuple[int, ...]:
    """The places in the hand (0-based) of cards by number or name; those not there left out."""
    found: list[int] = []
    for name in names:
        if isinstance(name, int):
            places = [name - 1] if 0 < name <= len(hand) else []
        else:
            places = [p for p, card in enumerate(hand) if card == name]
        found += [p for p in places if p not in found][:1]
    return tuple(found)


def _place(course: Course, order: Place) -> None:
    """Each spot in turn, as far as there are armies."""
    for spot in order.spots:
        at_hand = course.state.to_place
        armies = spot.armies if isinstance(spot.armies, int) else at_hand
        if not at_hand:
            course.note("nothing-to-place", territory=spot.territory)
        elif not course.holds(spot.territory):
            course.note("source-lost", source=spot.territory)
        else:
            course.play(action.Place(spot.territory, min(armies, at_hand)))
            if armies > at_hand:
                course.note(
                    "brought-to-nearest", target=spot.territory, stated=armies, moved=at_hand
                )


def _fortify(course: Course, order: Fortify) -> None:
    """Moves what is there; a source or a target that is lost skips it."""
    source, target = order.source, order.target
    if source is None or not (course.holds(source) and course.holds(target)):
        lost = target if source and course.holds(source) else source
        course.note("source-lost", source=lost)
        return
    most = course.state.armies[source] - 1
    stated = order.armies if order.armies is not None else most + 1 - (order.but or 1)
    if most < 1 or stated < 1:
        course.note("nothing-to-move", source=source)
        return
    moved = min(stated, most)
    if course.play(action.Fortify(source, target, moved)) and moved != stated:
        course.note("brought-to-nearest", target=target, stated=stated, moved=moved)


def _occupy(course: Course, order: Occupy) -> None:
    """Answers a capture whose armies have still to move in."""
    waiting = course.state.occupation
    if waiting is None:
        course.note("nothing-to-move")
        return
    wanted = {Amount.ALL: waiting.most, Amount.LEAST: waiting.least}
    stated = order.armies if isinstance(order.armies, int) else wanted[order.armies]
    moved = max(waiting.least, min(stated, waiting.most))
    if course.play(action.Occupy(moved)) and moved != stated:
        course.note("brought-to-nearest", target=waiting.target, stated=stated, moved=moved)


def _end(course: Course) -> None:
    course.play(action.EndTurn())


def _flow(course: Course, order: Flow) -> None:
    """END closes the turn, STOP ends the attacks; the others have their place before the run."""
    if order is Flow.END:
        _end(course)
    elif order is Flow.TAKE_BACK:
        course.play(action.TakeBack())
    else:
        course.stopped = course.stopped or order is Flow.STOP
        course.deed.done = True


DEEDS: Mapping[type, Callable[[Course, Order], None]] = {
    Trade: _trade,  # type: ignore[dict-item]  # each is asked with its own key's type
    Place: _place,  # type: ignore[dict-item]
    Fortify: _fortify,  # type: ignore[dict-item]
    Occupy: _occupy,  # type: ignore[dict-item]
    Flow: _flow,  # type: ignore[dict-item]
}
"""One deed an order kind; each is asked with its own kind."""
