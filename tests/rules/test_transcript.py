"""A text that is no record, or not one of this form, is told by its line and in words."""

import re

import pytest

from pbem.rules.transcript import RecordError, read
from tests.rules.atlas import middle_sea
from tests.rules.recorded_game import a_game
from tests.rules.test_record import public


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


@pytest.mark.parametrize(
    ("honest", "broken", "start", "message"),
    [
        (
            '[Record "conquest/1"]',
            '[Record "conquest/2"]',
            "[Record",
            "this program reads conquest/1",
        ),
        ('[Game "g7"]', '[Game "gž"]', "[Game", "Game is plain ASCII"),
        ('[Luck "mango', '[Luck "mangó', "[Luck", "Luck is plain ASCII"),
        (
            *('[Rules "classic-1993"]', '[Rules "monopoly"]', "[Rules"),
            "no ruleset is called 'monopoly'",
        ),
        (
            *('[Rules "classic-1993"]', '[Rules "classic-1993 fortify=fly"]', "[Rules"),
            "fortify can be adjacent or chain or none, not 'fly'",
        ),
        ('[DiceCommit "', '[DiceCommit "x', "[DiceCommit", "DiceCommit is 64 hexadecimal digits"),
        ('[DeckCommit "', '[DeckCommit "x', "[DeckCommit", "DeckCommit is 64 hexadecimal digits"),
        ('"]\n[Luck', '"]8[Luck', "[DeckCommit", "a line of tags holds only"),
        (
            *("setup link 1\n", "setup with link 1\n", "setup"),
            "a block begins with its turn, seat and link",
        ),
        ("  end =", "  end  by ", "  end", "an end line is: end =CHECKSUM secret SECRET"),
    ],
    ids=lambda value: value if " " not in value else None,
)
def test_what_is_wrong_is_told(honest: str, broken: str, start: str, message: str) -> None:
    text = public(a_game(2))
    assert honest in text
    forged = text.replace(honest, broken, 1)
    with pytest.raises(RecordError) as refused:
        read(forged)
    assert str(refused.value).startswith(message)
    assert refused.value.line == line_of(forged, start)


def test_a_tag_that_is_missing_is_told_for_the_whole_text() -> None:
    text = public(a_game(2))
    without = "\n".join(line for line in text.splitlines() if not line.startswith("[Luck"))
    with pytest.raises(RecordError, match=r"^the record has no tag Luck$") as refused:
        read(without)
    assert refused.value.line == 0


def with_board(text: str) -> str:
    """A record that says it was played on this board, and holds the text of the Middle Sea."""
    source = middle_sea().source.replace("\\", "\\\\").replace('"', '\\"')
    own = f'[Board "{text}"]\n[BoardText "{source}"]'
    return public(a_game(2)).replace('[Board "classic-world"]', own, 1)


def test_the_text_of_a_board_is_that_of_the_board_that_is_named() -> None:
    name = middle_sea().id
    assert read(with_board(name)).header.board_id == (name, None)
    forged = with_board("middle-sea@00000000")
    with pytest.raises(RecordError) as refused:
        read(forged)
    says = f"this is the text of the board {name}, not of middle-sea@00000000"
    assert str(refused.value) == says
    assert refused.value.line == line_of(forged, "[BoardText")


def test_a_text_that_is_no_board_is_told_with_its_line() -> None:
    forged = re.sub(r"\[BoardText .*", '[BoardText "{}"]', with_board(middle_sea().id))
    with pytest.raises(RecordError, match="the board has no territory") as refused:
        read(forged)
    assert refused.value.line == line_of(forged, "[BoardText")
