"""A game with rollbacks, played by a simple plan with proved dice."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.rules.action import Action, RenewDice, SetHand, SetRule, SetTerritory
from pbem.rules.adjudicate import play
from pbem.rules.event import Event, Overruled, RolledBack
from pbem.rules.fair import FairDice, link_secret
from pbem.rules.notation import checksum
from pbem.rules.overrule import CHANGEABLE
from pbem.rules.position import SETUP, Phase
from pbem.rules.record import Closed, Header
from pbem.rules.refusal import Refusal
from pbem.rules.ruleset import OPTIONS, ruleset
from pbem.rules.setup import draft, new_game, open_setup
from pbem.rules.state import State
from tests.rules.recorded_game import DECK_SEED, LAST_SECRET, LUCK, a_game, next_action


@dataclass
class Rewound:
    """The game on its way; `path` are the states that can be gone back to, with their events."""

    seed: int
    events: list[Event] = field(default_factory=list)
    closed: dict[int, Closed] = field(default_factory=dict)
    path: list[tuple[int, State]] = field(default_factory=list)
    branch: int = 0
    roll: int = 1
    links: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.state = new_game(ruleset("classic-1993", {}), 3)
        opened = open_setup(self.state, self._chance(1))
        self._took(opened.state, opened.events)
        self._draft()

    @property
    def header(self) -> Header:
        return a_game(1).header

    def _chance(self, link: int) -> FairDice:
        branch = self.links.setdefault(link, self.branch)
        return FairDice("g7", link, link_secret(LAST_SECRET, link), LUCK, DECK_SEED, branch)

    def _took(self, state: State, events: Sequence[Event]) -> None:
        before, self.state = self.state, state
        self.events += events
        self.links.setdefault(state.link, self.branch)
        over = state.phase is Phase.OVER
        if state.turn != before.turn and before.phase is not Phase.INVITED:
            self._close(before.link)
        if over:
            self._close(state.link)
        self.path.append((len(self.events), state))

    def _close(self, link: int) -> None:
        self.closed[link] = Closed(checksum(self.state), link_secret(LAST_SECRET, link))

    def _draft(self) -> None:
        while self.state.phase in SETUP:
            self._took(*draft(self.state, {}, self._chance(max(self.state.link, 1))))

    def act(self, action: Action) -> None:
        played = play(self.state, action, self._chance(self.state.link))
        assert not isinstance(played, Refusal), played
        self._took(*played)

    def go_on(self) -> None:
        """One action; now and then the game master sets something."""
        what = self.rng.random()
        if self.state.occupation is None and what < 0.05:
            self._set()
        else:
            self.act(next_action(self.state))

    def _set(self) -> None:
        self.events.append(Overruled("set", (), "dora", 'a "typo" \\ of ours'))
        codes = self.state.board.codes
        code = self.rng.choice(codes)
        self.act(SetTerritory(code, self.state.owner[code], self.rng.randint(1, 9)))
        seat = self.rng.choice(self.state.standing)
        cards = (*self.state.hands[seat][1:], *self.state.deck[:1], *self.state.discards[:1])
        self.act(SetHand(seat, cards))
        rule = self.rng.choice(sorted(CHANGEABLE))
        self.events.append(Overruled("option", (f"{rule}=",), "dora", "as agreed"))
        self.act(SetRule(rule, self.rng.choice(OPTIONS[rule])))

    def go_back(self) -> None:
        """To any place that counts, with other dice unless the turn is open."""
        place = self.rng.randrange(len(self.path) - 1)
        to, state = self.path[place]
        del self.path[place + 1 :]
        self.roll = max(self.roll, self.state.next_roll)
        self.branch += 1
        self.events.append(RolledBack(to, self.branch, "dora", "wrong map"))
        self.state = state
        self.path[-1] = (len(self.events), state)
        newest = max(self.links)
        # The next turn takes the link after this one, so it has to be the newest of all.
        if state.link < newest or newest in self.closed or self.rng.random() < 0.5:
            self.act(RenewDice(newest + 1, self.roll))
        self._draft()


def a_rewound_game(seed: int, steps: int) -> Rewound:
    """So many actions and rollbacks."""
    game = Rewound(seed)
    for _ in range(steps):
        if len(game.path) > 2 and (game.rng.random() < 0.06 or game.state.phase is Phase.OVER):
            game.go_back()
        elif game.state.phase is not Phase.OVER:
            game.go_on()
    return game
