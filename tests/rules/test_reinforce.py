"""The start of a turn and placing (rule 3)."""

import pytest

from pbem.rules.action import Attack, EndTurn, Place, TakeBack, Trade
from pbem.rules.board import Code, ContinentId
from pbem.rules.event import Placed, TakenBack, TurnStarted
from pbem.rules.position import Phase, changed
from pbem.rules.refusal import Reason
from pbem.rules.reinforce import reinforcements
from tests.rules.table import WORLD, A, B, C, after, drawn, kinds, reason, refusal

SIA, IDA = Code("SIA"), Code("IDA")

# No continent is whole: two territories of each, then more of Asia, North America and Europe.
SCATTERED = (
    *("AFG", "CHN", "ALA", "ALB", "ARG", "BRA", "GBR", "ICE", "CNG"),
    *("EAF", "EAU", "IDO", "IDA", "IRK", "ONT", "QUE", "NEU", "SCA"),
)


@pytest.mark.parametrize(
    ("territories", "armies"),
    [(1, 3), (3, 3), (8, 3), (9, 3), (11, 3), (12, 4), (14, 4), (15, 5), (18, 6)],
)
def test_a_third_of_the_territories_rounded_down_and_three_at_least(
    territories: int, armies: int
) -> None:
    held = ", ".join(f"{code} 1" for code in SCATTERED[:territories])
    due = reinforcements(drawn(f"A {held}; B rest 1"), A)
    assert (due.territories, due.armies_for_territories, due.continents) == (
        *(territories, armies, ()),
    )
    assert due.armies == armies


@pytest.mark.parametrize(
    ("continent", "bonus"),
    [
        ("africa", 3),
        ("asia", 7),
        ("australia", 2),
        ("europe", 5),
        ("north-america", 5),
        ("south-america", 2),
    ],
)
def test_a_continent_held_whole_brings_its_bonus(continent: str, bonus: int) -> None:
    codes = WORLD.continents[ContinentId(continent)].territories
    due = reinforcements(drawn(f"A {', '.join(f'{c} 1' for c in codes)}; B rest 1"), A)
    assert due.continents == ((continent, bonus),)
    assert due.armies == max(3, len(codes) // 3) + bonus


def test_one_missing_territory_is_no_continent() -> None:
    assert reinforcements(drawn("A EAU 1, IDO 1, NGU 1; B rest 1"), A).continents == ()


def test_the_turn_starts_with_what_is_held_then() -> None:
    state, events = after(drawn("A SIA 3; B EAU 1, IDO 1, NGU 1, WAU 1; C rest 1"), EndTurn())
    assert events[-1] == TurnStarted(
        turn=2,
        seat=B,
        link=3,
        territories=4,
        armies_for_territories=3,
        continents=((ContinentId("australia"), 2),),
    )
    assert (state.on_turn, state.phase, state.to_place) == (B, Phase.PLACE, 5)


def test_a_continent_conquered_now_brings_nothing_before_the_next_turn() -> None:
    start = drawn("A EAU 1, IDO 3, NGU 1; B WAU 1; C rest 1")
    state = after(start, Attack(Code("IDO"), Code("WAU"), 2), dice="661").state
    assert state.holds(A, ContinentId("australia"))
    assert state.to_place == 0
    assert reason(state, Place(Code("WAU"), 1)) is Reason.NOT_NOW


def test_placing_adds_armies_and_counts_them_down() -> None:
    start = drawn("A SIA 3; B rest 1", phase=Phase.PLACE, to_place=5)
    state, events = after(start, Place(SIA, 2))
    assert (state.armies[SIA], state.to_place, state.phase) == (5, 3, Phase.PLACE)
    assert (state.placed, events) == ({SIA: 2}, (Placed(A, SIA, 2),))


def test_the_last_army_placed_opens_the_attacks() -> None:
    start = drawn("A SIA 3, CHN 1; B rest 1", phase=Phase.PLACE, to_place=5)
    state = after(start, Place(SIA, 2), Place(Code("CHN"), 3)).state
    assert (state.phase, state.to_place, state.placed) == (Phase.ATTACK, 0, {SIA: 2, "CHN": 3})


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (Place(IDA, 1), Reason.NOT_YOURS),
        (Place(SIA, 6), Reason.TOO_MANY),
        (Place(SIA, 0), Reason.TOO_FEW_ARMIES),
        (Place(SIA, -1), Reason.TOO_FEW_ARMIES),
    ],
)
def test_armies_at_hand_go_on_own_territories(place: Place, why: Reason) -> None:
    assert reason(drawn("A SIA 3; B rest 1", phase=Phase.PLACE, to_place=5), place) is why


def test_a_refusal_says_how_many_there_were() -> None:
    start = drawn("A SIA 3; B rest 1", phase=Phase.PLACE, to_place=5)
    assert refusal(start, Place(SIA, 6)).facts == {"territory": SIA, "armies": 6, "most": 5}


def test_nothing_is_placed_after_the_attacks_have_begun() -> None:
    assert reason(drawn("A SIA 3; B rest 1"), Place(SIA, 1)) is Reason.NOT_NOW


@pytest.mark.parametrize("action", [Attack(SIA, IDA, 1), EndTurn()])
def test_new_armies_are_never_kept_in_reserve(action: Attack | EndTurn) -> None:
    start = drawn("A SIA 3; B rest 1", phase=Phase.PLACE, to_place=1)
    assert reason(start, action) is Reason.ARMIES_LEFT


def test_an_eliminated_seat_is_passed_over() -> None:
    start = drawn("A SIA 3; C rest 1", eliminated=(B,))
    assert after(start, EndTurn()).state.on_turn == C


def test_an_eliminated_first_seat_does_not_open_the_next_round() -> None:
    start = drawn("B SIA 3; C rest 1", on_turn=C, eliminated=(A,))
    state, events = after(start, EndTurn())
    assert state.on_turn == B
    assert kinds(events) == ["turn-ended", "turn-started"]


def test_a_turn_begins_with_a_clean_slate() -> None:
    fresh = drawn("A SIA 3; B rest 1", captured=True, rolled=True)
    start = changed(fresh, bonus_taken=True, placed={SIA: 3})
    state = after(start, EndTurn()).state
    left = (state.captured, state.rolled, state.bonus_taken, state.placed)
    assert left == (False, False, False, {})
    assert (state.turn, state.link) == (start.turn + 1, start.link + 1)


def test_what_was_placed_can_be_taken_back_before_the_first_roll() -> None:
    start = drawn("A SIA 3, CHN 1; B rest 1", phase=Phase.PLACE, to_place=5)
    state, events = after(start, Place(SIA, 2), Place(Code("CHN"), 3), TakeBack())
    assert (state.armies[SIA], state.to_place, state.phase, state.placed) == (3, 5, Phase.PLACE, {})
    assert events[-1] == TakenBack(A, ((Code("CHN"), 3), (SIA, 2)))


def test_taking_back_opens_the_trade_again() -> None:
    start = drawn("A SIA 3; B rest 1", phase=Phase.TRADE, to_place=5, hands={A: "EGY PRU WILD"})
    assert after(start, Place(SIA, 5), TakeBack()).state == start
    traded = after(start, Trade((0, 1, 2)))
    state = after(traded.state, Place(SIA, 4), TakeBack()).state
    assert state == traded.state
    assert reason(state, TakeBack()) is Reason.NOTHING_PLACED


def test_after_a_roll_nothing_is_taken_back() -> None:
    start = drawn("A SIA 3; B rest 1", phase=Phase.PLACE, to_place=5)
    rolled = after(start, Place(SIA, 5), Attack(SIA, IDA, 3), dice="111 6").state
    assert reason(rolled, TakeBack()) is Reason.ROLLED
