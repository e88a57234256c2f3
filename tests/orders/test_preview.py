"""TRY: exact chances along a plan, judged by playing out every way that its rolls can go."""

from collections import defaultdict
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.orders.forecast import Forecast
from pbem.orders.plan import Otherwise, Plan
from pbem.orders.preview import preview, supposed
from pbem.rules.event import Captured, Rolled
from pbem.rules.missions import all_missions, mission
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import view
from tests.orders.desk import check
from tests.orders.every_way import ways
from tests.rules.table import WORLD, A, drawn


def planned(mail: str, state: State) -> Plan:
    checked = check(mail, state)
    assert checked.plan is not None, checked.mistakes
    return checked.plan


def tried(mail: str, state: State, on_fail: Otherwise = Otherwise.GO_ON) -> Forecast:
    return preview(planned(mail, state), view(state, state.on_turn), on_fail)


class Numbers(NamedTuple):
    """What a forecast and the playing out of every way must agree on."""

    done: dict[int | None, float]
    begun: dict[tuple[int | None, str, str], float]
    won: dict[tuple[int | None, str, str], float]
    lost: dict[tuple[int | None, str, str], float]
    killed: dict[tuple[int | None, str, str], float]
    captured: float
    paused: float


def foreseen(mail: str, state: State, on_fail: Otherwise = Otherwise.GO_ON) -> Numbers:
    told = tried(mail, state, on_fail)
    battles = {(line.number, b.source, b.target): b for line in told.lines for b in line.battles}
    return Numbers(
        {line.number: line.done for line in told.lines},
        {key: b.begun for key, b in battles.items()},
        {key: b.won for key, b in battles.items()},
        {key: b.begun * b.attackers_lost for key, b in battles.items()},
        {key: b.begun * b.defenders_lost for key, b in battles.items()},
        told.captured,
        told.paused,
    )


def played_out(mail: str, state: State, on_fail: Otherwise = Otherwise.GO_ON) -> Numbers:
    plan = planned(mail, state)
    done: dict[int | None, float] = {line.number: 0.0 for line in plan.lines}
    begun, won, lost, killed = (
        defaultdict[tuple[int | None, str, str], float](float) for _ in range(4)
    )
    captured = paused = 0.0
    for ran, chance in ways(plan, state, on_fail):
        paused += chance if ran.paused else 0.0
        captured += chance if any(isinstance(e, Captured) for e in ran.events) else 0.0
        for result in ran.results:
            done[result.line] = done.get(result.line, 0.0) + (0.0 if result.skipped else chance)
            rolls = [e for e in result.events if isinstance(e, Rolled)]
            for key in {(result.line, roll.source, roll.target) for roll in rolls}:
                begun[key] += chance
            for roll in rolls:
                key = (result.line, roll.source, roll.target)
                lost[key] += chance * roll.attacker_lost
                killed[key] += chance * roll.defender_lost
            for event in result.events:
                if isinstance(event, Captured):
                    won[result.line, event.source, event.target] += chance
    won = defaultdict(float, {key: won[key] for key in begun})
    return Numbers(done, begun, won, lost, killed, captured, paused)


def assert_exact(mail: str, state: State, on_fail: Otherwise = Otherwise.GO_ON) -> None:
    seen, truth = foreseen(mail, state, on_fail), played_out(mail, state, on_fail)
    for name, one, other in zip(Numbers._fields, seen, truth, strict=True):
        assert one == pytest.approx(other, abs=1e-9), name


FRONT = drawn("A SIA 5, IDO 3, BRA 4; B IDA 2, CHN 1, AFG 1, NAF 2; C rest 2")
OUT = drawn(
    "A ALA 5, SIA 4; B KCH 2; C rest 2",
    hands={"A": "EGY PRU GRL BRA", "B": "WILD WILD"},  # type: ignore[dict-item]
)
MISSION = next(name for name, wanted in all_missions().items() if wanted.armies == 2)
OUTING = "attack Kamchatka from Alaska, all in"
FURTHER = "attack Alaska to Kamchatka to Japan, all in"
PLANS = [
    ("attack India from Siam", FRONT),
    ("attack India from Siam, all in\nif captured: attack Afghanistan from India, all in", FRONT),
    ("attack Siam to India to Afghanistan, leave 2", FRONT),
    ("attack Siam to India to Afghanistan to Ukraine, all in", FRONT),
    ("attack India from Siam, once\nattack India from Siam, once\nattack China from Siam", FRONT),
    ("attack India from Siam, lose at most 2\nelse attack North Africa from Brazil, all in", FRONT),
    ("attack India from Siam, keep 3, else stop\nattack North Africa from Brazil, 2 rolls", FRONT),
    ("attack India from Siam, else pause\nattack North Africa from Brazil, 2 rolls", FRONT),
    (
        "attack India from Siam, while odds 60%\nunless captured: attack China from Siam, once",
        FRONT,
    ),
    ("attack India from Siam, until India at most 1\nattack India from Siam, with 2 dice", FRONT),
    ("attack India from Siam, with 3 armies, move in all\nif India at least 3: end", FRONT),
    ("attack India from Siam, move in 4\nfortify all but 1 from Siam to India\nend", FRONT),
    ("if odds at least 50%: attack India from Siam\nif no card yet: attack China from Siam", FRONT),
    ("attack China from Siam; attack India from Siam; end", FRONT),
    (OUTING, OUT),
    (f"{OUTING}\nif eliminated: trade auto; place the rest in Siam\nattack India from Siam", OUT),
    (f"{OUTING}\nif eliminated: trade auto\nattack India from Siam", OUT),
    (f"{OUTING}\nif eliminated: trade auto; place 2 in Siam\nattack India from Siam, once", OUT),
    (f"{FURTHER}\nif eliminated: trade auto; place rest in Siam", OUT),
    (
        f"{OUTING}\nif eliminated: trade auto; place rest in Siam; attack India from Siam, once"
        "\nattack China from Siam, once",
        OUT,
    ),
]


@pytest.mark.parametrize(("mail", "state"), PLANS)
def test_every_number_is_exact(mail: str, state: State) -> None:
    assert_exact(mail, state)


@pytest.mark.parametrize("on_fail", Otherwise)
def test_what_a_failed_attack_does_is_reckoned_with(on_fail: Otherwise) -> None:
    assert_exact(
        "attack India from Siam, once\nattack North Africa from Brazil, 2 rolls", FRONT, on_fail
    )


LINES = [
    "attack India from Siam",
    "attack India from Siam, all in, move in all",
    "attack India from Siam, once, else stop",
    "attack Siam to India to Afghanistan",
    "attack China from Siam, lose at most 1",
    "attack China from India, keep 2",
    "if captured: attack Afghanistan from India, once",
    "else attack China from Siam, once",
    "if Siam at least 3: attack China from Siam, with 1 dice",
    "if no card yet: attack North Africa from Brazil, once",
    "if India not captured: attack India from Siam, all in",
    "unless I hold India: stop",
    "fortify 1 from Siam to Indonesia",
    "if India captured: fortify all but 1 from India to Siam",
    "end",
]
armies = st.integers(2, 5)


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=4), armies, armies)
@settings(deadline=None, max_examples=60)
def test_every_plan_is_foreseen_as_it_would_be_played(
    lines: list[str], siam: int, bra: int
) -> None:
    state = drawn(f"A SIA {siam}, IDO 2, BRA {bra}; B IDA 2, CHN 1, AFG 1, NAF 1; C rest 2")
    if check("\n".join(lines), state).plan is not None:
        assert_exact("\n".join(lines), state)


def test_the_chain_of_the_manual_has_the_chances_of_the_manual() -> None:
    state = drawn("A NAF 14; B BRA 3, VEN 2, CAM 2; C rest 2")
    mail = "attack North Africa to Brazil to Venezuela to Central America, leave 2"
    (line,) = tried(mail, state).lines
    assert [round(100 * battle.won, 1) for battle in line.battles] == [99.3, 92.6, 67.7]


def test_going_all_in_is_told_beside_three_dice_only() -> None:
    state = drawn("A SIA 4; B IDA 4; C rest 2", phase=Phase.PLACE, to_place=5)
    placing, attacking, _ = tried("place 5 in Siam\nattack India from Siam\nend", state).lines
    assert placing.done == pytest.approx(1)
    assert attacking.full_dice
    (battle,) = attacking.battles
    assert (round(100 * battle.capture, 1), round(100 * battle.all_in, 1)) == (82.2, 88.8)


def test_nothing_of_another_seat_can_come_out() -> None:
    """The cards of a seat that may be eliminated make no difference."""
    told = [
        preview(planned(PLANS[15][0], OUT), view(state, A))
        for state in (
            OUT,
            drawn(
                "A ALA 5, SIA 4; B KCH 2; C rest 2",
                hands={A: "EGY PRU GRL BRA", Seat("B"): "ALA NWT"},
            ),
        )
    ]
    assert told[0] == told[1]


def test_a_plan_with_too_many_ways_is_told_up_to_the_last_line_that_is_known() -> None:
    state = drawn(
        "A "
        + ", ".join(f"{c} 40" for c in ("SIA", "BRA", "ALA", "ICE", "EGY", "URL", "JPN"))
        + "; C rest 35"
    )
    attacks = [
        "attack India from Siam, all in",
        "attack Venezuela from Brazil, all in",
        "attack Alberta from Alaska, all in",
        "attack Great Britain from Iceland, all in",
        "attack East Africa from Egypt, all in",
        "attack Siberia from Ural, all in",
        "attack Mongolia from Japan, all in",
    ]
    again = [line.replace(", all in", ", once") for line in attacks]
    told = tried("\n".join(attacks + again), state)
    assert told.branchy is not None
    assert [line.number for line in told.lines] == list(range(1, told.branchy))
    assert all(battle.begun == pytest.approx(1) for battle in told.lines[0].battles)


def test_a_turn_that_has_not_begun_is_supposed_on_this_board() -> None:
    state = drawn("A SIA 5; B IDA 2; C rest 2", phase=Phase.ATTACK, on_turn=Seat("B"))
    mine = supposed(view(state, A))
    assert (mine.on_turn, mine.to_place, mine.phase) == (A, 3, Phase.PLACE)
    with pytest.raises(ValueError, match="on turn"):
        preview(planned("end", FRONT), view(state, A))


def test_the_own_mission_ends_the_plan_and_no_other_does() -> None:
    """ "18 territories with two armies each" is done by moving two armies into the last of them."""
    held = [code for code in WORLD.codes if code not in ("SIA", "IDA", "CHN", "AFG")][:16]
    drawing = ", ".join(f"{code} {6 if code == 'SIA' else 2}" for code in {*held, "SIA"})
    state = drawn(
        f"A {drawing}; B IDA 1, CHN 1, AFG 1; C rest 2",
        options={"goal": "missions"},
        missions={A: MISSION},
    )
    wanted = mission(MISSION, WORLD)
    assert (wanted.count, wanted.armies) == (18, 2)
    mail = "attack India from Siam, all in, move in 2\nattack China from Siam, all in"
    assert_exact(mail, state)
    assert tried(mail, state).lines[1].missed["game-over"] > 0.5
