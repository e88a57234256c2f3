"""LUCK: the players' words for the dice, from the joining mail to the check of a record."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.judge import export
from pbem.rules import verify
from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import ANNA, BERTA, Parlour, mail, words_of


@pytest.fixture
def parlour(tmp_path: Path) -> Iterator[Parlour]:
    opened = Parlour(tmp_path, proofs=False, start=False, seats=2)
    yield opened
    opened.close()


def _list(parlour: Parlour) -> str:
    with session(parlour.engine) as opened:
        game = games.find(opened, parlour.game_id)
    assert game is not None
    return game.luck


def test_a_word_comes_with_the_yes_and_is_published_before_the_first_die(parlour: Parlour) -> None:
    (row,) = parlour.bring(mail("YES\nLUCK mango"), parlour.address("A"))
    assert parlour.answers(row) == ["joined"]
    assert "Your word for the dice is mango." in words_of(parlour.letters(kind="joined")[0])
    assert _list(parlour) == "-,-"
    parlour.bring(mail("YES", sender=BERTA), parlour.address("B"), mail_from=BERTA)
    assert _list(parlour) == "mango,-"
    for address in (ANNA, BERTA):
        (call,) = parlour.letters(kind="setup-call", to=address)
        assert "This list was closed before the first die" in words_of(call)
        assert "mango,-" in words_of(call)


def test_the_record_names_the_list_and_verifies(parlour: Parlour) -> None:
    parlour.bring(mail("YES\nLUCK mango"), parlour.address("A"))
    parlour.bring(mail("YES\nLUCK 42", sender=BERTA), parlour.address("B"), mail_from=BERTA)
    with session(parlour.engine) as opened:
        game = games.find(opened, parlour.game_id)
        assert game is not None
        text = export.export(opened, game, public=True)
    assert '[Luck "mango,42"]' in text
    assert verify.verify(text).failures == ()


@pytest.mark.parametrize("word", ["two words", "", "päron", "x" * 25])
def test_what_is_no_word_is_said_and_the_yes_still_counts(parlour: Parlour, word: str) -> None:
    (row,) = parlour.bring(mail(f"YES\nLUCK {word}"), parlour.address("A"))
    assert parlour.answers(row) == ["joined"]
    assert "as a word for the dice" in words_of(parlour.letters(kind="joined")[0])


def test_after_the_first_die_no_word_is_taken(parlour: Parlour) -> None:
    parlour.bring(mail("YES"), parlour.address("A"))
    parlour.bring(mail("YES", sender=BERTA), parlour.address("B"), mail_from=BERTA)
    (row,) = parlour.bring(mail("LUCK mango"), parlour.address("A"))
    assert parlour.answers(row) == ["mistakes"]
    assert _list(parlour) == "-,-"
