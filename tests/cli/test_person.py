"""`pbem person`: everything of somebody is shown, and then nothing of it is left."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.cli.conftest import Pbem
from tests.cli.test_acting import ANNA, start


def test_everything_is_shown(pbem: Pbem) -> None:
    start(pbem)
    told = json.loads(pbem("person", "export", ANNA).stdout)
    assert [(seat["game"], seat["letter"]) for seat in told["seats"]] == [("g1", "A")]
    assert {letter["kind"] for letter in told["letters"]} >= {"setup-call"}


def test_the_game_keeps_the_seat_and_not_the_person(pbem: Pbem, tmp_path: Path) -> None:
    (seat, *_) = start(pbem)
    mail = f"From: {ANNA}\nTo: {seat['reply_to']}\nMessage-ID: <1@x>\n\nend\n"
    assert pbem("mail", "ingest", "-", "--to", seat["reply_to"], stdin=mail).exit_code == 0
    assert pbem("person", "erase", ANNA).exit_code == 2
    done = pbem("person", "erase", ANNA, "--yes")
    assert done.exit_code == 0, done.output
    shown = json.loads(pbem("game", "show", "g1", "--json").stdout)["seats"][0]
    assert (shown["name"], shown["address"], shown["status"]) == ("Red", None, "computer")
    left = json.loads(pbem("person", "export", ANNA).stdout)
    assert [key for key, value in left.items() if value and key != "address"] == []
    with closing(sqlite3.connect(tmp_path / "data" / "pbem.sqlite3")) as database:
        dump = "\n".join(database.iterdump())
    assert ANNA not in dump
    assert ANNA.encode().hex().upper() not in dump.upper()
