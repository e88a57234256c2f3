"""Games that end otherwise than by their goal, and their records."""

import pytest

from pbem.rules.action import CloseGame, EndTurn
from pbem.rules.adjudicate import play, refuse
from pbem.rules.closing import Ending, leader
from pbem.rules.event import GameClosed
from pbem.rules.fair import link_secret
from pbem.rules.notation import checksum, event_from_json, event_to_json
from pbem.rules.position import Phase
from pbem.rules.record import Closed, write
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.ruleset import ruleset
from pbem.rules.seat import Seat
from pbem.rules.setup import new_game
from pbem.rules.state import State
from pbem.rules.verify import Check, verify
from tests.rules.recorded_game import LAST_SECRET, Game, a_game, chance
from tests.rules.table import drawn

A, B, C = Seat("A"), Seat("B"), Seat("C")


def closed(state: State, how: str, winner: Seat | None = None) -> State:
    played = play(state, CloseGame(how, winner), chance(state.link))
    assert not isinstance(played, Refusal), played
    assert played.events == (GameClosed(how, winner),)
    return played.state


@pytest.mark.parametrize(("how", "winner"), [("draw", None), ("stalled", None), ("gm", B)])
def test_a_game_is_closed_in_the_middle_of_a_turn_whatever_is_pending(
    how: str, winner: Seat | None
) -> None:
    state = drawn("A SIA 8; B IDA 1; C rest 2", to_place=5, mid_turn=True)
    over = closed(state, how, winner)
    assert not over.mid_turn
    assert (over.phase, over.winner, over.turn, over.on_turn) == (
        Phase.OVER,
        winner,
        state.turn,
        state.on_turn,
    )
    refusal = refuse(over, EndTurn())
    assert refusal is not None
    assert refusal.reason is Reason.GAME_OVER


def test_a_game_can_be_closed_before_its_setup() -> None:
    invited = new_game(ruleset("classic-1993"), 3)
    assert closed(invited, "gm").phase is Phase.OVER


def test_a_game_that_is_closed_without_a_word_of_a_winner_has_none() -> None:
    played = play(drawn("A SIA 8; C rest 2"), CloseGame("gm"), chance(1))
    assert not isinstance(played, Refusal)
    assert played.state.winner is None
    assert played.events == (GameClosed("gm", None),)


def test_the_round_limit_is_won_by_territories_then_armies() -> None:
    assert leader(drawn("A SIA 9, IDA 9; B CHN 1, MGL 1, JPN 1; C rest 1")) == C
    tied = "A ALA 1, NWT 1, GRL 1, ALB 1, ONT 1, QUE 1, WUS 1, EUS 1, CAM 1, VEN 1, PRU 1, BRA 1, "
    tied += "ARG 1, ICE 1, SCA 1, GBR 1, UKR 1, NEU 1, WEU 1, SEU 1, NAF {}; B rest 1"
    assert leader(drawn(tied.format(2))) == A
    assert leader(drawn(tied.format(1))) is None


@pytest.mark.parametrize(
    ("how", "winner"),
    [
        ("draw", A),
        ("stalled", A),
        ("round-limit", A),
        ("round-limit", None),
        ("gm", Seat("F")),
        ("victory", None),
    ],
)
def test_nobody_is_made_a_winner_against_the_rules(how: str, winner: Seat | None) -> None:
    refusal = refuse(drawn("A SIA 8; C rest 2"), CloseGame(how, winner))
    assert refusal is not None
    assert refusal.reason is Reason.CLOSING


@pytest.mark.parametrize("event", [GameClosed("draw", None), GameClosed("gm", B)])
def test_the_event_reads_back(event: GameClosed) -> None:
    assert event_from_json(event_to_json(event)) == event


def ended(game: Game, how: str, winner: Seat | None = None, *, public: bool = True) -> str:
    """The record of a game that was closed after its last turn."""
    state = closed(game.state, how, winner)
    events = (*game.events, GameClosed(how, winner))
    secret = link_secret(LAST_SECRET, state.link)
    links = {**game.closed, state.link: Closed(checksum(state), secret)}
    return write(game.finished, events, links, public=public)


@pytest.mark.parametrize("how", ["draw", "stalled", "gm"])
def test_a_closed_game_is_proved_to_its_last_card(how: str) -> None:
    text = ended(a_game(9, goal="missions"), how)
    report = verify(text)
    assert report.ok, report.failures
    assert (report.unproved_dice, report.unproved_cards) == (0, 0)
    assert "?" not in text.split("Seats")[1]
    assert text.splitlines()[-2] == f"  closed {how}"


def test_the_winner_by_the_round_limit_is_proved_too() -> None:
    game = a_game(9)
    best = leader(game.state)
    assert best is not None
    text = ended(game, Ending.ROUND_LIMIT, best)
    assert verify(text).ok
    forged = text.replace(
        f"closed round-limit {best}", f"closed round-limit {game.state.after(best)}"
    )
    assert [failure.check for failure in verify(forged).failures] == [Check.LINE]
