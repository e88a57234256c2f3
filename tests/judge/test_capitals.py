"""A game for capitals by mail: the draft, then a second call for the choice, then turn 1."""

from pathlib import Path

import pytest

from pbem.judge import thinking
from pbem.rules import notation
from pbem.rules.position import Phase
from pbem.rules.state import State
from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import ANNA, BERTA, Parlour, kinds, mail, words_of

PEOPLE = {"A": ANNA, "B": BERTA, "C": "carla@example.org"}


@pytest.fixture
def parlour(tmp_path: Path) -> Parlour:
    opened = Parlour(tmp_path, ruleset="capital-2015", proofs=False)
    opened.play()
    return opened


def state(parlour: Parlour) -> State:
    with session(parlour.engine) as opened:
        game = games.find(opened, parlour.game_id)
        assert game is not None
        return notation.state_from_json(game.state)


def everybody_writes(parlour: Parlour, *texts: str) -> None:
    for (letter, sender), text in zip(PEOPLE.items(), texts, strict=True):
        parlour.bring(mail(text, sender=sender), parlour.address(letter), mail_from=sender)


def test_the_choice_is_asked_for_when_the_board_is_full(parlour: Parlour) -> None:
    everybody_writes(parlour, "claim Asia, nearest", "claim Europe, nearest", "claim any")
    assert state(parlour).phase is Phase.CAPITAL
    calls = parlour.letters(kind="setup-call", to=ANNA)
    assert len(calls) == 2
    assert "Now each seat chooses one of its own to be its capital" in words_of(calls[-1])
    assert "| capital " in words_of(calls[-1])
    assert parlour.letters(kind="setup-result") == []


def test_all_choices_begin_the_game(parlour: Parlour) -> None:
    everybody_writes(parlour, "claim Siam, nearest", "claim Iceland, nearest", "claim Peru, any")
    everybody_writes(parlour, "capital Siam", "capital Iceland", "capital Peru")
    assert state(parlour).capitals == {"A": "SIA", "B": "ICE", "C": "PRU"}
    assert state(parlour).turn == 1
    result = words_of(parlour.letters(kind="setup-result", to=ANNA)[0])
    assert "Red (Anna): Siam" in result
    assert "Blue (Berta): Iceland" in result
    assert "You got" in result
    assert "turn-call" in kinds(parlour.letters())


def test_a_computer_chooses_too(parlour: Parlour) -> None:
    with session(parlour.engine) as opened:
        for seat in games.seats(opened, parlour.game_id):
            if seat.letter == "C":
                seat.computer = True
                opened.add(seat)
    thinking.think(parlour.engine, parlour.game_id, parlour.now)
    for (letter, sender), text in zip(PEOPLE.items(), ("claim any", "claim any"), strict=False):
        parlour.bring(mail(text, sender=sender), parlour.address(letter), mail_from=sender)
    assert state(parlour).phase is Phase.CAPITAL
    thinking.think(parlour.engine, parlour.game_id, parlour.now)
    for (letter, sender), text in zip(PEOPLE.items(), ("end", "end"), strict=False):
        parlour.bring(mail(text, sender=sender), parlour.address(letter), mail_from=sender)
    assert state(parlour).turn == 1
    assert len(state(parlour).capitals) == 3
