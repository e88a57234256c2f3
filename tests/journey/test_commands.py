"""What the commands print and how they end."""

import json
import re
import socket
from pathlib import Path

import pytest

from pbem.rules.verify import verify
from tests.embedded.conftest import wait_for
from tests.journey.conftest import GM
from tests.journey.house import House, person
from tests.journey.robot import MAP
from tests.journey.table import GameTable, open_table

ROLL = re.compile(r"\b\d+:[1-6]{1,3}/[1-6]{1,2}\b")
SHOWN = {"turn", "on_turn", "phase", "to_place", "step", "version", "board", "deadline"}


@pytest.fixture(scope="module")
def table(house: House) -> GameTable:
    """A game in its second turn, with dice thrown and, if they fell well, a card drawn."""
    table = open_table(house)
    front = table.own()[0]
    target = table.enemy_of(front)
    answer = table.say(f"place the rest in {front}\nattack {target} from {front}, all in\nend\n")
    assert answer.state["open"] == "no", answer.text
    table.wait_call(2)
    return table


def test_new_prints_the_seats_and_where_their_letters_can_be_answered(house: House) -> None:
    anna, bob = person("anna"), person("bob")
    done = house.run(
        *("game", "new", "--ruleset", "classic-1993", "--json", "--pace", "48h"),
        f"--seat=green={anna}",
        f"--seat=red=Roberto B <{bob}>:it",
        "--seat=black=computer",
    )
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert set(made) == {"id", "seats"}
    keys = ["letter", "colour", "name", "address", "reply_to"]
    assert [list(seat) for seat in made["seats"]] == [keys] * 3
    assert [(s["letter"], s["colour"], s["address"]) for s in made["seats"]] == [
        ("A", "green", anna),
        ("B", "red", bob),
        ("C", "black", None),
    ]
    assert made["seats"][1]["name"] == "Roberto B"
    assert made["seats"][2]["reply_to"] is None
    for seat in made["seats"][:2]:
        assert house.letter(seat["address"], "invitation").reply_to == seat["reply_to"]

    shown = house.show(made["id"])
    assert (shown["phase"], shown["turn"], shown["on_turn"]) == ("invited", 0, None)
    assert shown["board"] == {}

    mail = house.send(anna, made["seats"][0]["reply_to"], "YES")
    joined = house.answer(mail)
    assert joined.kind == "joined"
    house.answer(house.send(bob, made["seats"][1]["reply_to"], "sì"))
    called = house.letter(anna, "setup-call")
    assert called.state["phase"] == "claim"
    assert house.show(made["id"])["phase"] == "claim"
    assert house.letter(bob, "setup-call").in_reply_to is None


def test_a_no_is_told_to_the_game_master(house: House) -> None:
    anna, bob = person("anna"), person("bob")
    game = house.new_game({"red": anna, "blue": f"Bob <{bob}>", "green": "computer"})["id"]
    answer = house.say(house.letter(bob, "invitation"), "NO\n")
    assert answer.kind == "note"
    assert house.sink is not None
    sink = house.sink
    sink.wait(
        lambda: [one for one in sink.to(GM, "note") if f"[{game}]" in one.subject], 30, "note"
    )
    told = next(one for one in sink.to(GM, "note") if f"[{game}]" in one.subject)
    assert "Bob" in told.text
    assert house.show(game)["phase"] == "invited"
    assert house.say(house.letter(anna, "invitation"), "YES").kind == "joined"
    assert house.show(game)["phase"] == "invited"


def test_one_address_on_two_seats_only_if_it_is_said(house: House) -> None:
    anna = person("anna")
    seats = [f"--seat={colour}={anna}" for colour in ("red", "blue", "green")]
    refused = house.run("game", "new", *seats)
    assert refused.returncode in (1, 2)
    assert "--allow-same" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    made = json.loads(house.run("game", "new", *seats, "--allow-same", "--json").stdout)
    assert len({seat["reply_to"] for seat in made["seats"]}) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ruleset", "chess"], "chess"),
        (["--set", "fortify=everywhere"], "fortify"),
        (["--set", "colour=loud"], "colour"),
        (["--set", "nonsense"], "nonsense"),
        (["--seat", "pink=p@people.example"], "pink"),
        (["--seat", "yellow=nobody"], "nobody"),
        (["--seat", "yellow=y@people.example:klingon"], "klingon"),
        (["--seat", "red=r@people.example"], "red"),
        (["--pace", "soon"], "soon"),
        (["--remind", "5x"], "5x"),
        (["--language", "tlh"], "tlh"),
        (["--setup", "random"], "random"),
    ],
)
def test_what_makes_no_sense_is_one_line(house: House, arguments: list[str], said: str) -> None:
    seats = [f"--seat={colour}={person(colour)}" for colour in ("red", "blue", "green")]
    games = house.ask("game", "list")
    done = house.run("game", "new", *seats, *arguments)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert house.ask("game", "list") == games


def test_an_unknown_game_is_refused(house: House) -> None:
    for command in ("show", "export"):
        done = house.run("game", command, "g99999")
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
        assert "g99999" in done.stderr


def test_show_tells_the_position_and_no_hand(house: House, table: GameTable) -> None:
    shown = table.show()
    assert set(shown) >= SHOWN
    assert sorted(shown["board"]) == sorted(MAP.codes)
    assert (shown["turn"], shown["on_turn"]) == (2, table.letter_on_turn)
    assert shown["phase"] in ("trade", "place")
    assert {code: list(held) for code, held in table.call.board.items()} == shown["board"]
    assert "hand" not in json.dumps(shown)
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*(\+00:00|Z)$", shown["deadline"])


def test_show_changes_only_if_the_game_does(house: House, table: GameTable) -> None:
    before = table.standing()
    for who in table.waiting:
        assert house.say(table.newest(who), "end\n").kind == "mistakes"
    assert house.say(table.call, "help\n").kind == "help"
    assert house.say(table.call, "yes\n").kind == "mistakes"
    assert table.standing() == before


def test_an_answer_to_an_old_letter_does_not_change_what_show_tells(house: House) -> None:
    table = open_table(house)
    table.say(f"place 1 in {table.own()[0]}\n")
    before = table.standing()
    assert house.say(table.newest(table.waiting[0]), "end\n").kind == "mistakes"
    assert table.standing() == before


def test_a_running_game_is_exported_and_its_closed_turns_are_proved(
    house: House, table: GameTable
) -> None:
    full = house.export(table.game)
    public = house.export(table.game, "--public")
    assert ROLL.search(full), full
    assert ROLL.findall(public) == ROLL.findall(full)
    for record in (full, public):
        report = verify(record)
        assert report.ok, report.failures
    faces = re.findall(r"^  card (\w+)$", full, re.MULTILINE)
    assert re.findall(r"^  card (\S+)$", public, re.MULTILINE) == ["?"] * len(faces)


def test_the_list_names_each_game(house: House, table: GameTable) -> None:
    assert table.game in house.ask("game", "list")
    listed = json.loads(house.ask("game", "list", "--json"))
    assert table.game in [line["id"] for line in listed]


def test_health_and_readiness(house: House) -> None:
    assert house.get("/healthz")[0] == 200
    wait_for(lambda: house.get("/readyz")[0] == 200, 20)


def test_a_login_link_leads_to_the_port_that_was_found(house: House) -> None:
    link = house.ask("gm", "link", GM).strip()
    assert link.startswith(f"{house.at['url']}/login/")


def test_starting_twice_is_one_line(house: House) -> None:
    done = house.run("serve")
    assert done.returncode == 2
    assert "in use" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("setting", ["SMTP_LISTEN", "HTTP_LISTEN"])
def test_a_taken_port_is_one_line(house: House, tmp_path: Path, setting: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        done = house.run("serve", DATA_DIR=str(tmp_path / "other"), **{setting: listen})
    assert done.returncode == 2
    assert f"PBEM_{setting}" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("SMTP_LISTEN", "nowhere"),
        ("RELAY_URL", "http://relay.example"),
        ("SENDER_AUTH", "perhaps"),
        ("RETRY_STEPS", "later"),
        ("GM", "nobody"),
        ("DATABASE_URL", "mysql://db.example/x"),
    ],
)
def test_a_wrong_setting_is_one_line(house: House, setting: str, value: str) -> None:
    done = house.run("serve", **{setting: value})
    assert done.returncode == 2
    assert f"PBEM_{setting}" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_an_unknown_command_or_option_is_a_usage_error(house: House) -> None:
    for wrong in (["conquer"], ["game", "new", "--colour", "red"], ["game", "show"]):
        assert house.run(*wrong).returncode == 2
