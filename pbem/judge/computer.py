"""The computer player: orders in words, from nothing but its own view.

It writes what a person would write, and its text goes through the same inbox, reader and rules as
everybody's mail. One text is one decision: a set and the placing, one attack, or the end of the
turn; the next text sees what the dice did.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.judge import aim
from pbem.orders import plan
from pbem.orders.write import write
from pbem.rules import odds
from pbem.rules.board import Code, Continent
from pbem.rules.card import sets_in
from pbem.rules.position import SETUP, TURN, Phase
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.view import View

FIRST_CAPTURE = 0.55
"""Least chance for an attack while the turn's card is still to be earned."""

GOING_ON = 0.72
"""Least chance for an attack once it is."""

LANGUAGE = "en"
"""The computer writes English, which every game reads."""

MAILS_A_TURN = 24
"""After so many texts in one turn the computer ends it, whatever else it could take."""


def orders(view: View, texts_before: int = 0) -> tuple[str, ...]:
    """The lines that the computer sends now, for the seat that reads the view.

    `texts_before` counts its texts in this turn. Raises ValueError when it has nothing to say:
    another seat is on turn, or the game is over.
    """
    return tuple(write(order, LANGUAGE, view.board) for order in _decision(view, texts_before))


def _decision(view: View, texts_before: int) -> tuple[plan.Order, ...]:
    if view.phase in SETUP:
        return setup_wishes(view)
    if view.on_turn != view.reader or view.phase not in TURN:
        raise ValueError(f"seat {view.reader} has nothing to order in phase {view.phase}")
    if view.phase in (Phase.TRADE, Phase.PLACE):
        return _gather(view)
    if view.phase is Phase.ATTACK and texts_before < MAILS_A_TURN:
        strike = _best_strike(view)
        if strike is not None:
            return (_attack(view, strike),)
    move = best_move(view)
    return (plan.Flow.END,) if move is None else (move, plan.Flow.END)


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack that could be made, its chance to capture and how much it is wanted."""

    source: Code
    target: Code
    chance: float
    worth: float


def _me(view: View) -> Seat:
    assert view.reader is not None
    return view.reader


def setup_wishes(view: View) -> tuple[plan.Order, ...]:
    """Small continents first, then what lies near; armies where the front will be."""
    if view.phase is Phase.CAPITAL:
        return (plan.Capital(max(view.held(_me(view)), key=lambda code: view.armies[code])),)
    if view.phase is Phase.FILL:
        fill = plan.Fill(tuple(_fill(view)))
        return (fill, _place_neutral(view)) if view.reserve.get(NEUTRAL) else (fill,)
    by_size = sorted(view.board.continents.values(), key=lambda c: len(c.territories))
    # Seats that all ran for the same corner would only split it. Who takes which goes by the die
    # roll: by the letters the same seats would have the better corner in every game.
    first = view.first or _me(view)
    start = (view.seats.index(_me(view)) - view.seats.index(first)) % len(view.seats)
    wanted = (by_size + by_size)[start : start + 2]
    return (plan.Claim((*(c.id for c in wanted), plan.Wish.NEAREST)),)


def _fill(view: View) -> Iterator[plan.Spot]:
    fronts = sorted(_fronts(view), key=lambda code: -_pull(view, code))[:4]
    left = view.reserve.get(_me(view), 0)
    for place, code in enumerate(fronts):
        share = left // (len(fronts) - place)
        left -= share
        if share:
            yield plan.Spot(code, share)


def _place_neutral(view: View) -> plan.PlaceNeutral:
    """Half of the neutral army, for both seats place it: where it stands before the opponent."""
    me = _me(view)

    def bars(code: Code) -> int:
        near = [view.owner[n] for n in view.board.neighbours[code]]
        return sum(owner not in (me, NEUTRAL) for owner in near) - near.count(me)

    spot = max(view.held(NEUTRAL), key=bars)
    return plan.PlaceNeutral((plan.Spot(spot, view.reserve[NEUTRAL] // 2),))


def _gather(view: View) -> tuple[plan.Order, ...]:
    """Trade what can be traded, then stand all new armies where they can do the most."""
    place = plan.Place(tuple(_spots(view)))
    if view.phase is Phase.TRADE and next(sets_in(view.hand, view.board, view.ruleset), None):
        return plan.Trade(plan.Trading.AUTO), place
    return (place,)


def _spots(view: View) -> Iterator[plan.Spot]:
    """One army for each territory that lacks one for the mission, the rest to the best front."""
    thin = aim.thin(view)[: max(view.to_place - 1, 0)]
    yield from (plan.Spot(code, 1) for code in thin)
    yield plan.Spot(best_front(view), plan.Amount.REST)


def best_front(view: View) -> Code:
    """The own territory where new armies can do the most."""
    fronts = list(_fronts(view)) or list(view.held(_me(view)))
    return max(fronts, key=lambda code: _pull(view, code))


def best_target(view: View, source: Code) -> Code | None:
    """What an attack from there would best take, None if nothing lies next to it."""
    mine = view.armies[source] + view.to_place
    return max(
        view.enemies(source),
        key=lambda code: _chance(mine, view.armies[code]) * _worth(view, code),
        default=None,
    )


def _fronts(view: View) -> Iterator[Code]:
    return (code for code in view.held(_me(view)) if any(True for _ in view.enemies(code)))


def _pull(view: View, code: Code) -> float:
    """How much new armies are worth on an own territory: what they could take from there."""
    mine = view.armies[code] + max(view.to_place, 3)
    best = max(
        (
            _chance(mine, view.armies[target]) * _worth(view, target)
            for target in view.enemies(code)
        ),
        default=0.0,
    )
    threat = sum(view.armies[n] for n in view.enemies(code))
    # Where two fronts promise the same, the one in more danger takes the armies.
    return best + aim.guard(view, code) + threat / 1000


def _chance(mine: int, theirs: int) -> float:
    return odds.capture(mine, theirs, odds.ALL_IN).capture


def _worth(view: View, target: Code) -> float:
    """What a territory brings: the goal, its continent, a rival's bonus broken, its cards."""
    board, me, owner = view.board, _me(view), view.owner[target]
    continent = board.continents[board.territories[target].continent]
    value = 1.0 + aim.pull(view, target) + continent.bonus * _share(view, continent, me) ** 2
    if owner != NEUTRAL and view.holds(owner, continent.id):
        value += continent.bonus
    left = len(view.held(owner))
    if left <= 3 and owner != NEUTRAL:
        value += (2 + view.hand_sizes.get(owner, 0)) * (4 - left) / 2
    return value


def _share(view: View, continent: Continent, seat: Seat) -> float:
    held = sum(view.owner[code] == seat for code in continent.territories)
    return (held + 1) / len(continent.territories)


def _strikes(view: View) -> Iterator[Strike]:
    for source in _fronts(view):
        mine = view.armies[source]
        if mine < 2:
            continue
        for target in view.enemies(source):
            chance = _chance(mine, view.armies[target])
            yield Strike(source, target, chance, chance * _worth(view, target))


def _best_strike(view: View) -> Strike | None:
    floor = GOING_ON if view.captured else FIRST_CAPTURE
    wanted = [s for s in _strikes(view) if s.chance >= floor]
    return max(wanted, key=lambda s: s.worth, default=None)


def _attack(view: View, strike: Strike) -> plan.Attack:
    """All in; who moves in depends on where the next enemy stands."""
    behind = [n for n in view.enemies(strike.source) if n != strike.target]
    ahead = [
        n
        for n in view.board.neighbours[strike.target]
        if view.owner[n] != _me(view) and n != strike.target
    ]
    stay = aim.stays(view, strike.source) or _armies(view, behind) > 2 * _armies(view, ahead)
    return plan.Attack(
        (strike.source, strike.target),
        odds.ALL_IN,
        move=plan.Amount.LEAST if stay else plan.Amount.ALL,
    )


def _armies(view: View, codes: Iterable[Code]) -> int:
    return sum(view.armies[code] for code in codes)


def best_move(view: View) -> plan.Fortify | None:
    """The largest idle stack goes one step towards the nearest front."""
    if view.ruleset.fortify == "none":
        return None
    me = _me(view)
    away = view.board.distances(_fronts(view))
    idle = [c for c in view.held(me) if view.armies[c] > 1 and away.get(c, 0) > 0]
    if not idle:
        return None
    source = max(idle, key=lambda c: view.armies[c])
    steps = [n for n in view.board.neighbours[source] if view.owner[n] == me]
    nearer = [n for n in steps if away[n] < away[source]]
    if not nearer:
        return None
    target = min(nearer, key=lambda n: (away[n], -_pull(view, n)))
    return plan.Fortify(source, target, view.armies[source] - 1)
