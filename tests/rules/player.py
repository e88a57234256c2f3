"""A seat that plays anything that is legal, with a leaning to end its games; and seeded chance."""

import random
from collections.abc import Iterator

from pbem.rules.action import (
    Action,
    Attack,
    ChooseCapital,
    Claim,
    CloseGame,
    EndTurn,
    Fill,
    Forsake,
    Fortify,
    Occupy,
    Place,
    RenewDice,
    SetHand,
    SetRule,
    SetTerritory,
    TakeBack,
    Trade,
)
from pbem.rules.adjudicate import refuse
from pbem.rules.card import sets_in
from pbem.rules.claim import acting
from pbem.rules.dice import Faces
from pbem.rules.fortify import reachable
from pbem.rules.position import Phase
from pbem.rules.state import State
from pbem.rules.trade import bonus_choices

DICE = (1, 2, 3)


class SeededChance:
    """Chance from a seed: the same arguments always give the same answer."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def roll(self, number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        """So many faces for each side."""
        source = random.Random(f"{self._seed}/{number}")
        faces = tuple(source.randint(1, 6) for _ in range(attacker + defender))
        return faces[:attacker], faces[attacker:]

    def order(self, label: str, count: int) -> tuple[int, ...]:
        """A shuffle."""
        places = list(range(count))
        random.Random(f"{self._seed}/{label}").shuffle(places)
        return tuple(places)


def legal_actions(state: State) -> list[Action]:
    """Everything that may be done now; numbers of armies only at their ends and in between."""
    return [action for action in _thinkable(state) if refuse(state, action) is None]


def _thinkable(state: State) -> Iterator[Action]:
    codes = state.board.codes
    if state.phase in (Phase.CLAIM, Phase.FILL):
        yield from (Claim(code) for code in codes)
        yield from (Fill(code) for code in codes)
        return
    if state.phase is Phase.CAPITAL:
        yield from (ChooseCapital(code) for code in codes)
        return
    if state.occupation is not None:
        least, most = state.occupation.least, state.occupation.most
        yield from (Occupy(n) for n in sorted({least, (least + most) // 2, most}))
    for places in sets_in(state.hand, state.board, state.ruleset):
        bonuses = bonus_choices(state, [state.hand[place] for place in places])
        yield from (Trade(places, bonus) for bonus in (None, *bonuses))
    yield EndTurn()
    yield TakeBack()
    for code in state.held(acting(state)):
        armies = state.armies[code]
        yield from (Place(code, n) for n in sorted({1, state.to_place}))
        if armies > 1 and not state.to_place:
            yield from (Attack(code, near, d) for near in state.enemies(code) for d in DICE)
            moves = sorted({1, armies // 2, armies - 1})
            yield from (Fortify(code, to, n) for to in reachable(state, code) for n in moves)


def choose(state: State, rng: random.Random) -> Action:
    """A legal action, of every kind sooner or later; mostly one that brings the end nearer."""
    if rng.random() < 0.03:
        actions = legal_actions(state)
        going_on = [action for action in actions if not isinstance(action, Fortify | EndTurn)]
        return rng.choice(going_on or actions)
    ranked = sorted(_thinkable(state), key=lambda a: (_worth(state, a), rng.random()), reverse=True)
    return next(action for action in ranked if refuse(state, action) is None)


def _worth(state: State, action: Action) -> int:
    """Trade, place all before the largest stack, attack from it, move in, move up, end."""
    match action:
        case (
            Claim()
            | Fill()
            | ChooseCapital()
            | Forsake()
            | CloseGame()
            | SetTerritory()
            | SetHand()
            | SetRule()
            | RenewDice()
        ):
            return 0
        case Trade():
            return 3000
        case Occupy(armies=armies):
            return armies
        case Place(territory=code, armies=armies):
            return armies * state.armies[code] * (state.threat(code) > 0)
        case Attack(source=source, target=target, dice=dice):
            ahead = state.armies[source] - state.armies[target]
            return 10 * ahead + dice if ahead > 1 else -1
        case Fortify(source=source, target=target, armies=armies):
            up = state.threat(target) and not state.threat(source)
            return armies if up else -1
        case EndTurn():
            return 0
        case TakeBack():
            return -2
