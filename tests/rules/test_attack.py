"""Attack, capture, moving in, elimination and victory (rules 4, 5, 9 and 11)."""

import pytest

from pbem.rules.action import Attack, EndTurn, Fortify, Occupy, Place
from pbem.rules.attack import most_attack_dice, most_defence_dice
from pbem.rules.board import Code
from pbem.rules.dice import losses
from pbem.rules.event import Captured, Eliminated, Occupied, Rolled, Won
from pbem.rules.position import Occupation, Phase
from pbem.rules.refusal import Reason
from pbem.rules.seat import NEUTRAL
from tests.rules.table import A, B, C, after, cards, drawn, kinds, reason, refusal

SIA, IDA, CHN, IDO, JPN = map(Code, ("SIA", "IDA", "CHN", "IDO", "JPN"))


@pytest.mark.parametrize(
    ("attacker", "defender", "lost"),
    [
        ((6,), (5,), (0, 1)),
        ((5,), (5,), (1, 0)),
        ((6, 3, 2), (5, 3), (1, 1)),
        ((2, 6, 6), (5, 5), (0, 2)),
        ((1, 1, 1), (1, 1), (2, 0)),
        ((1,), (6, 6), (1, 0)),
        ((6,), (5, 6), (1, 0)),
        ((1, 6), (5,), (0, 1)),
    ],
)
def test_the_highest_dice_meet_and_ties_defend(
    attacker: tuple[int, ...], defender: tuple[int, ...], lost: tuple[int, int]
) -> None:
    assert losses(attacker, defender) == lost


@pytest.mark.parametrize(("armies", "dice"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 3), (40, 3)])
def test_an_attacker_needs_one_army_more_than_dice(armies: int, dice: int) -> None:
    assert most_attack_dice(armies) == dice


@pytest.mark.parametrize(("armies", "dice"), [(1, 1), (2, 2), (3, 2)])
def test_the_last_army_may_defend(armies: int, dice: int) -> None:
    assert most_defence_dice(armies) == dice


class TestRoll:
    def test_both_sides_lose_what_the_dice_say(self) -> None:
        start = drawn("A SIA 5; B IDA 3; C rest 1", next_roll=101)
        state, events = after(start, Attack(SIA, IDA, 3), dice="632 53")
        assert (state.armies[SIA], state.armies[IDA]) == (4, 2)
        assert events == (Rolled(101, A, SIA, IDA, (6, 3, 2), (5, 3), 1, 1),)
        assert (state.next_roll, state.rolled, state.captured) == (102, True, False)

    def test_fewer_dice_are_the_attackers_choice(self) -> None:
        start = drawn("A SIA 5; B IDA 3; C rest 1")
        assert after(start, Attack(SIA, IDA, 1), dice="6 16").state.armies[SIA] == 4

    @pytest.mark.parametrize(("defence", "dice"), [(1, "666 5"), (2, "666 55"), (None, "666 55")])
    def test_the_defender_chooses_one_or_two_dice(self, defence: int | None, dice: str) -> None:
        start = drawn("A SIA 5; B IDA 3; C rest 1")
        assert after(start, Attack(SIA, IDA, 3, defence), dice=dice).state.armies[SIA] == 5

    @pytest.mark.parametrize("defence", [2, 9])
    def test_a_wish_for_too_many_dice_rolls_what_is_there(self, defence: int) -> None:
        start = drawn("A SIA 5; B IDA 1; C rest 1")
        assert after(start, Attack(SIA, IDA, 1, defence), dice="1 1").state.armies[SIA] == 4

    def test_a_defender_may_have_to_roll_the_most(self) -> None:
        start = drawn("A SIA 5; B IDA 3; C rest 1", options={"defence_dice": "max"})
        assert after(start, Attack(SIA, IDA, 3, 1), dice="111 11").state.armies[SIA] == 3

    def test_an_attacker_may_have_to_roll_the_most(self) -> None:
        start = drawn("A SIA 3; B IDA 3; C rest 1", options={"attack_dice": "max"})
        assert refusal(start, Attack(SIA, IDA, 1)).facts == {
            "territory": SIA,
            "armies": 3,
            "dice": 1,
            "least": 2,
            "most": 2,
        }
        assert after(start, Attack(SIA, IDA, 2), dice="11 11").state.armies[SIA] == 1

    @pytest.mark.parametrize(
        ("attack", "why"),
        [
            (Attack(IDA, CHN, 1), Reason.NOT_YOURS),
            (Attack(SIA, CHN, 1), Reason.OWN_TERRITORY),
            (Attack(SIA, JPN, 1), Reason.NOT_NEIGHBOURS),
            (Attack(CHN, IDA, 1), Reason.TOO_FEW_ARMIES),
            (Attack(SIA, IDA, 3), Reason.DICE),
            (Attack(SIA, IDA, 0), Reason.DICE),
            (Attack(Code("WUS"), Code("EUS"), 4), Reason.DICE),
        ],
    )
    def test_refused(self, attack: Attack, why: Reason) -> None:
        assert reason(drawn("A SIA 3, CHN 1, WUS 9; B rest 2"), attack) is why

    def test_alberta_does_not_border_the_eastern_united_states(self) -> None:
        start = drawn("A ALB 9; B rest 1")
        assert reason(start, Attack(Code("ALB"), Code("EUS"), 3)) is Reason.NOT_NEIGHBOURS

    def test_a_refusal_names_the_neighbours_that_can_be_attacked(self) -> None:
        facts = refusal(drawn("A SIA 3, CHN 1; B rest 1"), Attack(SIA, JPN, 1)).facts
        assert facts == {"source": SIA, "target": JPN, "neighbours": (IDA, IDO)}

    def test_two_armies_attack_and_one_does_not(self) -> None:
        assert after(drawn("A SIA 2; B rest 1"), Attack(SIA, IDA, 1), dice="1 1").state.rolled
        refused = refusal(drawn("A SIA 1; B rest 1"), Attack(SIA, IDA, 1))
        assert refused.reason is Reason.TOO_FEW_ARMIES
        assert refused.facts == {"territory": SIA, "armies": 1, "least": 2}

    def test_no_attack_after_the_attacks(self) -> None:
        start = drawn("A SIA 3; B rest 1", phase=Phase.FORTIFY)
        assert reason(start, Attack(SIA, IDA, 1)) is Reason.NOT_NOW


class TestCapture:
    def test_the_territory_changes_hands_with_the_least_armies_in_it(self) -> None:
        start = drawn("A SIA 6; B IDA 1, JPN 1; C rest 1")
        state, events = after(start, Attack(SIA, IDA, 3), dice="666 1")
        assert (state.owner[IDA], state.armies[IDA], state.armies[SIA]) == (A, 3, 3)
        assert state.occupation == Occupation(SIA, IDA, least=3, most=5)
        assert (state.captured, events[1:]) == (True, (Captured(A, SIA, IDA, B),))

    @pytest.mark.parametrize(("dice", "faces"), [(1, "6 1"), (2, "66 1"), (3, "666 1")])
    def test_at_least_the_dice_of_the_last_roll_move_in(self, dice: int, faces: str) -> None:
        start = drawn("A SIA 6; B IDA 1, JPN 1; C rest 1")
        state = after(start, Attack(SIA, IDA, dice), dice=faces).state
        assert reason(state, Occupy(dice - 1)) is Reason.OCCUPATION
        state, events = after(state, Occupy(dice))
        assert (state.armies[IDA], state.armies[SIA]) == (dice, 6 - dice)
        assert events == (Occupied(A, SIA, IDA, dice),)

    def test_the_last_roll_counts_not_the_first(self) -> None:
        start = drawn("A SIA 6; B IDA 3, JPN 1; C rest 1")
        attacks = (Attack(SIA, IDA, 3), Attack(SIA, IDA, 1))
        state = after(start, *attacks, dice="666 55 6 5").state
        assert state.occupation == Occupation(SIA, IDA, least=1, most=5)

    def test_at_most_all_but_one_move_in(self) -> None:
        start = drawn("A SIA 6; B IDA 1, JPN 1; C rest 1")
        state = after(start, Attack(SIA, IDA, 3), dice="666 1").state
        assert refusal(state, Occupy(6)).facts == {
            "source": SIA,
            "target": IDA,
            "armies": 6,
            "least": 3,
            "most": 5,
        }
        state = after(state, Occupy(5)).state
        assert (state.armies[IDA], state.armies[SIA], state.occupation) == (5, 1, None)

    def test_without_a_choice_they_move_in_at_once(self) -> None:
        start = drawn("A SIA 4; B IDA 1, JPN 1; C rest 1")
        state, events = after(start, Attack(SIA, IDA, 3), dice="666 1")
        assert (state.armies[IDA], state.armies[SIA], state.occupation) == (3, 1, None)
        assert kinds(events) == ["rolled", "captured", "occupied"]

    def test_a_ruleset_may_let_one_army_move_in(self) -> None:
        start = drawn("A SIA 4; B IDA 1, JPN 1; C rest 1", options={"occupation_min": "one"})
        state = after(start, Attack(SIA, IDA, 3), Occupy(1), dice="666 1").state
        assert (state.armies[IDA], state.armies[SIA]) == (1, 3)

    @pytest.mark.parametrize(
        "action", [Attack(SIA, CHN, 1), EndTurn(), Fortify(SIA, IDA, 1), Place(SIA, 1)]
    )
    def test_nothing_else_happens_before_they_moved_in(
        self, action: Attack | EndTurn | Fortify | Place
    ) -> None:
        start = drawn("A SIA 6; B IDA 1, JPN 1; C rest 1")
        state = after(start, Attack(SIA, IDA, 1), dice="6 1").state
        assert reason(state, action) is Reason.MUST_OCCUPY

    def test_nobody_moves_in_without_a_capture(self) -> None:
        assert reason(drawn("A SIA 6; B rest 1"), Occupy(1)) is Reason.NOT_NOW

    def test_the_attack_goes_on_from_the_new_territory(self) -> None:
        start = drawn("A SIA 6; B IDA 1, JPN 1; C rest 1")
        moved = (Attack(SIA, IDA, 3), Occupy(5), Attack(IDA, CHN, 3))
        assert after(start, *moved, dice="666 1 666 1").state.owner[CHN] == A

    def test_the_neutral_army_can_be_beaten_and_is_no_seat(self) -> None:
        start = drawn("A SIA 4; N IDA 1; B rest 1")
        state, events = after(start, Attack(SIA, IDA, 3), dice="666 1")
        assert (state.captured, state.eliminated) == (True, ())
        assert events[1] == Captured(A, SIA, IDA, NEUTRAL)


class TestElimination:
    def test_who_loses_the_last_territory_is_out(self) -> None:
        start = drawn("A SIA 4; B IDA 1; C rest 1", hands={A: "ALA", B: "EGY PRU"})
        state, events = after(start, Attack(SIA, IDA, 3), dice="666 1")
        assert events[-2:] == (Eliminated(B, A, cards("EGY PRU")), Occupied(A, SIA, IDA, 3))
        assert (state.standing, state.winner) == ((A, C), None)

    def test_an_empty_hand_passes_too(self) -> None:
        start = drawn("A SIA 4; B IDA 1; C rest 1", hands={A: "ALA"})
        state, events = after(start, Attack(SIA, IDA, 3), dice="666 1")
        assert (events[-2], state.hands[A]) == (Eliminated(B, A, ()), cards("ALA"))

    def test_who_holds_another_territory_stays(self) -> None:
        start = drawn("A SIA 4; B IDA 1, JPN 1; C rest 1")
        assert after(start, Attack(SIA, IDA, 3), dice="666 1").state.eliminated == ()


class TestVictory:
    def test_the_last_conquest_ends_the_game_at_once(self) -> None:
        start = drawn("B IDA 1; A rest 6", captured=True, deck="EGY")
        state, events = after(start, Attack(SIA, IDA, 3), dice="666 1")
        assert kinds(events) == ["rolled", "captured", "eliminated", "occupied", "won"]
        assert events[3] == Occupied(A, SIA, IDA, 3)
        assert events[-1] == Won(A, "world")
        assert (state.phase, state.winner, state.occupation) == (Phase.OVER, A, None)
        assert (state.turn, state.on_turn, state.hands[A]) == (1, A, ())

    def test_six_cards_force_nothing_when_it_is_won(self) -> None:
        start = drawn("B IDA 1; A rest 6", hands={A: "ALA ARG PRU", B: "VEN ICE CNG"})
        state = after(start, Attack(SIA, IDA, 3), dice="666 1").state
        assert (state.phase, state.mid_turn) == (Phase.OVER, False)

    @pytest.mark.parametrize("action", [EndTurn(), Attack(SIA, CHN, 1), Place(SIA, 1), Occupy(3)])
    def test_nothing_is_played_after_it(self, action: EndTurn | Attack | Place | Occupy) -> None:
        over = after(drawn("B IDA 1; A rest 6"), Attack(SIA, IDA, 3), dice="666 1").state
        assert reason(over, action) is Reason.GAME_OVER

    def test_a_territory_of_the_neutral_army_still_bars_it(self) -> None:
        start = drawn("B IDA 1; N JPN 1; A rest 6", options={"two_player": "plain"})
        assert after(start, Attack(SIA, IDA, 3), dice="666 1").state.winner is None

    def test_a_free_territory_bars_it_too(self) -> None:
        start = drawn("A SIA 4; B IDA 1")
        assert after(start, Attack(SIA, IDA, 3), dice="666 1").state.winner is None
