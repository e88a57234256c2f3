"""`pbem board`, and games on what it imported, seen from outside."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Pbem
from tests.rules.atlas import CARDS, DATA, MAP, text

FILES = (str(DATA / MAP), str(DATA / CARDS))
COMPUTERS = ("--seat", "red=computer", "--seat", "blue=computer", "--seat", "green=computer")


def as_json(pbem: Pbem, *words: str) -> Any:
    result = pbem(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_board_is_checked_without_being_kept(pbem: Pbem) -> None:
    result = pbem("board", "check", *FILES)
    assert result.exit_code == 0
    first, *continents, last = result.stdout.splitlines()
    assert first == (
        "middle-sea: Middle Sea, 14 territories, 22 borders, 4 continents, 2 wild cards,"
        " 11 missions"
    )
    assert continents[3] == "  The Isles 2: SAR Sardinia, SIC Sicilia, CRE Creta"
    assert last == "a game on it: pbem game new --set board=middle-sea ..."
    assert "middle-sea" not in [board["name"] for board in as_json(pbem, "board", "list")]


def test_faults_are_told_by_file_and_line(pbem: Pbem, tmp_path: Path) -> None:
    broken = tmp_path / "broken.map"
    broken.write_text(text(MAP).replace("14 6 8 11", "14 6 8 11 14"), encoding="utf-8")
    for command in ("check", "import"):
        result = pbem("board", command, str(broken), FILES[1])
        assert result.exit_code == 1
        assert result.stdout == "broken.map:44: 14 Creta has a border with itself\n"
    found = json.loads(pbem("board", "check", str(broken), FILES[1], "--json").stdout)
    assert found == {
        "board": None,
        "faults": [{"file": "broken.map", "line": 44, "text": "14 Creta has a border with itself"}],
        "notes": [],
    }


def test_what_orders_cannot_say_and_missing_cards_are_noted(pbem: Pbem, tmp_path: Path) -> None:
    named = tmp_path / "named.map"
    named.write_text(text(MAP).replace("Hellas", "Capital"), encoding="utf-8")
    notes = [n["text"] for n in as_json(pbem, "board", "check", str(named))["notes"]]
    assert notes[0].startswith("the cards are in middle-sea.cards, which was not given")
    assert notes[1].startswith("orders cannot say 'Capital' (en")
    assert notes[1].endswith("they say CAP")


def test_no_code_is_a_colour_that_calls_a_seat(pbem: Pbem, tmp_path: Path) -> None:
    named = tmp_path / "named.map"
    named.write_text(text(MAP).replace("Hellas", "Blu").replace("Italia", "Red"), "utf-8")
    land = as_json(pbem, "board", "check", str(named))["board"]["land"]
    codes = {name: code for c in land for code, name in c["territories"].items()}
    assert (codes["Blu"], codes["Red"]) == ("BAA", "RAA")


def test_an_imported_board_is_in_the_list(pbem: Pbem) -> None:
    made = as_json(pbem, "board", "import", *FILES, "--name", "sea")
    assert made["board"]["name"] == "sea"
    *ours, sea = as_json(pbem, "board", "list")
    assert ours[0]["name"] == "classic-world"
    assert {board["checksum"] for board in ours} == {None}
    assert sea == made["board"]
    assert len(pbem("board", "list").stdout.splitlines()) == len(ours) + 1


def test_the_files_name_stands_in_for_a_title(pbem: Pbem, tmp_path: Path) -> None:
    bare = tmp_path / "Old Sea.map"
    bare.write_text(text(MAP).replace("name Middle Sea\n", ""), encoding="utf-8")
    board = as_json(pbem, "board", "check", str(bare))["board"]
    assert (board["name"], board["title"]) == ("old-sea", "Old Sea")


@pytest.mark.parametrize("name", ["classic-world", "italian-board", "Sea", "a/b", "x" * 41])
def test_a_name_that_is_taken_or_none_is_refused(pbem: Pbem, name: str) -> None:
    result = pbem("board", "import", *FILES, "--name", name)
    assert result.exit_code == 2
    assert repr(name) in result.output.replace("\n", " ")


def test_a_file_that_is_not_there_is_one_line(pbem: Pbem) -> None:
    result = pbem("board", "check", "nowhere.map")
    assert result.exit_code == 2
    assert "nowhere.map" in result.output


def test_a_board_of_our_own_form_is_checked_too(pbem: Pbem, tmp_path: Path) -> None:
    ours = Path(__file__).parents[2] / "pbem" / "rules" / "boards" / "classic-world.toml"
    own = ours.read_text(encoding="utf-8").replace('"classic-world"', '"my-world"', 1)
    file = tmp_path / "my-world.toml"
    file.write_text(own, encoding="utf-8")
    assert as_json(pbem, "board", "import", str(file))["board"]["territories"] == 42
    file.write_text(own.replace('["alaska", "alberta"]', '["alaska", "atlantis"]'), "utf-8")
    (fault,) = json.loads(pbem("board", "check", str(file), "--json").stdout)["faults"]
    line = own.splitlines().index('  ["alaska", "alberta"],') + 1
    assert (fault["line"], fault["text"]) == (
        line,
        "a border names 'atlantis', which is no territory",
    )
    file.write_text(own.replace("[map]", "[map", 1), encoding="utf-8")
    (fault,) = json.loads(pbem("board", "check", str(file), "--json").stdout)["faults"]
    assert fault["line"] == own.splitlines().index("[map]") + 1
    file.write_text(own.replace('code = "ALA"', 'code = "ALL"'), encoding="utf-8")
    (fault,) = json.loads(pbem("board", "check", str(file), "--json").stdout)["faults"]
    assert "the code 'ALL' is a word of the orders" in fault["text"]


class TestAGame:
    def test_it_is_made_shown_exported_and_proved(self, pbem: Pbem) -> None:
        pbem("board", "import", *FILES)
        made = pbem("game", "new", *COMPUTERS, "--set", "board=middle-sea", "--start")
        assert made.exit_code == 0, made.output
        shown = as_json(pbem, "game", "show", "g1")
        assert shown["phase"] == "claim"
        record = pbem("game", "export", "g1").stdout
        assert '[Board "middle-sea@' in record
        verified = pbem("verify", "-", stdin=record)
        assert verified.exit_code == 0, verified.output
        assert pbem("replay", "-", stdin=record).exit_code == 0
        assert as_json(pbem, "game", "list")[0]["phase"] == "claim"

    @pytest.mark.parametrize(
        ("old", "new"),
        [("Iberia", "Hispania"), ("{", "{{"), ("middle-sea@", "other-sea@")],
    )
    def test_a_record_whose_board_was_changed_is_refused_with_its_line(
        self, pbem: Pbem, old: str, new: str
    ) -> None:
        pbem("board", "import", *FILES)
        pbem("game", "new", *COMPUTERS, "--set", "board=middle-sea", "--start")
        record = pbem("game", "export", "g1").stdout
        changed = pbem("verify", "-", stdin=record.replace(old, new))
        assert changed.exit_code == 1
        line = next(n for n, t in enumerate(record.splitlines(), 1) if t.startswith("[BoardText"))
        assert f"line {line}: format:" in changed.stdout

    def test_a_record_of_a_board_that_nobody_has_is_refused(self, pbem: Pbem) -> None:
        pbem("board", "import", *FILES)
        pbem("game", "new", *COMPUTERS, "--set", "board=middle-sea", "--start")
        record = pbem("game", "export", "g1").stdout
        lines = [t for t in record.splitlines() if not t.startswith("[BoardText")]
        strange = "\n".join(lines).replace("middle-sea@", "middle-sea@0")
        changed = pbem("verify", "-", stdin=strange)
        assert changed.exit_code == 1
        assert "is not known here" in changed.stdout

    def test_missions_are_those_of_the_board(self, pbem: Pbem) -> None:
        pbem("board", "import", *FILES)
        missions = ("--ruleset", "missions-2015", "--set", "board=middle-sea")
        made = as_json(pbem, "game", "new", *COMPUTERS, *missions)
        assert made["mission_deck"]["name"] == "Middle Sea"
        refused = pbem("game", "new", *COMPUTERS, *missions, "--set", "mission_deck=us12")
        assert refused.exit_code == 2
        assert "has missions of its own" in " ".join(refused.output.split())

    def test_missions_on_a_board_without_any_are_refused_by_name(self, pbem: Pbem) -> None:
        pbem("board", "import", FILES[0])
        missions = ("--ruleset", "missions-2015", "--set", "board=middle-sea")
        refused = pbem("game", "new", *COMPUTERS, *missions)
        assert refused.exit_code == 2
        assert "the board Middle Sea has no missions of its own" in " ".join(refused.output.split())

    def test_an_unknown_board_is_refused_with_those_that_there_are(self, pbem: Pbem) -> None:
        refused = pbem("game", "new", *COMPUTERS, "--set", "board=middle-sea")
        assert refused.exit_code == 2
        said = " ".join(refused.output.split())
        assert "no board is called 'middle-sea'" in said
        assert "italian-board" in said
