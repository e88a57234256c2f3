"""A game with missions from its setup on: who reads what, and how it is exported."""

from pathlib import Path

import pytest

from pbem.judge import export
from pbem.rules import notation
from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import Parlour, words_of

GOALS = ("Hold ", "Take the last territory of ")


@pytest.fixture
def parlour(tmp_path: Path) -> Parlour:
    return Parlour(tmp_path, ruleset="missions-2015")


def test_the_setup_call_brings_everybody_a_mission(parlour: Parlour) -> None:
    parlour.play()
    for letter in parlour.letters(kind="setup-call"):
        assert "YOUR MISSION (ONLY YOU SEE IT)" in words_of(letter)
        assert any(goal in words_of(letter) for goal in GOALS)


def test_the_rules_line_marks_a_deck_that_is_not_verified(parlour: Parlour) -> None:
    parlour.play()
    (letter, *_) = parlour.letters(kind="setup-call")
    told = "Each seat has a secret mission, from the deck european12. (The list of this deck is not"
    assert told in words_of(letter)


def test_the_public_record_hides_the_missions_of_a_running_game(parlour: Parlour) -> None:
    with session(parlour.engine) as opened:
        game = games.find(opened, parlour.game_id)
        assert game is not None
        dealt = notation.state_from_json(game.state).missions
        public = export.export(opened, game, public=True)
    assert len(dealt) == 3
    assert [f"mission {seat} ?" in public for seat in dealt] == [True] * 3
    assert not any(mission in public for mission in dealt.values())
