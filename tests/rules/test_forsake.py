"""A seat that nobody plays any more: its armies are neutral, its cards are gone."""

from typing import Any

import pytest

from pbem.rules.action import Attack, Forsake
from pbem.rules.adjudicate import play, refuse
from pbem.rules.board import Code
from pbem.rules.card import Card
from pbem.rules.dice import LoadedDice
from pbem.rules.event import Forsaken
from pbem.rules.fair import link_secret
from pbem.rules.forsake import can_be_forsaken
from pbem.rules.missions import accomplished, all_missions
from pbem.rules.notation import checksum, event_from_json, event_to_json
from pbem.rules.position import Phase
from pbem.rules.record import Closed, write
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.state import Played, State
from pbem.rules.verify import verify
from pbem.rules.view import visible
from tests.rules.recorded_game import LAST_SECRET, a_game, chance, next_action
from tests.rules.table import drawn

A, B, C = Seat("A"), Seat("B"), Seat("C")


def forsaken(state: State, seat: Seat) -> Played:
    played = play(state, Forsake(seat), chance(max(state.link, 1)))
    assert not isinstance(played, Refusal), played
    return played


def test_the_armies_stand_where_they_stood_and_the_cards_are_out() -> None:
    state = drawn("A SIA 8; B IDA 3; C rest 2", hands={B: "EGY PRU"})
    after, events = forsaken(state, B)
    assert (after.owner[Code("IDA")], after.armies[Code("IDA")]) == (NEUTRAL, 3)
    assert after.armies == state.armies
    assert (after.hands[B], after.discards[-2:]) == ((), ("EGY", "PRU"))
    assert after.standing == (A, C)
    assert events == (Forsaken(B, (Card("EGY"), Card("PRU"))),)
    assert visible(events, B) == events
    assert visible(events, A) == visible(events, None) == (Forsaken(B, ()),)


def test_the_neutral_army_is_attacked_and_captured_as_any_other() -> None:
    state, _ = forsaken(drawn("A SIA 8; B IDA 1; C rest 2"), B)
    played = play(state, Attack(Code("SIA"), Code("IDA"), 3), LoadedDice([6, 6, 6, 1]))
    assert not isinstance(played, Refusal)
    assert played.state.owner[Code("IDA")] == A
    assert played.state.captured


@pytest.mark.parametrize(
    ("drawing", "seat", "position"),
    [
        ("A SIA 8; B IDA 3; C rest 2", "A", {}),
        ("A SIA 8; B IDA 3; C rest 2", "B", {"phase": Phase.OVER}),
        ("A SIA 8; C rest 2", "C", {"eliminated": (B,)}),
        ("A SIA 8; B rest 2", "C", {"eliminated": (C,)}),
    ],
)
def test_a_seat_on_turn_or_one_of_the_last_two_stays(
    drawing: str, seat: str, position: dict[str, Any]
) -> None:
    state = drawn(drawing, **position)
    assert not can_be_forsaken(state, Seat(seat))
    refusal = refuse(state, Forsake(Seat(seat)))
    assert refusal is not None
    assert refusal.reason in (Reason.FORSAKING, Reason.GAME_OVER)
    if refusal.reason is Reason.FORSAKING:
        assert refusal.facts == {"seat": seat}


@pytest.mark.parametrize("deck", ["european12", "us12"])
@pytest.mark.parametrize("credit", ["anyone", "becomes-24"])
def test_nobody_wins_by_a_target_that_went_away(deck: str, credit: str) -> None:
    mission = next(m.id for m in all_missions().values() if m.target == B)
    options = {"goal": "missions", "mission_deck": deck, "kill_credit": credit}
    state = drawn(
        "A SIA 8; B IDA 3; C rest 2", options=options, missions={A: mission, C: "asia-africa"}
    )
    after, _ = forsaken(state, B)
    assert after.phase is not Phase.OVER
    assert after.missions == {A: "occupy-24", C: "asia-africa"}
    assert accomplished(after, A) is None


def test_the_event_reads_back() -> None:
    event = Forsaken(B, (Card("EGY"),))
    assert event_from_json(event_to_json(event)) == event


@pytest.mark.parametrize("public", [True, False])
def test_a_game_with_a_forsaken_seat_is_proved(public: bool) -> None:
    game = a_game(12, seats=3)
    state, events = game.state, game.events
    gone = next(seat for seat in state.standing if can_be_forsaken(state, seat))
    state, happened = forsaken(state, gone)
    events += happened
    closed = dict(game.closed)
    for _ in range(60):
        if state.phase is Phase.OVER:
            break
        link, action = state.link, next_action(state)
        played = play(state, action, chance(link))
        assert not isinstance(played, Refusal)
        state, happened = played
        events += happened
        if state.link != link:
            closed[link] = Closed(checksum(state), link_secret(LAST_SECRET, link))
    text = write(game.header, events, closed, public=public)
    assert f"  forsaken {gone}" in text
    report = verify(text)
    assert report.ok, report.failures
