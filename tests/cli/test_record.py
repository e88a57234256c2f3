"""`pbem verify` and `pbem replay`, seen from outside."""

import json
import re
from pathlib import Path

import pytest

from pbem.rules import record
from tests.cli.conftest import Pbem
from tests.rules.recorded_game import a_game


@pytest.fixture
def true_record() -> str:
    game = a_game(6, ends_open=True)
    return record.write(game.header, game.events, game.closed, public=False)


def test_a_true_record_is_proved_and_what_is_still_open_is_counted(
    pbem: Pbem, true_record: str, tmp_path: Path
) -> None:
    file = tmp_path / "g7.record"
    file.write_text(true_record)
    result = pbem("verify", str(file))
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == "ok"
    assert "link 7" in result.stdout
    assert "dice of the turn that is open" in result.stdout


def test_a_die_that_was_turned_fails_on_its_line(pbem: Pbem, true_record: str) -> None:
    lines = true_record.splitlines()
    place = next(number for number, line in enumerate(lines) if "  attack " in line)
    lines[place] = re.sub(r":(\d)", lambda face: f":{int(face[1]) % 6 + 1}", lines[place], count=1)
    result = pbem("verify", "-", stdin="\n".join(lines))
    assert result.exit_code == 1
    assert f"line {place + 1}: die: " in result.stdout
    assert not result.stdout.endswith("ok\n")


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_record_is_called_empty(pbem: Pbem, text: str) -> None:
    proved = pbem("verify", "-", stdin=text)
    assert (proved.exit_code, proved.stdout.splitlines()[0]) == (1, "format: the record is empty")
    for words in (("replay", "-"), ("verify", "-", "--roll", "3")):
        told = pbem(*words, stdin=text)
        assert (told.exit_code, told.stderr) == (1, "pbem: format: the record is empty\n")


def test_programs_get_the_failures_as_json(pbem: Pbem, true_record: str) -> None:
    forged = re.sub(r"end =\w{8}", "end =00000000", true_record, count=1)
    result = pbem("verify", "-", "--json", stdin=forged)
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert report["ok"] is False
    assert {failure["check"] for failure in report["failures"]} == {"checksum"}


def test_one_roll_is_explained_with_its_secret(pbem: Pbem, true_record: str) -> None:
    result = pbem("verify", "-", "--roll", "1", stdin=true_record)
    assert result.exit_code == 0
    secret = re.search(r"secret (\w{64})", true_record)
    assert secret is not None
    assert secret[1] in result.stdout
    assert result.stdout.endswith("ok, these are the dice of the record\n")


def test_a_roll_that_is_not_there_is_one_line(pbem: Pbem, true_record: str) -> None:
    result = pbem("verify", "-", "--roll", "99999", stdin=true_record)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "pbem: there is no roll 99999 in this record\n"


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_text_that_is_no_record_fails_and_a_file_that_is_not_there_is_misuse(
    pbem: Pbem, command: str, tmp_path: Path
) -> None:
    text = pbem(command, "-", stdin="hello\n")
    assert text.exit_code == 1
    assert "format" in text.output
    gone = pbem(command, str(tmp_path / "gone"))
    assert gone.exit_code == 2
    assert gone.stderr.endswith("No such file or directory\n")
    assert len(gone.stderr.splitlines()) == 1


def test_replay_tells_each_turn_and_its_checksum(pbem: Pbem, true_record: str) -> None:
    result = pbem("replay", "-", stdin=true_record)
    assert result.exit_code == 0, result.output
    assert "turn 2, " in result.stdout
    for checksum in re.findall(r"end (=\w{8})", true_record):
        assert f"  {checksum}\n" in result.stdout


def test_replay_as_json_ends_with_the_board_of_the_game(pbem: Pbem, true_record: str) -> None:
    told = json.loads(pbem("replay", "-", "--json", stdin=true_record).stdout)
    state = a_game(6, ends_open=True).state
    assert told["board"] == {code: [state.owner[code], state.armies[code]] for code in state.owner}
    assert [turn["turn"] for turn in told["turns"]] == list(range(8))
    assert told["stopped"] is None


def test_replay_tells_that_dice_were_changed(pbem: Pbem, true_record: str) -> None:
    roll = re.search(r" \d+:(\d)\d*/\d+ ", true_record)
    assert roll is not None
    place = roll.start(1)
    forged = f"{true_record[:place]}{7 - int(roll[1])}{true_record[place + 1 :]}"
    result = pbem("replay", "-", "--json", stdin=forged)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["turns"]
    assert len(result.stderr.splitlines()) == 1
    assert "false in this record" in result.stderr


def test_replay_stops_where_the_rules_refuse(pbem: Pbem, true_record: str) -> None:
    first = re.search(r"(?m)^  place (\w{3}) (\d+)", true_record)
    assert first is not None
    forged = true_record.replace(first[0], f"  place {first[1]} 900", 1)
    result = pbem("replay", "-", stdin=forged)
    assert result.exit_code == 1
    assert "the rules refuse this" in result.stdout
