"""A rule that the game master changes counts from the next turn on, if a turn reads it anew."""

from dataclasses import replace

import pytest

from pbem.rules.action import EndTurn, SetRule
from pbem.rules.adjudicate import Played, play
from pbem.rules.event import RuleSet
from pbem.rules.notation import checksum, state_from_json, state_to_json
from pbem.rules.overrule import CHANGEABLE
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.ruleset import OPTIONS
from pbem.rules.state import State
from pbem.rules.view import view
from tests.rules.rewound_game import Rewound


def in_a_turn() -> State:
    game = Rewound(1)
    assert game.state.turn == 1
    return replace(game.state, phase=Phase.ATTACK, to_place=0)


def act(state: State, action: SetRule | EndTurn) -> State:
    played = play(state, action, Rewound(1)._chance(9))
    assert isinstance(played, Played), played
    return played.state


def test_it_counts_from_the_next_turn_on() -> None:
    begun = in_a_turn()
    told = act(begun, SetRule("fortify", "chain"))
    assert (told.ruleset, told.coming) == (begun.ruleset, {"fortify": "chain"})
    after = act(told, EndTurn())
    assert (after.turn, after.ruleset.fortify, after.coming) == (2, "chain", {})
    assert after.first_ruleset == begun.ruleset
    assert after.ruleset.changes() == {"fortify": "chain"}


def test_it_can_be_taken_back_before_it_counts() -> None:
    begun = in_a_turn()
    back = act(act(begun, SetRule("fortify", "chain")), SetRule("fortify", "adjacent"))
    assert back == begun


def test_the_first_rules_are_known_after_many_changes() -> None:
    state = in_a_turn()
    for value in ("chain", "none", "adjacent", "chain"):
        state = replace(act(state, SetRule("fortify", value)), phase=Phase.ATTACK, to_place=0)
        state = replace(act(state, EndTurn()), phase=Phase.ATTACK, to_place=0)
    assert (state.ruleset.fortify, state.first_ruleset.fortify) == ("chain", "adjacent")


@pytest.mark.parametrize("name", OPTIONS)
def test_only_what_a_turn_reads_anew_can_change(name: str) -> None:
    state = in_a_turn()
    other = next(value for value in OPTIONS[name] if value != getattr(state.ruleset, name))
    played = play(state, SetRule(name, other), Rewound(1)._chance(9))
    if name in CHANGEABLE:
        assert isinstance(played, Played)
        assert played.events == (RuleSet(name, other),)
    else:
        assert isinstance(played, Refusal)
        assert played.reason is Reason.OVERRULE


def test_what_waits_is_public_and_kept() -> None:
    begun = in_a_turn()
    told = act(begun, SetRule("wild", "pair-only"))
    assert view(told, None).coming == {"wild": "pair-only"}
    assert checksum(told) != checksum(begun)
    later = act(told, EndTurn())
    for state in (told, later):
        assert state_from_json(state_to_json(state)) == state


def test_states_of_before_are_read() -> None:
    old = state_to_json(in_a_turn())
    del old["began_with"]
    assert state_from_json(old) == in_a_turn()
