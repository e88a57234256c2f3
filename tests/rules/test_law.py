"""Laws that no sequence of legal actions breaks, in any ruleset, on any board.

    PBEM_LONG_LAW=yes pytest tests/rules/test_law.py -k AnyLegalPlay

plays games of thousands of actions, for half an hour.

Every territory keeps an army; armies, cards and seats are neither made nor lost; the phases agree
with what is pending; the winner is declared at once and only then; the views hide.
"""

import os
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pbem.rules import board as boards
from pbem.rules.action import (
    Action,
    Attack,
    ChooseCapital,
    Claim,
    EndTurn,
    Fill,
    Fortify,
    Occupy,
    Place,
    TakeBack,
    Trade,
)
from pbem.rules.adjudicate import play
from pbem.rules.board import CLASSIC, BoardId, Code
from pbem.rules.card import WILD, Card, full_deck, has_set
from pbem.rules.event import (
    CardDrawn,
    Claimed,
    Dealt,
    Eliminated,
    Event,
    MissionDealt,
    Placed,
    Rolled,
    Traded,
    TurnStarted,
    Won,
)
from pbem.rules.position import SETUP, TURN, Phase
from pbem.rules.refusal import Refusal
from pbem.rules.ruleset import NEEDS, OPTIONS, Ruleset, RulesetError, ruleset
from pbem.rules.seat import LETTERS, NEUTRAL, Seat
from pbem.rules.setup import new_game, open_setup
from pbem.rules.state import Played, State
from pbem.rules.trade import automatic_set, must_trade, trades_at_once
from pbem.rules.view import view, visible
from tests.rules.player import SeededChance, choose, legal_actions
from tests.rules.small_boards import BOARDS
from tests.rules.table import WORLD


def sensible(options: Mapping[str, str]) -> dict[str, str]:
    """Without the options that mean nothing beside the others."""

    def means_nothing(name: str) -> bool:
        needed, value = NEEDS.get(name, (name, options[name]))
        return options[needed] != value

    return {name: value for name, value in options.items() if not means_nothing(name)}


RULESETS = st.fixed_dictionaries({name: st.sampled_from(OPTIONS[name]) for name in OPTIONS}).map(
    lambda options: ruleset("classic-1993", sensible(options))
)
SEEDS = st.integers(min_value=0, max_value=2**32)

# Mostly nonsense: unknown places in the hand, numbers out of range, any two territories.
CODES = st.sampled_from((*WORLD.codes, *(Code(f"TE{letter}") for letter in "ABCDEFGH")))
NUMBERS = st.integers(min_value=-1, max_value=50)
PLACES = st.tuples(*[st.integers(min_value=-1, max_value=9)] * 3)
ANYTHING: st.SearchStrategy[Action] = st.one_of(
    st.builds(Claim, CODES),
    st.builds(Fill, CODES),
    st.builds(ChooseCapital, CODES),
    st.builds(Trade, PLACES, st.none() | CODES),
    st.builds(Place, CODES, NUMBERS),
    st.builds(Attack, CODES, CODES, NUMBERS, st.none() | NUMBERS),
    st.builds(Occupy, NUMBERS),
    st.builds(Fortify, CODES, CODES, NUMBERS),
    st.builds(TakeBack),
    st.builds(EndTurn),
)


def all_armies(state: State) -> int:
    """Armies on the board, at hand and in reserve."""
    return sum(state.armies.values()) + state.to_place + sum(state.reserve.values())


def gained(event: Event) -> int:
    """Armies that came into the game, or left it, by that event."""
    match event:
        case TurnStarted():
            return event.armies
        case Traded():
            return event.armies + (2 if event.bonus else 0)
        case Rolled():
            return -event.attacker_lost - event.defender_lost
        case _:
            return 0


def check_territories(state: State) -> None:
    """No territory without an owner and an army, and none with a stranger's."""
    assert state.owner.keys() == state.armies.keys()
    assert all(armies >= 1 for armies in state.armies.values())
    assert set(state.owner.values()) <= {*state.standing, NEUTRAL}
    if state.phase not in (Phase.INVITED, Phase.CLAIM):
        assert state.owner.keys() == set(state.board.codes)


def check_cards(state: State) -> None:
    """All cards of the board are in hands, pile and discards; an eliminated seat holds none.

    Those of the capitals are out of the game.
    """
    everywhere = [card for hand in state.hands.values() for card in hand]
    everywhere += [*state.deck, *state.discards, *map(Card, state.capitals.values())]
    assert Counter(everywhere) == Counter(full_deck(state.board))
    assert not any(state.hands[seat] for seat in state.eliminated)


def check_seats(state: State) -> None:
    """Out is who has no territory, once the setup is done; the seat on turn stands."""
    assert state.hands.keys() == set(state.seats)
    if state.phase in TURN:
        assert set(state.standing) == set(state.owner.values()) - {NEUTRAL}
        assert state.on_turn in state.standing


def check_phase(state: State) -> None:
    """The phase agrees with what is pending."""
    if state.phase in TURN:
        assert not any(state.reserve.values())
        assert state.phase is not Phase.PLACE or state.to_place
        assert state.to_place == 0 or state.phase in (Phase.TRADE, Phase.PLACE)
        assert state.occupation is None or state.phase is Phase.ATTACK
        assert not must_trade(state, state.hand) or automatic_set(state, state.hand)
        assert (state.ruleset.goal == "capitals") == (state.capitals.keys() == set(state.seats))
    elif state.phase in SETUP:
        assert any(state.reserve.values()) == (state.phase is not Phase.CAPITAL)
        assert not state.capitals
    waiting = state.occupation
    if waiting is not None:
        assert state.armies[waiting.target] == waiting.least < waiting.most
        assert state.armies[waiting.source] + waiting.least == waiting.most + 1


def check_winner(state: State) -> None:
    """Somebody has won if and only if a seat has reached its goal, and then it is over."""
    reached = {seat for seat in state.seats if _has_won(state, seat)}
    assert (state.winner is not None) == bool(reached) == (state.phase is Phase.OVER)
    assert state.winner is None or state.winner in reached


def _has_won(state: State, seat: Seat) -> bool:
    if state.phase not in TURN and state.phase is not Phase.OVER:
        return False
    others = set(state.owner.values()) - {seat}
    if len(state.seats) == 2 and state.ruleset.two_player != "plain":
        others.discard(NEUTRAL)
    alone = seat in state.owner.values() and not others
    return alone or _mission_is_done(state, seat) or _holds_the_capitals(state, seat)


def _holds_the_capitals(state: State, seat: Seat) -> bool:
    held = [of for of, code in state.capitals.items() if state.owner[code] == seat]
    wanted = len(state.seats) - 1
    if state.ruleset.capital_target == "short":
        wanted = {3: 2, 4: 2, 5: 3}[len(state.seats)]
    return seat in held and len(held) > wanted


def _mission_is_done(state: State, seat: Seat) -> bool:
    """As the rules tell it, told a second time."""
    mission, held = state.missions.get(seat, ""), state.held(seat)
    if mission == "occupy-24":
        rounds = 1 if state.ruleset.mission_deck == "dutch13" else 0
        return len(held) >= 24 and state.held_since.get(seat, 0) >= rounds
    if mission == "occupy-18x2":
        return sum(state.armies[code] > 1 for code in held) >= 18
    if mission.startswith("destroy-"):
        return LETTERS[int(mission[-1]) - 1] in state.eliminated
    whole = [c.id for c in state.board.continents.values() if {*c.territories} <= {*held}]
    named = [continent for continent in whole if continent in mission]
    # "north-america" is no part of another's name; "any" asks for one more.
    return bool(mission) and len(named) == 2 and (len(whole) > 2 or "any" not in mission)


def check_missions(state: State) -> None:
    """Each seat that stands has one of its own, and none has to destroy itself."""
    if state.ruleset.goal != "missions":
        assert not state.missions
        return
    assert state.missions.keys() == set(state.standing)
    for seat, mission in state.missions.items():
        assert mission != f"destroy-{LETTERS.index(seat) + 1}"


def _retold(event: Event, reader: Seat | None) -> Event:
    """The same event with another face wherever the reader may see none."""
    match event:
        case MissionDealt(seat=seat) if seat != reader:
            return replace(event, mission="occupy-18x2")
        case CardDrawn(seat=seat) if seat != reader:
            return replace(event, card=WILD)
        case Traded(seat=seat) if seat != reader:
            return replace(event, cards=(WILD, WILD, event.cards[0]))
        case Eliminated(by=by) if by != reader:
            return replace(event, cards=(WILD,) * len(event.cards))
        case _:
            return event


def check_views(state: State, rng: random.Random) -> None:
    """A seat sees the same whatever the cards are that it may not know."""
    for reader in (*state.seats, None):
        other = _dealt_anew(state, reader, rng)
        assert view(other, reader) == view(state, reader)


def _dealt_anew(state: State, reader: Seat | None, rng: random.Random) -> State:
    """The state with all cards that the reader does not hold exchanged among their places."""
    unseen = [*state.deck, *state.discards]
    unseen += [card for seat in state.seats if seat != reader for card in state.hands[seat]]
    rng.shuffle(unseen)
    hands = {
        seat: hand if seat == reader else tuple(unseen.pop() for _ in hand)
        for seat, hand in state.hands.items()
    }
    deck = tuple(unseen.pop() for _ in state.deck)
    missions = {
        seat: mission if seat == reader else rng.choice(["occupy-24", "asia-africa"])
        for seat, mission in state.missions.items()
    }
    chosen = {
        seat: code if seat == reader else rng.choice(state.held(seat))
        for seat, code in state.chosen.items()
    }
    other = replace(
        state,
        hands=hands,
        deck=deck,
        discards=tuple(unseen),
        missions=missions,
        held_since={},
        chosen=chosen,
    )
    return _without_a_set(other)


def _without_a_set(state: State) -> State:
    """The same state, with nothing to trade open where the new hand could not be traded."""
    if state.phase is Phase.TRADE and not has_set(state.hand, state.board, state.ruleset):
        phase = Phase.PLACE if state.to_place else Phase.ATTACK
        return replace(state, phase=phase, mid_turn=state.mid_turn and state.to_place > 0)
    if state.mid_turn and state.occupation and not trades_at_once(state, state.hand):
        return replace(state, mid_turn=False)
    return state


def check_state(state: State) -> None:
    """Every law about one state."""
    checks = (check_territories, check_cards, check_seats, check_phase)
    for check in (*checks, check_missions, check_winner):
        check(state)


def check_step(before: State, action: Action, played: Played) -> None:
    """Every law about one action and what came of it."""
    state, events = played
    assert all_armies(state) == all_armies(before) + sum(map(gained, events)), action
    assert sum(isinstance(event, Won) for event in events) == (state.winner is not None)
    assert not any(isinstance(event, Won) for event in events[:-1])
    rolls = [event.number for event in events if isinstance(event, Rolled)]
    assert rolls == list(range(before.next_roll, before.next_roll + len(rolls)))
    check_told(events, state.seats)


def check_told(events: tuple[Event, ...], seats: tuple[Seat, ...]) -> None:
    """Nobody hears of a card that is in another hand, nor of another's mission.

    Nor could anybody tell such events from others that differ in nothing else.
    """
    for reader in (*seats, None):
        told = visible(events, reader)
        assert visible([_retold(event, reader) for event in events], reader) == told
        for event in told:
            match event:
                case MissionDealt(seat=holder, mission=mission):
                    assert (mission is None) == (holder != reader)
                case CardDrawn(seat=holder, card=card):
                    assert card is None or holder == reader
                case Traded(seat=holder, cards=faces) | Eliminated(by=holder, cards=faces):
                    assert not faces or holder == reader
                case _:
                    pass


def a_table(rules: Ruleset, seats: int, board: BoardId = (CLASSIC, None)) -> State:
    """A new game for so many seats, or for three where the ruleset's goal is not for so many.

    Missions are of the classic world.
    """
    if rules.goal == "missions" and not boards.load(*board).is_classic:
        board = (CLASSIC, None)
    try:
        return new_game(rules, seats, board)
    except RulesetError:
        return new_game(rules, 3, board)


class Game(RuleBasedStateMachine):
    """Any legal play of any ruleset, step by step; hypothesis looks for the shortest bad one."""

    @initialize(rules=RULESETS, seats=st.integers(2, 6), board=BOARDS, seed=SEEDS)
    def open(self, rules: Ruleset, seats: int, board: BoardId, seed: int) -> None:
        """The setup is played from the seed, so that the steps are turns."""
        self.chance = SeededChance(seed)
        self.rng = random.Random(seed)
        self.state, events = open_setup(a_table(rules, seats, board), self.chance)
        check_told(events, self.state.seats)
        while self.state.phase in SETUP:
            self.do(choose(self.state, self.rng))
            check_views(self.state, self.rng)

    def teardown(self) -> None:
        """For the long run: how far the game went (`pytest -s`)."""
        if LONG and hasattr(self, "state"):
            state = self.state
            print(f"{len(state.seats)} seats, {state.board.id}, turn {state.turn}, {state.phase}")

    def do(self, action: Action) -> None:
        """Plays a legal action and looks at what came of it."""
        played = play(self.state, action, self.chance)
        assert isinstance(played, Played), (action, played)
        check_step(self.state, action, played)
        self.state = played.state

    @rule(data=st.data())
    @precondition(lambda self: self.state.phase is not Phase.OVER)
    def legal(self, data: st.DataObject) -> None:
        """Anything that is legal."""
        self.do(data.draw(st.sampled_from(legal_actions(self.state))))

    @rule(steps=st.integers(1, 40))
    def forward(self, steps: int) -> None:
        """Some steps of a player that wants to win, since chance alone rarely captures."""
        for _ in range(steps):
            if self.state.phase is not Phase.OVER:
                self.do(choose(self.state, self.rng))

    @rule(action=ANYTHING)
    def anything(self, action: Action) -> None:
        """What is refused changes nothing; what is not keeps the laws."""
        before = self.state
        copy = replace(before)
        played = play(before, action, self.chance)
        assert before == copy
        if isinstance(played, Refusal):
            assert played.reason
        else:
            check_step(before, action, played)
            self.state = played.state

    @invariant()
    def laws(self) -> None:
        """After each step."""
        check_state(self.state)
        check_views(self.state, self.rng)


LONG = "PBEM_LONG_LAW" in os.environ
Game.TestCase.settings = settings(
    max_examples=250 if LONG else 60,
    stateful_step_count=200 if LONG else 30,
    deadline=None,
    derandomize=not LONG,
)
TestAnyLegalPlay = Game.TestCase


@pytest.mark.parametrize(
    ("seed", "seats", "options"),
    [
        (2, 3, {}),
        (1, 4, {"setup": "deal", "fortify": "chain", "territory_bonus": "per-set"}),
        (6, 5, {"elimination_trade": "optional", "forced_trade_at": "none"}),
        (8, 6, {"trade_values": "capped-25", "occupation_min": "one", "wild": "pair-only"}),
        (3, 3, {"attack_dice": "max", "defence_dice": "max", "fortify": "none"}),
        (4, 6, {"goal": "missions", "mission_deck": "us12"}),
        (5, 5, {"goal": "missions", "mission_deck": "dutch13", "setup": "deal"}),
        (7, 6, {"goal": "missions", "mission_deck": "continental14"}),
        (9, 3, {"goal": "missions", "kill_credit": "becomes-24"}),
        (6, 4, {"goal": "capitals", "capital_target": "short"}),
        (2, 5, {"goal": "capitals", "setup": "deal"}),
        (2, 2, {}),
        (3, 2, {"two_player": "neutral-sequential", "elimination_trade": "optional"}),
        (4, 2, {"two_player": "plain", "setup": "deal"}),
    ],
)
def test_games_come_to_their_end_under_the_laws(
    seed: int, seats: int, options: Mapping[str, str]
) -> None:
    print(f"seed {seed}, {seats} seats, {options}")
    chance, rng = SeededChance(seed), random.Random(seed)
    state = open_setup(new_game(ruleset("classic-1993", options), seats), chance).state
    for _ in range(20_000):
        if state.phase is Phase.OVER:
            break
        action = choose(state, rng)
        played = play(state, action, chance)
        assert isinstance(played, Played), (action, played)
        check_step(state, action, played)
        check_state(played.state)
        state = played.state
    assert state.winner is not None
    assert state.standing == (state.winner,) or "goal" in options


@given(rules=RULESETS, seats=st.integers(2, 6), board=BOARDS, seed=SEEDS)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_board_and_reserve_equal_the_starting_armies_at_every_step_of_the_setup(
    rules: Ruleset, seats: int, board: BoardId, seed: int
) -> None:
    chance, rng = SeededChance(seed), random.Random(seed)
    new = a_table(rules, seats, board)
    each = new.reserve[new.seats[0]]
    state, events = open_setup(new, chance)
    while state.phase in SETUP:
        for army in state.reserve:
            on_board = sum(state.armies[code] for code in state.held(army))
            assert on_board + state.reserve[army] == each
        played = play(state, choose(state, rng), chance)
        assert isinstance(played, Played)
        state, happened = played
        events += happened
    shares = [len(state.held(army)) for army in state.reserve]
    assert max(shares) - min(shares) <= 1
    taken: list[Code] = []
    for event in events:
        if isinstance(event, Claimed):
            taken.append(event.territory)
        elif isinstance(event, Dealt):
            taken += event.territories
    assert sorted(taken) == sorted(state.board.codes)
    assert not any(isinstance(event, Placed | Won) for event in events)
