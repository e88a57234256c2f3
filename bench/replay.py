"""How many player actions a second the rules play, replaying a game whose chance is known.

The game is played once by a plain plan, to find its actions and throws; only the replay is timed.
"""

import random
from dataclasses import dataclass

from bench.figure import Figure
from bench.scale import Scale
from bench.yardstick import fastest
from pbem.rules.action import Action, Attack, EndTurn, Fortify, Occupy, Place
from pbem.rules.adjudicate import Played, play
from pbem.rules.board import Code
from pbem.rules.claim import acting
from pbem.rules.dice import Faces
from pbem.rules.fortify import reachable
from pbem.rules.position import Phase
from pbem.rules.ruleset import ruleset
from pbem.rules.setup import draft, new_game, open_setup
from pbem.rules.state import State
from pbem.rules.trade import automatic_set


class Remembered:
    """Throws from a seed, remembered: asked again, it answers at once and the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._rolls: dict[int, tuple[Faces, Faces]] = {}
        self._orders: dict[str, tuple[int, ...]] = {}

    def roll(self, number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        """The faces of that roll."""
        if number not in self._rolls:
            faces = tuple(self._random.randint(1, 6) for _ in range(attacker + defender))
            self._rolls[number] = faces[:attacker], faces[attacker:]
        return self._rolls[number]

    def order(self, label: str, count: int) -> tuple[int, ...]:
        """The shuffle of that label."""
        if label not in self._orders:
            self._orders[label] = tuple(self._random.sample(range(count), count))
        return self._orders[label]


@dataclass(frozen=True, slots=True)
class Game:
    """A start and what was played from there on."""

    start: State
    actions: tuple[Action, ...]
    chance: Remembered


def a_game(seed: int, *, length: int = 20_000, seats: int = 4) -> Game:
    """So many actions of one game, or all if somebody wins before."""
    rng, chance = random.Random(seed), Remembered(seed)
    opened = open_setup(new_game(ruleset("classic-1993"), seats), chance).state
    start = state = draft(opened, {}, chance).state
    actions: list[Action] = []
    while state.phase is not Phase.OVER and len(actions) < length:
        actions.append(_next(state, rng))
        state = _played(state, actions[-1], chance)
    return Game(start, tuple(actions), chance)


def _played(state: State, action: Action, chance: Remembered) -> State:
    played = play(state, action, chance)
    assert isinstance(played, Played), (action, played)
    return played.state


def _next(state: State, rng: random.Random) -> Action:
    """Any set, any border, any attack with three dice, now and then a fortify: much of all."""
    if state.occupation is not None:
        return Occupy(rng.randint(state.occupation.least, state.occupation.most))
    traded = automatic_set(state, state.hand) if state.phase is Phase.TRADE else None
    if traded is not None:
        return traded
    own = state.held(acting(state))
    if state.to_place:
        return Place(rng.choice(own), rng.randint(1, state.to_place))
    strong = [code for code in own if state.armies[code] > 3]
    attacks = [(code, near) for code in strong for near in state.enemies(code)]
    if attacks and rng.random() < 0.9:
        return Attack(*rng.choice(attacks), dice=3)
    return _close(state, strong, rng)


def _close(state: State, strong: list[Code], rng: random.Random) -> Action:
    moves = [(code, to) for code in strong for to in reachable(state, code)]
    return Fortify(*rng.choice(moves), armies=2) if moves else EndTurn()


def replay(game: Game) -> State:
    """Plays the game again from its start."""
    state = game.start
    for action in game.actions:
        state = _played(state, action, game.chance)
    return state


def measure(scale: Scale) -> list[Figure]:
    """Player actions a second of a replay."""
    game = a_game(1, length=scale.actions)
    count = len(game.actions)
    took = fastest(lambda: replay(game), scale.repeats)
    return [
        Figure("rules, replaying a record", 1000 * count / took.wall, "actions/s", at_least=60_000),
        Figure("  by work in the process", 1000 * count / max(took.work, 0.001), "actions/s"),
    ]
