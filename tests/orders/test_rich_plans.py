"""The law of one mail and many, for plans of every kind of line; what they were made of is counted.

A plan is made from values, printed with every default written out, and played twice on the same
dice: as one mail, and line by line. Guards that ask for "the last attack" and pauses belong to one
mail alone, so they are in no plan here.
"""

import random
from collections import Counter

import pytest

from pbem.orders import check as checking
from pbem.orders import plan, run, write
from pbem.orders.lexicon import LANGUAGES
from pbem.orders.plan import (
    Amount,
    Attack,
    Flow,
    Fortify,
    Guard,
    Order,
    Otherwise,
    Place,
    Plan,
    Sentence,
    Spot,
    Trade,
    Trading,
)
from pbem.rules.board import Code
from pbem.rules.dice import LoadedDice
from pbem.rules.odds import Limits
from pbem.rules.position import Phase
from pbem.rules.state import State
from pbem.rules.view import view
from tests.orders.desk import WORLD, read
from tests.rules.table import A, drawn

PLANS = 250
WAR = "A SIA 9, IDO 4, JPN 7, EGY 6, NAF 3; B IDA 2, CHN 2, AFG 1, KCH 3, MEA 1, WEU 2; C rest 2"
STATES = (
    drawn(WAR, phase=Phase.PLACE, to_place=4),
    drawn(WAR, phase=Phase.TRADE, to_place=3, hands={A: "EGY PRU WILD"}),
    drawn(WAR, phase=Phase.TRADE, to_place=3, hands={A: "EGY PRU GRL BRA WILD"}),
    drawn(WAR),
)


def sentences(state: State, rng: random.Random) -> list[Sentence]:
    """A turn of the seat A: a trade, placements, attacks under guards, a fortify, an end."""
    orders: list[Sentence] = []
    own = [code for code in WORLD.codes if state.owner.get(code) == A]
    if state.phase is Phase.TRADE and rng.random() < 0.8:
        sets: list[tuple[plan.CardName, ...] | Trading] = [Trading.AUTO, (1, 2, 3), (1, 2, 5)]
        cards = rng.choice(sets)
        bonus = Code("EGY") if rng.random() < 0.3 else None
        orders.append(Sentence((Trade(cards, bonus),)))
    if state.phase is not Phase.ATTACK:
        first = Spot(rng.choice(own), 1)
        orders.append(Sentence((Place((first, Spot(rng.choice(own), Amount.REST))),)))
    held = list(own)
    for _ in range(rng.randint(1, 4)):
        attack = _attack(held, state, rng)
        held += attack.targets
        guarded = _guard(held, rng) if rng.random() < 0.4 else None
        orders.append(Sentence((attack,), guarded))
    if rng.random() < 0.4:
        # A number that the dice made too large is brought down in a plan, and asked about alone.
        but = rng.choice((1, 2, 3))
        orders.append(Sentence((Fortify(Code("SIA"), Code("IDO"), None, but),)))
    if rng.random() < 0.5:
        orders.append(Sentence((Flow.END,)))
    return orders


def _attack(held: list[Code], state: State, rng: random.Random) -> Attack:
    path = [rng.choice(held)]
    for _ in range(rng.choice((1, 1, 2, 3))):
        ways = [c for c in WORLD.neighbours[path[-1]] if state.owner.get(c) != A and c not in path]
        path += [rng.choice(ways)] if ways else []
    if len(path) < 2:
        path = [Code("SIA"), Code("IDA")]
    limits = rng.choice(
        [
            Limits(),
            Limits(all_in=True),
            Limits(keep=rng.randint(1, 4)),
            Limits(lose=rng.randint(1, 4)),
            Limits(rolls=rng.randint(1, 3)),
            Limits(stake=rng.randint(2, 6)),
            Limits(exact_dice=rng.randint(1, 3)),
            Limits(keep=2, lose=3, rolls=3),
        ]
    )
    move, leave = rng.choice([(None, None), (rng.randint(1, 6), None), (Amount.ALL, None)])
    leave = rng.randint(1, 3) if move is None and rng.random() < 0.5 else leave
    return Attack(
        tuple(path),
        limits,
        captured=limits.all_in and rng.random() < 0.5,
        odds=rng.choice([None, None, 60]),
        until=rng.choice([None, None, None, (path[0], 3)]),
        move=move,
        leave=leave,
        otherwise=rng.choice([None, None, Otherwise.GO_ON]),
    )


def _guard(held: list[Code], rng: random.Random) -> Guard:
    code, negated = rng.choice(held), rng.random() < 0.3
    conditions: list[plan.Condition] = [
        plan.Hold(code, negated),
        plan.Captured(code, negated),
        plan.Armies(code, rng.randint(2, 6), rng.random() < 0.5),
        plan.Chance(rng.choice((40, 70)), rng.random() < 0.3),
        plan.NoCard(),
        plan.Hold(rng.choice(list(WORLD.continents)), negated),
    ]
    return Guard(tuple(rng.sample(conditions, rng.choice((1, 1, 2)))), unless=rng.random() < 0.2)


def features(orders: list[Sentence]) -> Counter[str]:
    """What a plan is made of."""
    found: Counter[str] = Counter()
    for said in orders:
        if isinstance(said.guard, Guard):
            found["unless" if said.guard.unless else "if"] += 1
            found.update(type(condition).__name__ for condition in said.guard.conditions)
        found.update(name for order in said.orders for name in _named(order))
    return found


def _named(order: Order) -> list[str]:
    names = [order.value if isinstance(order, Flow) else type(order).__name__]
    if isinstance(order, Attack):
        limits = order.limits
        names += ["chain"] * (len(order.targets) > 1) + ["all_in"] * limits.all_in
        parts: dict[str, object] = {"odds": order.odds, "until": order.until, "move": order.move}
        parts |= {"leave": order.leave, "otherwise": order.otherwise, "keep": limits.keep}
        parts |= {"lose": limits.lose, "rolls": limits.rolls, "stake": limits.stake}
        parts |= {"dice": limits.exact_dice}
        names += [name for name, value in parts.items() if value is not None]
    return names


def spoken(said: Plan) -> list[tuple[Sentence, ...]]:
    return [line.sentences for line in said.lines]


KNOWN = {"E07", "E18"}
"""What is a mistake once the board is known, and was brought right while the dice rolled: a link
of a chain that an earlier line captured, a move-in that is more than there is by then."""


def by_lines(
    lines: list[str], state: State, dice: list[int], language: str
) -> tuple[State, set[str]]:
    """Every line as a mail of its own, and why some could not be."""
    chance, refused = LoadedDice(dice), set[str]()
    for text in lines:
        alone = checking.check(read(text, language), view(state, A))
        if alone.plan is not None and state.on_turn == A:
            state = run.run(alone.plan, state, chance).state
        refused |= {mistake.code for mistake in alone.mistakes}
    return state, refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_mail_is_many_mails_on_the_same_dice(language: str) -> None:
    rng, counted, played, captured = random.Random(f"rich/{language}"), Counter[str](), 0, 0
    for _ in range(PLANS):
        state = rng.choice(STATES)
        orders = sentences(state, rng)
        mail = "\n".join(write.sentence(said, language, WORLD) for said in orders)
        checked = checking.check(read(mail, language), view(state, A))
        if checked.plan is None:
            continue
        lines = [write.line(line, language, WORLD) for line in checked.plan.lines]
        again = checking.check(read("\n".join(lines), language), view(state, A))
        assert again.plan is not None
        assert spoken(again.plan) == spoken(checked.plan)
        dice = [rng.choice((1, 2, 3, 4, 5, 6, 6)) for _ in range(400)]
        whole = run.run(checked.plan, state, LoadedDice(dice)).state
        single, refused = by_lines(lines, state, dice, language)
        if refused & KNOWN:
            continue
        assert single == whole, mail
        played += 1
        captured += whole.captured or whole.turn > state.turn
        counted += features(orders)
    assert played > PLANS / 2
    assert captured > played / 4
    wanted = (
        "if unless Hold Captured Armies Chance NoCard Trade Place Attack Fortify end chain all_in"
    )
    limits = "odds until move leave otherwise keep lose rolls stake dice"
    assert not [name for name in f"{wanted} {limits}".split() if counted[name] < 3], counted
