"""`pbem game`, seen from outside: what the GM gets to see, and what the players are told."""

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Pbem

ANNA, BRUNO, CARLA = (f"{name}@people.example" for name in ("anna", "bruno", "carla"))


@pytest.fixture
def letters(tmp_path: Path) -> Any:
    """All letters so far, oldest first: kind, address and what a note is about."""

    def read() -> list[tuple[str, str, str | None]]:
        wanted = "kind, to_address, json_extract(recipe, '$.facts.about')"
        with closing(sqlite3.connect(tmp_path / "data" / "pbem.sqlite3")) as database:
            return database.execute(f"SELECT {wanted} FROM outbox ORDER BY id").fetchall()

    return read


def new(pbem: Pbem, *words: str) -> dict[str, Any]:
    seats = ("--seat", f"red={ANNA}", "--seat", f"blue={BRUNO}", "--seat", "green=computer")
    result = pbem("game", "new", *seats, "--json", *words)
    assert result.exit_code == 0, result.output
    made: dict[str, Any] = json.loads(result.stdout)
    return made


def show(pbem: Pbem) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(pbem("game", "show", "g1", "--json").stdout)
    return shown


def deadline(pbem: Pbem) -> datetime:
    return datetime.fromisoformat(show(pbem)["deadline"])


def answer(pbem: Pbem, to: str, sender: str, text: str, number: int) -> dict[str, Any]:
    mail = f"From: {sender}\nTo: {to}\nMessage-ID: <{number}@people.example>\n\n{text}\n"
    taken: dict[str, Any] = json.loads(pbem("mail", "ingest", "-", "--json", stdin=mail).stdout)
    return taken


def test_replace_gives_an_address_a_second_seat_only_if_asked(pbem: Pbem) -> None:
    new(pbem)
    refused = pbem("game", "replace", "g1", "C", f"Anna <{ANNA}>")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert f'"{ANNA}" plays seat A of this game already; --allow-same' in refused.stderr
    assert pbem("game", "replace", "g1", "C", ANNA, "--allow-same").exit_code == 0
    assert [seat["address"] for seat in show(pbem)["seats"]] == [ANNA, BRUNO, ANNA]


def test_show_marks_a_seat_that_no_letters_go_to(pbem: Pbem, tmp_path: Path) -> None:
    seats = new(pbem, "--start")["seats"]
    assert [seat["mail"] for seat in show(pbem)["seats"]] == ["goes", "goes", None]
    answer(pbem, seats[0]["reply_to"], ANNA, "STOP MAIL", 1)
    with closing(sqlite3.connect(tmp_path / "data" / "pbem.sqlite3")) as database, database:
        database.execute("UPDATE seat SET unreachable_at = created_at FROM game WHERE letter = 'B'")
    assert [seat["mail"] for seat in show(pbem)["seats"]] == ["stopped", "comes-back", None]
    told = pbem("game", "show", "g1").stdout
    assert ", wants no mail\n" in told
    assert ", mail comes back\n" in told


def test_a_new_game_says_whether_the_list_of_its_missions_is_verified(pbem: Pbem) -> None:
    seats = ("--seat", f"red={ANNA}", "--seat", "blue=computer", "--seat", "green=computer")
    told = pbem("game", "new", *seats, "--ruleset", "missions-2015").stdout
    assert "missions: european12, NOT verified: " in told
    deck = new(pbem, "--ruleset", "missions-2015", "--set", "mission_deck=us12")["mission_deck"]
    assert (deck["name"], deck["verified"]) == ("us12", True)
    assert set(new(pbem)) == {"id", "seats"}


def test_programs_find_the_keys_that_stand_firm(pbem: Pbem) -> None:
    made = new(pbem)
    assert {tuple(sorted(seat)) for seat in made["seats"]} == {
        ("address", "colour", "letter", "name", "reply_to")
    }
    invited = show(pbem)
    firm = {"turn", "on_turn", "phase", "to_place", "step", "version", "board", "deadline"}
    assert invited.keys() >= firm
    assert (invited["board"], invited["on_turn"]) == ({}, None)  # what is unclaimed is absent
    new(pbem, "--start", "--setup", "deal")
    running: dict[str, Any] = json.loads(pbem("game", "show", "g2", "--json").stdout)
    assert running.keys() == invited.keys()
    assert len(running["board"]) == 42
    assert {(type(owner), type(armies)) for owner, armies in running["board"].values()} == {
        (str, int)
    }
    assert datetime.fromisoformat(running["deadline"]).utcoffset() == timedelta()
    assert {type(running[name]) for name in ("turn", "to_place", "step", "version")} == {int}


def test_a_new_game_has_its_seats_in_the_order_given(pbem: Pbem) -> None:
    seats = new(pbem)["seats"]
    assert [(s["letter"], s["colour"], s["address"]) for s in seats] == [
        ("A", "red", ANNA),
        ("B", "blue", BRUNO),
        ("C", "green", None),
    ]
    assert seats[2]["reply_to"] is None
    assert show(pbem)["phase"] == "invited"


@pytest.mark.parametrize(
    "words",
    [
        ("--seat", "red=anna@people.example"),
        ("--seat", "pink=anna@people.example"),
        ("--seat", "red"),
        ("--set", "gravity=off"),
        ("--set", "setup"),
        ("--pace", "soon"),
        ("--pace", "0h"),
        ("--ruleset", "go"),
        ("--language", "tlh"),
    ],
)
def test_a_game_that_makes_no_sense_is_misuse_and_is_not_made(
    pbem: Pbem, words: tuple[str, str]
) -> None:
    seats = ("--seat", f"blue={BRUNO}", "--seat", "green=computer", "--seat", "yellow=computer")
    wrong = ("--seat", "red=computer", *words) if words[0] != "--seat" else words
    if words[1] == "red=anna@people.example":
        wrong = (*words, *words)
    result = pbem("game", "new", *seats, *wrong)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert pbem("game", "list").stdout == ""


def test_a_game_that_is_not_there_fails_in_one_line(pbem: Pbem) -> None:
    for words in (("show", "g9"), ("export", "g9"), ("pause", "g9"), ("extend", "g9", "24h")):
        result = pbem("game", *words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "pbem: there is no game g9; `pbem game list` shows all\n"


def test_a_pause_is_told_to_all_and_holds_the_clock(pbem: Pbem, letters: Any) -> None:
    new(pbem, "--start", "--setup", "deal")
    before = deadline(pbem)
    assert pbem("game", "pause", "g1", "--reason", "power cut").exit_code == 0
    assert letters()[-2:] == [("note", ANNA, "paused"), ("note", BRUNO, "paused")]
    assert pbem("game", "pause", "g1").exit_code == 1

    assert pbem("game", "resume", "g1").exit_code == 0
    assert timedelta() < deadline(pbem) - before < timedelta(minutes=5)
    assert letters()[-2:] == [("note", ANNA, "resumed"), ("note", BRUNO, "resumed")]
    assert pbem("game", "resume", "g1").exit_code == 1


def test_orders_to_a_paused_game_are_answered_with_the_news(pbem: Pbem, letters: Any) -> None:
    seats = new(pbem, "--start", "--setup", "deal")["seats"]
    pbem("game", "pause", "g1")
    before = show(pbem)
    assert answer(pbem, seats[0]["reply_to"], ANNA, "fill nothing", 1)["result"] == "paused"
    assert letters()[-1] == ("note", ANNA, "paused")
    assert show(pbem) == before


def test_show_tells_who_has_answered_the_invitation(pbem: Pbem) -> None:
    seats = new(pbem)["seats"]
    answer(pbem, seats[0]["reply_to"], ANNA, "YES", 1)
    answer(pbem, seats[1]["reply_to"], BRUNO, "NO", 2)
    assert [seat["status"] for seat in show(pbem)["seats"]] == ["joined", "declined", "computer"]
    shown = pbem("game", "show", "g1").stdout.splitlines()
    assert [line.split()[-1] for line in shown[-3:]] == ["joined", "declined", "computer"]


def test_a_paused_game_is_called_paused_and_times_are_short(pbem: Pbem) -> None:
    new(pbem, "--start", "--setup", "deal")
    ends = f"{deadline(pbem):%Y-%m-%d %H:%M} UTC"
    assert pbem("game", "pause", "g1").stdout == f"g1: paused, deadline {ends}\n"
    assert pbem("game", "list").stdout.split(maxsplit=1)[1].startswith("paused ")
    assert ends in pbem("game", "list").stdout
    assert show(pbem)["paused"] is True


def test_an_extended_deadline_is_later_by_so_much(pbem: Pbem, letters: Any) -> None:
    new(pbem, "--start")
    before = deadline(pbem)
    assert pbem("game", "extend", "g1", "1d12h").exit_code == 0
    assert deadline(pbem) - before == timedelta(hours=36)
    assert letters()[-1] == ("note", BRUNO, "deadline-moved")
    assert pbem("game", "extend", "g1", "later").exit_code == 2


def test_a_replaced_seat_has_a_new_address_and_the_old_one_is_refused(
    pbem: Pbem, letters: Any
) -> None:
    old = new(pbem)["seats"][1]["reply_to"]
    words = ("B", f"Carla <{CARLA}>:it", "--reason", "no answer")
    assert pbem("game", "replace", "g1", *words).exit_code == 0
    seat = show(pbem)["seats"][1]
    assert (seat["name"], seat["address"]) == ("Carla", CARLA)
    assert letters()[-3:] == [
        ("note", ANNA, "replaced"),
        ("note", BRUNO, "replaced"),
        ("invitation", CARLA, None),
    ]
    assert answer(pbem, old, BRUNO, "YES", 1)["refused"].startswith("550 5.1.1")
    assert answer(pbem, seat["reply_to"], CARLA, "YES", 2)["result"] == "joined"


def test_a_seat_given_to_the_computer_waits_for_nobody(pbem: Pbem) -> None:
    seats = new(pbem)["seats"]
    answer(pbem, seats[0]["reply_to"], ANNA, "YES", 1)
    assert pbem("game", "replace", "g1", "B", "computer").exit_code == 0
    seat = show(pbem)["seats"][1]
    assert (seat["address"], seat["reply_to"]) == (None, None)
    assert show(pbem)["phase"] == "claim"


def test_a_seat_that_is_not_there_cannot_be_replaced(pbem: Pbem) -> None:
    new(pbem)
    result = pbem("game", "replace", "g1", "F", CARLA)
    assert (result.exit_code, result.stderr) == (1, "pbem: the game has no seat F\n")
    assert pbem("game", "replace", "g1", "B", "nonsense").exit_code == 2


def test_the_record_of_a_running_game_is_true(pbem: Pbem) -> None:
    new(pbem, "--start", "--setup", "deal")
    for words in ((), ("--public",)):
        record = pbem("game", "export", "g1", *words)
        assert record.exit_code == 0
        assert pbem("verify", "-", stdin=record.stdout).exit_code == 0


def test_a_webhook_is_made_tried_out_and_dropped(pbem: Pbem) -> None:
    new(pbem)
    url = "http://127.0.0.1:9/hook"
    (made,) = json.loads(pbem("game", "webhook", "g1", url, "--json").stdout)
    assert (made["url"], made["last"], bool(made["secret"])) == (url, None, True)
    (tried,) = json.loads(pbem("game", "webhook", "g1", url, "--test", "--json").stdout)
    assert tried["secret"] == ""
    assert tried["last"] == {"status": "pending", "error": None}
    assert pbem("game", "webhook", "g1").stdout == f"webhook {url}  last call: pending\n"
    assert pbem("game", "webhook", "g1", url, "--drop").stdout == ""


def test_only_a_webhook_that_is_there_is_tried_out_or_dropped(pbem: Pbem) -> None:
    new(pbem)
    for what in ("--test", "--drop"):
        unknown = pbem("game", "webhook", "g1", "https://hooks.example.org/x", what)
        assert unknown.exit_code == 1
        assert "g1 has no webhook https://hooks.example.org/x; `pbem game" in unknown.stderr
        assert pbem("game", "webhook", "g1", what).exit_code == 2
    assert pbem("game", "webhook", "g1", "https://x.example", "--test", "--drop").exit_code == 2
