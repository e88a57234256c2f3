"""`pbem orders check`, seen from outside."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Pbem

POSITION = """
seats = ["red", "blue", "green"]
turn = "red"
phase = "place"
to_place = 4
rest = { blue = 1 }
holdings.red = { SIA = 5 }
holdings.green = { IDO = 2 }
"""


@pytest.fixture
def position(tmp_path: Path) -> str:
    file = tmp_path / "position.toml"
    file.write_text(POSITION)
    return str(file)


def checked(pbem: Pbem, position: str, orders: str, *words: str) -> tuple[int, dict[str, Any]]:
    result = pbem("orders", "check", "--position", position, *words, "-", stdin=orders)
    return result.exit_code, json.loads(result.stdout)


def test_orders_are_shown_with_every_default(pbem: Pbem, position: str) -> None:
    code, found = checked(pbem, position, "place 4 siam\nattack india from siam, keep 4\nend\n")
    assert code == 0
    assert found == {
        "orders": ["place 4 in Siam", "attack India from Siam, keep 4, move in the least", "end"],
        "mistakes": [],
        "ignored": [],
        "corrected": None,
    }


def test_a_text_is_levelled_as_that_of_a_mail(pbem: Pbem, position: str) -> None:
    code, found = checked(
        pbem, position, "\u2022 place\u00a04 in Si\u00adam\u2028attack Siam \u2192 India"
    )
    assert code == 0
    assert found["orders"] == ["place 4 in Siam", "attack India from Siam, move in the least"]


def test_all_mistakes_come_with_code_line_and_words(pbem: Pbem, position: str) -> None:
    orders = "Hello all\nplace 4 in Alaska\nattack Idnai from Siam\n"
    code, found = checked(pbem, position, orders)
    assert code == 1
    assert [(m["code"], m["line"]) for m in found["mistakes"]] == [("E05", 2), ("E01", 3)]
    assert "Did you mean India?" in found["mistakes"][1]["text"]
    assert [(one["line"], one["text"]) for one in found["ignored"]] == [(1, "Hello all")]


def test_a_single_likely_repair_gives_a_corrected_text(pbem: Pbem, position: str) -> None:
    _, found = checked(pbem, position, "attack India from Siam\nplace 4 in Siam\n")
    assert [mistake["code"] for mistake in found["mistakes"]] == ["E14"]
    assert found["corrected"][0] == "place 4 in Siam"


def test_a_seat_that_is_not_on_turn_is_told_so(pbem: Pbem, position: str) -> None:
    for seat in ("blue", "B", "b"):
        code, found = checked(pbem, position, "end\n", "--seat", seat)
        assert (code, found["mistakes"][0]["code"]) == (1, "E19")


def test_orders_are_read_in_the_language_that_is_named(pbem: Pbem, position: str) -> None:
    code, found = checked(pbem, position, "metti 4 in Siam\n", "--language", "it")
    assert code == 0, found
    assert len(found["orders"]) == 1


def test_a_case_file_gives_the_position_of_its_first_case(pbem: Pbem, tmp_path: Path) -> None:
    file = tmp_path / "cases.toml"
    body = "[case.position]" + POSITION + "[case.given]\n[case.expect]\n"
    file.write_text(f'[[case]]\nid = "first"\n{body}')
    code, found = checked(pbem, str(file), "place 4 in Siam\n")
    assert (code, found["orders"]) == (0, ["place 4 in Siam"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seats = [", "Invalid value"),
        ('seats = ["pink", "red"]', "pink"),
        ('seats = ["red", "blue"]\nholdings.red = { XYZ = 1 }', "XYZ"),
        ("[given]\n", "position"),
    ],
)
def test_a_position_that_cannot_be_is_one_line(
    pbem: Pbem, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "position.toml"
    file.write_text(text)
    result = pbem("orders", "check", "--position", str(file), "-", stdin="end\n")
    assert result.exit_code == 2
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_unknown_seats_and_languages_are_misuse(pbem: Pbem, position: str) -> None:
    for words in (("--seat", "Z"), ("--language", "tlh")):
        result = pbem("orders", "check", "--position", position, *words, "-", stdin="end\n")
        assert result.exit_code == 2
        assert result.stderr.startswith("pbem: ")
