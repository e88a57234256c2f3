"""What a computer player wants for the goal of its game, and what it writes for that."""

from pbem.judge import aim, computer
from pbem.rules.board import Code
from pbem.rules.position import Phase
from pbem.rules.view import View, view
from tests.rules.table import WORLD, A, B, C, drawn

MISSIONS = {"goal": "missions"}
CAPITALS = {"goal": "capitals"}
IDA, CHN, SIA, JPN, KCH = map(Code, ("IDA", "CHN", "SIA", "JPN", "KCH"))


def seen(drawing: str, **fields: object) -> View:
    return view(drawn(drawing, **fields), A)  # type: ignore[arg-type]  # handed on as they come


def test_a_capital_is_worth_more_and_the_own_one_most() -> None:
    board = seen(
        "A SIA 5; B IDA 1, CHN 1, JPN 1; C rest 1",
        options=CAPITALS,
        capitals={A: CHN, B: IDA, C: Code("BRA")},
    )
    assert aim.pull(board, CHN) > aim.pull(board, IDA) > aim.pull(board, JPN) == 0


def test_continents_of_the_mission_are_worth_more() -> None:
    board = seen("A SIA 5; B IDA 1; C rest 1", options=MISSIONS, missions={A: "asia-south-america"})
    assert aim.pull(board, IDA) > aim.pull(board, Code("IDO")) == 0


def test_where_the_choice_is_free_the_nearest_continent_is_taken() -> None:
    own = "IDO 1, NGU 1, WAU 1, EAU 1, VEN 1, PRU 1, BRA 1"
    board = seen(f"A {own}; B rest 1", options=MISSIONS, missions={A: "europe-australia-any"})
    assert aim.pull(board, Code("ARG")) > aim.pull(board, Code("EGY")) == 0


def test_the_seat_to_destroy_is_worth_more() -> None:
    board = seen("A SIA 5; B IDA 1; C rest 1", options=MISSIONS, missions={A: "destroy-2"})
    assert aim.pull(board, IDA) > aim.pull(board, CHN) == 0


def test_without_a_goal_of_its_own_nothing_is_worth_more() -> None:
    assert aim.pull(seen("A SIA 5; B IDA 1; C rest 1"), IDA) == 0


def test_a_mission_that_asks_for_two_armies_gets_them_where_they_lack() -> None:
    held = "ALA, NWT, GRL, ALB, ONT, QUE, WUS, EUS, CAM, VEN, PRU, BRA, ARG, ICE, GBR, SCA"
    board = seen(
        f"A {', '.join(f'{code} 2' for code in held.split(', '))}, UKR 1, NEU 1; B rest 1",
        options=MISSIONS,
        missions={A: "occupy-18x2"},
        phase=Phase.PLACE,
        to_place=3,
    )
    assert set(aim.thin(board)) == {"UKR", "NEU"}
    (line,) = computer.orders(board)
    assert "1 in Northern Europe" in line
    assert "1 in Ukraine" in line
    assert "the rest in" in line


def test_before_there_are_enough_territories_armies_go_where_they_take_more() -> None:
    board = seen(
        "A SIA 5, IDO 1; B rest 1",
        options=MISSIONS,
        missions={A: "occupy-18x2"},
        phase=Phase.PLACE,
        to_place=3,
    )
    assert aim.thin(board) == ()
    (line,) = computer.orders(board)
    assert line.startswith("place the rest in ")


def test_the_own_capital_is_guarded_and_not_left() -> None:
    board = seen(
        "A SIA 3, KCH 9; B IDA 8, JPN 1; C rest 1",
        options=CAPITALS,
        capitals={A: SIA, B: IDA, C: Code("BRA")},
    )
    assert aim.guard(board, SIA) > aim.guard(board, KCH) == 0
    assert aim.stays(board, SIA)
    assert not aim.stays(board, KCH)


def test_in_the_middle_of_a_turn_all_armies_of_a_trade_go_to_the_front() -> None:
    """How many a set will bring is not known before it is traded."""
    board = seen(
        f"A {', '.join(f'{code} 1' for code in WORLD.codes[:18])}; B rest 1",
        options=MISSIONS,
        missions={A: "occupy-18x2"},
        phase=Phase.TRADE,
        mid_turn=True,
        hands={A: "EGY PRU IDO ALA BRA CHN"},
    )
    trade, place = computer.orders(board)
    assert trade == "trade auto"
    assert place.startswith("place the rest in ")
