"""A game of two with the neutral army, from its setup on, by mail."""

from pathlib import Path

import pytest

from pbem.judge import computer
from pbem.orders import plan
from pbem.rules import notation
from pbem.rules.board import Code
from pbem.rules.position import Phase
from pbem.rules.seat import NEUTRAL
from pbem.rules.state import State
from pbem.rules.view import view
from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import ANNA, BERTA, Parlour, mail, words_of
from tests.rules.table import A, drawn


@pytest.fixture
def parlour(tmp_path: Path) -> Parlour:
    opened = Parlour(tmp_path, ruleset="two-player-2015", seats=2, proofs=False)
    opened.play()
    return opened


def state(parlour: Parlour) -> State:
    with session(parlour.engine) as opened:
        game = games.find(opened, parlour.game_id)
        assert game is not None
        return notation.state_from_json(game.state)


def test_the_setup_call_says_what_is_placed_for_the_neutral_army(parlour: Parlour) -> None:
    (letter, _) = parlour.letters(kind="setup-call")
    told = "The neutral army has 26 armies, which you and your opponent place in turn"
    assert told in words_of(letter)
    assert "They come last." in words_of(letter)
    assert "N Neutral" in words_of(letter)


def test_the_lists_of_both_place_it(parlour: Parlour) -> None:
    first, second, *_ = state(parlour).held(NEUTRAL)
    for letter, spot in (("A", first), ("B", second)):
        text = f"place neutral 13 in {spot}"
        sender = {"A": ANNA, "B": BERTA}[letter]
        parlour.bring(mail(text, sender=sender), parlour.address(letter), mail_from=sender)
    after = state(parlour)
    assert after.phase is Phase.PLACE
    assert (after.armies[first], after.armies[second]) == (14, 14)
    result = words_of(parlour.letters(kind="setup-result")[0])
    assert "Neutral placed 13 in" in result


def test_a_computer_places_half_of_it_before_the_opponent() -> None:
    seen = drawn(
        "A SIA 1; B CHN 1, KCH 1; N rest 1",
        phase=Phase.FILL,
        reserve={A: 2, "B": 2, NEUTRAL: 4},
    )
    wishes = computer.setup_wishes(view(seen, A))
    assert wishes[1] == plan.PlaceNeutral((plan.Spot(Code("MGL"), 2),))
