"""Capitals: the secret choice, the reveal and the goal (rules.md, "Capitals")."""

import pytest

from pbem.rules import capitals
from pbem.rules.action import Attack, ChooseCapital, EndTurn
from pbem.rules.board import Code
from pbem.rules.event import CapitalsRevealed, Won
from pbem.rules.notation import line, position, state_from_json, state_to_json
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason
from pbem.rules.ruleset import RulesetError, ruleset
from pbem.rules.seat import LETTERS
from pbem.rules.setup import Wishes, draft, new_game
from pbem.rules.state import State
from pbem.rules.view import view
from tests.rules.table import A, B, C, D, Rolls, after, cards, drawn, kinds, reason

GOAL = {"goal": "capitals"}
SIA, IDA, ALA, BRA = (Code(code) for code in ("SIA", "IDA", "ALA", "BRA"))


def choosing() -> State:
    return drawn(
        "A SIA 2, BRA 5; B IDA 1, JPN 3; C ALA 1",
        phase=Phase.CAPITAL,
        on_turn=B,
        first=B,
        turn=0,
        link=1,
        deck="SIA EGY JPN ALA WILD",
        options=GOAL,
    )


def test_a_choice_stays_hidden_until_the_last_one() -> None:
    state, events = after(choosing(), ChooseCapital(IDA), ChooseCapital(ALA))
    assert (events, state.capitals, state.on_turn) == ((), {}, A)
    other = after(choosing(), ChooseCapital(Code("JPN")), ChooseCapital(ALA)).state
    for reader in (A, C, None):
        assert view(state, reader) == view(other, reader)


def test_all_are_revealed_together_and_their_cards_leave_the_game() -> None:
    wishes = {A: Wishes(capital=SIA), B: Wishes(capital=Code("JPN"))}
    state, events = draft(choosing(), wishes, Rolls(""))
    assert events[0] == CapitalsRevealed(((B, Code("JPN")), (C, ALA), (A, SIA)))
    assert state.capitals == {A: SIA, B: "JPN", C: ALA}
    assert state.deck == cards("EGY WILD")
    assert (kinds(events), state.turn, state.on_turn) == (
        ["capitals-revealed", "turn-started"],
        1,
        B,
    )


def test_without_a_wish_it_is_where_most_armies_stand() -> None:
    wishes = {A: Wishes(capital=IDA)}
    assert draft(choosing(), wishes, Rolls("")).state.capitals == {A: BRA, B: "JPN", C: ALA}


def test_only_an_own_territory_can_be_one() -> None:
    assert reason(choosing(), ChooseCapital(SIA)) is Reason.NOT_YOURS


def test_the_setup_stops_for_the_choice() -> None:
    start = drawn(
        "A SIA 1; B IDA 1; C rest 1",
        phase=Phase.FILL,
        reserve={A: 1, B: 0, C: 0},
        options=GOAL,
    )
    state = draft(start, {}, Rolls("")).state
    assert (state.phase, state.turn, state.to_place) == (Phase.CAPITAL, 1, 0)


@pytest.mark.parametrize(
    ("option", "seats", "wanted"),
    [("all", 3, 2), ("all", 5, 4), ("short", 3, 2), ("short", 4, 2), ("short", 5, 3)],
)
def test_how_many_capitals_of_others_win(option: str, seats: int, wanted: int) -> None:
    rules = ruleset("capital-2015", {"capital_target": option})
    assert capitals.target(rules, seats) == wanted


def test_short_is_not_for_six() -> None:
    rules = ruleset("classic-1993", {**GOAL, "capital_target": "short"})
    with pytest.raises(RulesetError, match="capital_target=short is for 3 to 5 players, not 6"):
        new_game(rules, 6)


OPEN = {A: BRA, B: IDA, C: ALA}


def test_the_last_capital_wins_at_once() -> None:
    state = drawn("A SIA 4, BRA 1, ALA 1; B IDA 1, JPN 1; C rest 1", options=GOAL, capitals=OPEN)
    won, events = after(state, Attack(SIA, IDA, 3), dice="654 1")
    assert (won.winner, events[-1]) == (A, Won(A, "capitals"))


def test_not_without_the_own_one() -> None:
    state = drawn("A SIA 4, ALA 1; B IDA 1, JPN 1; C rest 1", options=GOAL, capitals=OPEN)
    assert after(state, Attack(SIA, IDA, 3), dice="654 1").state.winner is None


def test_losing_the_own_one_is_no_elimination() -> None:
    state = drawn("A SIA 4; B IDA 1, JPN 1; C rest 1", options=GOAL, capitals=OPEN)
    assert after(state, Attack(SIA, IDA, 3), dice="654 1").state.eliminated == ()


def test_a_short_game_of_four_is_won_with_two() -> None:
    state = drawn(
        "A SIA 4, BRA 1, ALA 1; B IDA 1, JPN 1; C EGY 1; D rest 1",
        options={**GOAL, "capital_target": "short"},
        capitals={**OPEN, D: Code("PRU")},
    )
    assert after(state, Attack(SIA, IDA, 3), dice="654 1").state.winner == A


def test_capitals_and_choices_are_kept_in_the_notation() -> None:
    state = drawn("A SIA 4; B IDA 1; C rest 1", options=GOAL, capitals=OPEN)
    assert position(line(state)).capitals == OPEN
    assert "capitals=A:BRA,B:IDA,C:ALA" in line(state)
    chosen = after(choosing(), ChooseCapital(IDA)).state
    assert state_from_json(state_to_json(chosen)) == chosen
    assert "chosen" not in line(chosen)


def test_a_turn_that_ends_before_the_goal_goes_on() -> None:
    state = drawn("A SIA 4; B IDA 1; C rest 1", options=GOAL, capitals=OPEN)
    assert after(state, EndTurn()).state.on_turn == B
    assert state.seats == LETTERS[:3]
