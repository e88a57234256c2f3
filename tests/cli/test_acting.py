"""`pbem game rollback` and the other acts, seen from outside."""

import json
from typing import Any

from tests.cli.conftest import Pbem

ANNA, BRUNO = "anna@people.example", "bruno@people.example"


def start(pbem: Pbem) -> list[dict[str, Any]]:
    """A game of two at its first turn, the board dealt; its seats."""
    seats = ("--seat", f"red={ANNA}", "--seat", f"blue={BRUNO}")
    rules = ("--start", "--setup", "deal", "--allow-same")
    made = pbem("game", "new", *seats, "--seat", f"green={BRUNO}", *rules, "--json")
    assert made.exit_code == 0, made.output
    found: list[dict[str, Any]] = json.loads(made.stdout)["seats"]
    return found


def show(pbem: Pbem) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(pbem("game", "show", "g1", "--json").stdout)
    return shown


def test_acts_are_listed_with_their_fields(pbem: Pbem) -> None:
    told = pbem("game", "acts").stdout
    assert "A extend     by=SPAN" in told
    assert "C rollback   to=NUMBER [new_dice=FLAG]" in told
    offered = {act["name"]: act for act in json.loads(pbem("game", "acts", "--json").stdout)}
    assert offered["pause"]["fields"] == [
        {"name": "until", "kind": "moment", "required": False, "choices": []}
    ]


def test_a_preview_changes_nothing(pbem: Pbem) -> None:
    start(pbem)
    before = show(pbem)
    seen = pbem("game", "extend", "g1", "24h", "--preview", "--json")
    assert seen.exit_code == 0
    foreseen = json.loads(seen.stdout)
    assert list(foreseen["changed"]) == ["deadline"]
    assert {letter["kind"] for letter in foreseen["letters"]} == {"note"}
    assert show(pbem) == before


def test_an_act_is_done_by_its_name(pbem: Pbem) -> None:
    start(pbem)
    done = pbem("game", "act", "g1", "option", "option=pace", "value=72h", "--reason", "holidays")
    assert done.exit_code == 0, done.output
    assert '@gm option pace=72h by command-line "holidays"' in pbem("game", "export", "g1").stdout


REFUSED: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("act", "g1", "dance"), 2, "there is no act called dance, only: pause, resume, extend"),
    (("act", "g1", "extend"), 2, "by is missing; write a time as 24h, 90m or 2d"),
    (("act", "g1", "extend", "for=24h"), 2, "by is missing"),
    (("act", "g1", "extend", "by=1h", "for=24h"), 2, "there is no field for, only: by"),
    (("extend", "g1", "soon"), 2, 'by: "soon" cannot be read; write a time as 24h, 90m or 2d'),
    (
        ("pause", "g1", "--until", "May"),
        2,
        'until: "May" cannot be read; write a moment as 2026-12-03T20:00',
    ),
    (("act", "g1", "set", "territory=XXX", "owner=A", "armies=1"), 1, "a territory, as SIA"),
    (("consents", "g1", "--withdraw", "7"), 1, "there is no question 7 in this game"),
    (("act", "g1", "extend", "by"), 2, "FIELD=VALUE"),
    (("rollback", "g1", "9999"), 1, "there is no event 9999 that counts"),
    (("rollback", "g7", "1"), 1, "there is no game g7"),
    (("resume", "g1"), 1, "the game is not paused"),
)


def test_what_cannot_be_done_is_one_line(pbem: Pbem) -> None:
    start(pbem)
    for words, code, told in REFUSED:
        result = pbem("game", *words)
        assert (result.exit_code, told in result.stderr) == (code, True), (words, result.stderr)


def test_an_act_that_waits_says_so_and_can_be_withdrawn(pbem: Pbem) -> None:
    start(pbem)
    assert pbem("game", "act", "g1", "option", "option=consent", "value=players").exit_code == 0
    seen = pbem("game", "act", "g1", "draw", "--preview", "--json")
    assert json.loads(seen.stdout)["asks"] == "players"
    asked = pbem("game", "act", "g1", "draw", "--reason", "no time")
    assert asked.exit_code == 0
    assert "draw waits for the consent of the players until" in asked.stdout
    assert "open      draw      A=? B=? C=?" in pbem("game", "consents", "g1").stdout
    (line,) = json.loads(pbem("game", "consents", "g1", "--withdraw", "1", "--json").stdout)
    assert (line["status"], line["by"], line["of"]) == ("withdrawn", "command line", "players")
    again = pbem("game", "act", "g1", "draw", "--json")
    assert json.loads(again.stdout)["waits"]["number"] == 2
    assert show(pbem)["phase"] != "over"


def test_a_game_is_taken_back_and_its_record_is_proved(pbem: Pbem) -> None:
    start(pbem)
    with_event = json.loads(pbem("game", "events", "g1", "--json").stdout)
    last = with_event[-1]["seq"]
    assert pbem("game", "pause", "g1", "--reason", "power cut").exit_code == 0
    assert "overruled act=pause" in pbem("game", "events", "g1").stdout
    assert pbem("game", "resume", "g1").exit_code == 0
    done = pbem("game", "rollback", "g1", str(last), "--new-dice", "--reason", "wrong map")
    assert done.exit_code == 0, done.output
    for words in ((), ("--public",)):
        record = pbem("game", "export", "g1", *words).stdout
        assert '@gm rollback 1 by command-line "wrong map"' in record
        assert '~1 @gm pause by command-line "power cut"' in record
        proved = pbem("verify", "-", stdin=record)
        assert proved.exit_code == 0, proved.output
        assert pbem("replay", "-", "--json", stdin=record).exit_code == 0
    again = pbem("game", "rollback", "g1", str(last + 1))
    assert again.exit_code == 1


def test_a_rematch_asks_the_same_people_in_another_order(pbem: Pbem) -> None:
    start(pbem)
    made = pbem("game", "rematch", "g1", "--json", "--reason", "once more")
    assert made.exit_code == 0, made.output
    again = json.loads(made.stdout)
    assert again["id"] == "g2"
    assert [(s["letter"], s["colour"]) for s in again["seats"]] == [
        ("A", "blue"),
        ("B", "green"),
        ("C", "red"),
    ]
    assert json.loads(pbem("game", "show", "g2", "--json").stdout)["phase"] == "invited"
