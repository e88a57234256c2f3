"""The table of rules as a whole: seasons, refusals, and the same game from the same chance."""

import random
from typing import get_args

import pytest

from pbem.rules.action import (
    Action,
    Attack,
    Claim,
    EndTurn,
    Fill,
    Fortify,
    Occupy,
    Place,
    Trade,
)
from pbem.rules.adjudicate import RULES, Played, play, refuse
from pbem.rules.board import Code
from pbem.rules.dice import LoadedDice
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.ruleset import ruleset
from pbem.rules.setup import draft, new_game, open_setup
from tests.rules.player import SeededChance, choose
from tests.rules.table import A, drawn, reason

SIA, IDA = Code("SIA"), Code("IDA")
IN_SETUP = (Claim(SIA), Fill(SIA))
IN_TURN = (
    *(Trade((0, 1, 2)), Place(SIA, 1), Attack(SIA, IDA, 1), Occupy(1)),
    *(Fortify(SIA, IDA, 1), EndTurn()),
)


def test_every_action_has_its_rule() -> None:
    assert set(RULES) == set(get_args(Action))


@pytest.mark.parametrize("phase", [Phase.TRADE, Phase.PLACE, Phase.ATTACK, Phase.FORTIFY])
@pytest.mark.parametrize("action", IN_SETUP)
def test_the_setup_is_over_once_the_turns_began(phase: Phase, action: Action) -> None:
    assert reason(drawn("A SIA 3; B rest 1", phase=phase), action) is Reason.WRONG_PHASE


@pytest.mark.parametrize("phase", [Phase.INVITED, Phase.CLAIM, Phase.FILL, Phase.CAPITAL])
@pytest.mark.parametrize("action", IN_TURN)
def test_no_turn_is_played_in_the_setup(phase: Phase, action: Action) -> None:
    assert reason(drawn("A SIA 3; B rest 1", phase=phase), action) is Reason.WRONG_PHASE


@pytest.mark.parametrize("action", [*IN_SETUP, *IN_TURN])
def test_nothing_at_all_is_played_after_the_end(action: Action) -> None:
    over = drawn("A rest 3", phase=Phase.OVER, winner=A, to_place=3)
    assert reason(over, action) is Reason.GAME_OVER


def test_a_refusal_is_known_before_anything_is_rolled() -> None:
    start = drawn("A SIA 3; B rest 1")
    attack = Attack(SIA, IDA, 3)
    assert refuse(start, attack) == play(start, attack, LoadedDice([]))
    assert refuse(start, Attack(SIA, IDA, 1)) is None


def played(seed: int, length: int) -> list[Played]:
    """So many actions of a game from that seed."""
    chance, rng = SeededChance(seed), random.Random(seed)
    state = draft(open_setup(new_game(ruleset("classic-1993"), 4), chance).state, {}, chance).state
    game = []
    for _ in range(length):
        action = choose(state, rng)
        step = play(state, action, chance)
        assert not isinstance(step, Refusal), (seed, action, step)
        assert play(state, action, chance) == step
        game.append(step)
        state = step.state
    return game


def test_the_same_state_action_and_chance_give_the_same_for_ever() -> None:
    assert played(7, 150) == played(7, 150)


def test_a_turn_may_end_with_armies_in_hand_only_where_they_are_forfeit() -> None:
    start = drawn("A SIA 3; B rest 1", phase=Phase.PLACE, to_place=3)
    assert reason(start, EndTurn()) is Reason.ARMIES_LEFT
    ended = play(start, EndTurn(forfeit=True), LoadedDice([]))
    assert isinstance(ended, Played)
    assert (ended.state.turn, ended.state.armies[SIA]) == (2, 3)


def test_a_forced_trade_comes_before_armies_can_be_forfeit() -> None:
    start = drawn("A SIA 3; B rest 1", phase=Phase.TRADE, hands={A: "EGY PRU ALA BRA WILD"})
    assert reason(start, EndTurn(forfeit=True)) is Reason.MUST_TRADE
