"""Plans played out: what is done, what is skipped, where a plan waits."""

import pytest

from pbem.orders.plan import Otherwise
from pbem.rules.event import Occupied, Rolled, Traded, kind
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.state import State
from tests.orders.desk import check, notes, play
from tests.rules.table import A, B, C, drawn

FRONT = drawn("A SIA 9, IDO 3; B IDA 2, CHN 2, AFG 1; C rest 2")
WIN, LOSE = [6, 5, 4, 3, 2], [1, 1, 1, 6, 6]
"""Three dice against two: the defender, or the attacker, loses both."""


def held(state: State, *codes: str) -> list[int]:
    """The armies on territories that have to be the player's."""
    assert all(state.owner[code] == A for code in codes)  # type: ignore[index]
    return [state.armies[code] for code in codes]  # type: ignore[index]


def test_a_whole_turn_in_one_mail() -> None:
    state = drawn("A SIA 4; B IDA 2, CHN 2; C rest 2", phase=Phase.PLACE, to_place=5, deck="ALA")
    ran = play("place 5 in Siam\nattack India from Siam\nend", state, WIN)
    assert ran.closed
    assert ran.skipped == ()
    assert held(ran.state, "SIA", "IDA") == [6, 3]
    assert ran.state.hands[A] == ("ALA",)
    assert ran.state.on_turn == B


def test_without_a_stop_word_three_armies_stay() -> None:
    ran = play("attack India from Siam", drawn("A SIA 5; B IDA 2; C rest 2"), LOSE)
    assert held(ran.state, "SIA") == [3]
    (note,) = ran.results[0].notes
    assert note.code == "stopped"
    assert note.facts["why"] == "floor"


@pytest.mark.parametrize(
    ("limits", "dice", "left", "why"),
    [
        ("once", LOSE, 7, "rolls"),
        ("2 rolls", LOSE + LOSE, 5, "rolls"),
        ("keep 6", LOSE, 7, "keep"),
        ("lose at most 3", LOSE, 7, "lose"),
        ("with 2 armies", [1, 1, 6, 6], 7, "stake"),
        ("with 3 armies", [*LOSE, 1, 6, 6], 6, "stake"),
        ("with 2 dice, once", [1, 1, 6, 6], 7, "rolls"),
        ("all in", [*LOSE, *LOSE, *LOSE, 1, 1, 6, 6], 1, "one-army"),
        ("until captured", [*LOSE, *LOSE, *LOSE, 1, 1, 6, 6], 1, "one-army"),
        ("while odds at least 90%", LOSE, 7, "odds"),
        ("until India at most 1", [6, 1, 1, 5, 5], 8, "until"),
        ("until Siam at most 7", LOSE, 7, "until"),
    ],
)
def test_a_limit_ends_an_attack(limits: str, dice: list[int], left: int, why: str) -> None:
    ran = play(f"attack India from Siam, {limits}", FRONT, dice)
    assert held(ran.state, "SIA") == [left]
    assert ran.results[0].notes[-1].facts["why"] == why


def test_keep_one_goes_below_three_dice() -> None:
    ran = play(
        "attack India from Siam, keep 1", drawn("A SIA 3; B IDA 1; C rest 2"), [1, 1, 6, 1, 6]
    )
    assert held(ran.state, "SIA") == [1]


def test_dice_are_the_most_that_the_armies_allow() -> None:
    state = drawn("A SIA 4; B IDA 2; C rest 2")
    ran = play("attack India from Siam, all in", state, [6, 1, 1, 5, 2, 6, 1, 5])
    rolled = [len(e.attacker) for e in ran.events if isinstance(e, Rolled)]
    assert rolled == [3, 2]


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("", [6, 3]),
        (", move in 5", [4, 5]),
        (", move in all", [1, 8]),
        (", move in the least", [6, 3]),
        (", leave 4", [4, 5]),
        (", keep 5", [6, 3]),
        (", keep 5, move in all", [5, 4]),
        (", with 4 armies, move in all", [5, 4]),
    ],
)
def test_what_moves_in(move: str, expected: list[int]) -> None:
    state = play(f"attack India from Siam{move}", FRONT, WIN).state
    assert held(state, "SIA", "IDA") == expected


@pytest.mark.parametrize(("stated", "moved"), [(1, 3), (12, 8)])
def test_a_move_that_the_rules_forbid_is_brought_to_the_nearest(stated: int, moved: int) -> None:
    ran = play(f"attack India from Siam, move in {stated}", FRONT, WIN)
    assert [e.armies for e in ran.events if isinstance(e, Occupied)] == [moved]
    assert notes(ran) == ["brought-to-nearest"]


def test_all_but_one_move_in_where_a_later_line_attacks_from_there() -> None:
    mail = "attack India from Siam\nif captured: attack Afghanistan from India, once"
    ran = play(mail, FRONT, [*WIN, 6, 5, 4, 1])
    assert ran.results[0].orders == ("attack India from Siam, move in all",)
    assert held(ran.state, "SIA", "IDA", "AFG") == [1, 5, 3]


def test_a_chain_takes_all_but_one_along() -> None:
    ran = play("attack Siam to India to Afghanistan", FRONT, [*WIN, 6, 5, 4, 1])
    assert held(ran.state, "SIA", "IDA", "AFG") == [1, 1, 7]


def test_a_chain_leaves_what_it_says_at_every_link() -> None:
    ran = play("attack Siam to India to Afghanistan, leave 2", FRONT, [*WIN, 6, 5, 4, 1])
    assert held(ran.state, "SIA", "IDA", "AFG") == [2, 2, 5]


def test_a_chain_that_stops_names_its_rest() -> None:
    ran = play("attack Siam to India to Afghanistan, once", FRONT, LOSE)
    assert notes(ran) == ["stopped", "chain-broken"]
    assert ran.skipped == ()


def test_else_runs_only_if_the_guard_was_false() -> None:
    mail = (
        "attack India from Siam, once\n"
        "if captured: attack Afghanistan from India, once\n"
        "else attack China from Siam, once"
    )
    assert play(mail, FRONT, [*WIN, 6, 5, 4, 1]).skipped == (3,)
    assert play(mail, FRONT, [*LOSE, *LOSE]).skipped == (2,)


def test_else_without_a_guard_looks_at_the_last_attack() -> None:
    mail = "attack India from Siam, once\nelse attack China from Siam, once"
    assert play(mail, FRONT, WIN).skipped == (2,)
    assert play(mail, FRONT, [*LOSE, *LOSE]).skipped == ()


def test_an_attack_that_failed_lets_the_plan_go_on() -> None:
    mail = (
        "attack India from Siam, once\nattack Afghanistan from India\nattack China from Siam, once"
    )
    ran = play(mail, FRONT, [*LOSE, *LOSE])
    assert ran.skipped == (2,)
    assert notes(ran) == ["stopped", "source-lost", "stopped"]


def test_else_stop_ends_the_attacks_but_not_the_turn() -> None:
    mail = "attack India from Siam, once, else stop\nattack China from Siam, once\nend"
    ran = play(mail, FRONT, LOSE)
    assert ran.skipped == (2,)
    assert ran.closed


def test_else_pause_keeps_the_rest_of_the_plan() -> None:
    mail = "attack India from Siam, once, else pause\nattack China from Siam, once\nend"
    ran = play(mail, FRONT, LOSE)
    assert ran.paused is not None
    assert ran.paused.why == "asked"
    assert ran.paused.rest == ("attack China from Siam, once, move in the least", "end")
    again = play("continue", ran.state, LOSE, kept=ran.paused.rest)
    assert again.closed


def test_on_fail_is_the_else_of_attacks_without_one() -> None:
    from pbem.orders import run
    from pbem.rules.dice import LoadedDice

    mail = "attack India from Siam, once\nattack China from Siam, once"
    plan = check(mail, FRONT).plan
    assert plan is not None
    ran = run.run(plan, FRONT, LoadedDice(LOSE), on_fail=Otherwise.STOP)
    assert ran.skipped == (2,)


def test_a_guard_on_armies_looks_at_the_state() -> None:
    mail = "attack India from Siam, once\nif Siam at most 8: attack China from Siam, once"
    assert play(mail, FRONT, [*LOSE, *LOSE]).skipped == ()
    assert play(mail.replace("8", "5"), FRONT, LOSE).skipped == (2,)


def test_a_guard_on_odds_is_exact() -> None:
    mail = "if odds at least {}%: attack India from Siam, once"
    state = drawn("A SIA 4; B IDA 1; C rest 2")
    assert play(mail.format(65), state, [6, 5, 4, 1]).skipped == ()
    assert play(mail.format(67), state).skipped == (1,)


def test_no_card_yet_is_false_after_a_capture() -> None:
    mail = "attack India from Siam\nif no card yet: attack China from Siam"
    assert play(mail, FRONT, WIN).skipped == (2,)


def test_a_fortify_closes_the_turn_and_a_skipped_one_does_not() -> None:
    closed = play("fortify 3 from Siam to Indonesia\nend", FRONT)
    assert closed.closed
    assert closed.skipped == ()
    guarded = play("if captured: fortify 3 from Siam to Indonesia", FRONT)
    assert not guarded.closed
    assert guarded.skipped == (1,)


def test_a_single_mail_is_a_whole_turn_where_the_game_says_so() -> None:
    assert play("attack India from Siam, once", FRONT, LOSE, single=True).closed


def test_a_single_mail_must_place_all_armies() -> None:
    state = drawn("A SIA 4; B IDA 2; C rest 2", phase=Phase.PLACE, to_place=5)
    (mistake,) = check("place 3 in Siam", state, single=True).mistakes
    assert (mistake.code, mistake.facts["left"]) == ("E04", 2)
    assert play("place 5 in Siam", state, single=True).closed


def test_a_single_mail_that_pauses_leaves_the_turn_open() -> None:
    ran = play("attack India from Siam, once, else pause", FRONT, LOSE, single=True)
    assert not ran.closed
    assert ran.paused is not None


def test_a_forced_trade_that_no_line_names_is_the_announced_one() -> None:
    state = drawn(
        "A SIA 4, EGY 2; B IDA 2; C rest 2",
        phase=Phase.TRADE,
        to_place=3,
        hands={A: "EGY PRU GRL BRA WILD"},
    )
    ran = play("place the rest in Siam", state)
    assert [kind(event) for event in ran.events] == ["traded", "placed"]
    assert ran.results[0].line is None
    assert held(ran.state, "SIA", "EGY") == [11, 4]


def test_the_bonus_goes_where_the_largest_enemy_stands() -> None:
    state = drawn(
        "A SIA 4, EGY 2, PRU 3; B IDA 2, BRA 9; C rest 2",
        phase=Phase.TRADE,
        to_place=3,
        hands={A: "EGY PRU WILD"},
    )
    ran = play("trade 1 2 3\nplace the rest in Siam", state)
    assert [e.bonus for e in ran.events if isinstance(e, Traded)] == ["PRU"]


def test_two_sets_are_named_by_the_numbers_of_the_letter() -> None:
    state = drawn(
        "A SIA 4; B IDA 2; C rest 2",
        phase=Phase.TRADE,
        to_place=3,
        hands={A: "EGY PRU WILD GRL BRA WILD"},
    )
    ran = play("trade 1 2 3 and trade 4 5 6\nplace the rest in Siam", state)
    assert [e.cards for e in ran.events if isinstance(e, Traded)] == [
        ("EGY", "PRU", "WILD"),
        ("GRL", "BRA", "WILD"),
    ]
    assert held(ran.state, "SIA") == [4 + 3 + 4 + 6]


ELIMINATING = drawn(
    "A SIA 9, IDO 3; B IDA 1; C rest 2",
    hands={A: "EGY PRU GRL", B: "BRA ALA WILD"},
)


def test_an_elimination_that_forces_a_trade_pauses_the_plan() -> None:
    ran = play(
        "attack India from Siam\nattack China from Siam, once\nend", ELIMINATING, [6, 5, 4, 1]
    )
    assert ran.paused is not None
    assert ran.paused.why == "trade"
    assert ran.paused.rest == ("attack China from Siam, once, move in the least", "end")
    assert ran.state.phase is Phase.TRADE
    assert not ran.closed


def test_an_eliminated_line_is_used_at_once() -> None:
    mail = (
        "attack India from Siam\n"
        "attack China from Siam, once\n"
        "if eliminated: trade auto; place the rest in Siam\n"
        "end"
    )
    ran = play(mail, ELIMINATING, [6, 5, 4, 1, *LOSE])
    assert ran.paused is None
    assert ran.closed
    assert ran.skipped == ()
    assert [kind(e) for e in ran.events][:7] == [
        "rolled",
        "captured",
        "eliminated",
        "occupied",
        "traded",
        "placed",
        "rolled",
    ]


def test_an_eliminated_line_is_skipped_if_nobody_is_out() -> None:
    mail = "attack India from Siam\nif eliminated: trade auto; place the rest in Siam\nend"
    ran = play(mail, FRONT, WIN)
    assert ran.skipped == (2,)


def test_a_chain_goes_on_behind_the_forced_trade() -> None:
    ran = play("attack Siam to India to Afghanistan, once", ELIMINATING, [6, 5, 4, 1])
    assert ran.paused is not None
    assert ran.paused.rest == ("attack Afghanistan from India, once, move in all",)
    mail = "trade auto\nplace the rest in Siam\ncontinue"
    again = play(mail, ran.state, LOSE, kept=ran.paused.rest)
    assert [e.source for e in again.events if isinstance(e, Rolled)] == ["IDA"]


def test_an_else_behind_a_line_that_was_done_ahead_is_not_done() -> None:
    mail = (
        "attack India from Siam\n"
        "if eliminated: trade auto; place the rest in Siam\n"
        "else attack China from Siam, once"
    )
    assert play(mail, ELIMINATING, [6, 5, 4, 1]).skipped == (3,)


def test_a_pause_drops_the_other_case_of_its_guard() -> None:
    mail = (
        "if Siam at least 4: attack India from Siam; attack China from Siam, once\n"
        "else attack China from Siam, all in\n"
        "end"
    )
    paused = play(mail, ELIMINATING, [6, 5, 4, 1]).paused
    assert paused is not None
    assert paused.rest == ("attack China from Siam, once, move in the least", "end")


def test_a_plan_goes_on_only_when_all_armies_are_placed() -> None:
    paused = play("attack India from Siam\nend", ELIMINATING, [6, 5, 4, 1])
    assert paused.paused is not None
    checked = check("trade auto\ncontinue", paused.state, kept=paused.paused.rest)
    assert [mistake.code for mistake in checked.mistakes] == ["E04"]


def test_victory_drops_the_rest_of_the_plan() -> None:
    state = drawn("A rest 5; B IDA 1")
    ran = play("attack India from Siam\nfortify 2 from Siam to China\nend", state, [6, 5, 4, 1])
    assert ran.closed
    assert ran.state.winner == A
    assert ran.skipped == (2, 3)


def test_the_defender_rolls_as_its_standing_order_says() -> None:
    asked: list[tuple[Seat, str, int]] = []

    def defence(seat: Seat, code: str, armies: int) -> int:
        asked.append((seat, code, armies))
        return 1

    ran = play("attack India from Siam, once", FRONT, [6, 5, 4, 1], defence=defence)
    assert asked == [(B, "IDA", 2)]
    assert [len(e.defender) for e in ran.events if isinstance(e, Rolled)] == [1]


def test_a_line_is_told_with_what_it_did() -> None:
    ran = play("attack India from Siam, once. attack China from Siam, once", FRONT, [*LOSE, *LOSE])
    (result,) = ran.results
    assert result.line == 1
    assert len(result.orders) == 2
    assert [kind(event) for event in result.events] == ["rolled", "rolled"]


def test_nobody_else_is_touched() -> None:
    ran = play("attack India from Siam, once", FRONT, LOSE)
    assert ran.state.hands == FRONT.hands
    assert all(ran.state.armies[c] == 2 for c in ran.state.held(C))


def test_taking_back_frees_what_was_placed_for_another_place() -> None:
    state = drawn("A SIA 4, IDO 2; B IDA 2; C rest 2", phase=Phase.PLACE, to_place=5)
    placed = play("place 3 in Siam", state).state
    ran = play("take back\nplace 5 in Indonesia", placed)
    assert held(ran.state, "SIA", "IDO") == [4, 7]
    again = play("place 3 in Siam; take back; place the rest in Indonesia", state)
    assert held(again.state, "SIA", "IDO") == [4, 7]


@pytest.mark.parametrize(
    ("mail", "rolled"),
    [("attack India from Siam\ntake back", True), ("take back", False)],
)
def test_only_placements_before_the_first_roll_are_taken_back(mail: str, rolled: bool) -> None:
    (mistake,) = check(mail, FRONT).mistakes
    assert (mistake.code, mistake.facts["rolled"]) == ("E31", rolled)
