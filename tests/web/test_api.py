"""The JSON API and the news feed: the same sight as the pages, for programs."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import ignored_auth

from pbem.judge import atlas, choosing, keys, lobby, reading
from pbem.judge.lobby import NewSeat
from pbem.mail import inbound
from pbem.store import games, inbox
from pbem.store.engine import session
from pbem.store.tables import Source
from tests.judge.parlour import ANNA
from tests.web.office import OWNER, STRANGER, Office, open_office
from tests.web.test_table import give_hand

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with open_office(Path(tmp_path_factory.mktemp("office"))) as opened:
        yield opened
    inbound._sandbox.close()


@pytest.fixture(scope="module")
def watched(office: Office) -> str:
    """A game that everybody may watch, with a closed turn."""
    return game_with(office, "yes")


def game_with(office: Office, spectators: str) -> str:
    parlour = office.parlour
    chosen = {"spectators": spectators, "listed": "yes"}
    rules, made = choosing.choose("classic-1993", chosen, pace=None, remind=())
    people = {"A": ANNA, "B": "berta@example.net", "C": "carla@example.org"}
    seats = [
        NewSeat(colour, address.split("@")[0].capitalize(), address, "en")
        for colour, address in zip(("red", "blue", "green"), people.values(), strict=True)
    ]
    with session(office.engine) as opened:
        game = lobby.create(
            opened,
            office.now,
            ruleset=rules,
            options=made,
            seats=seats,
            language="en",
            entropy=bytes,
        )
        lobby.open_at_turn_one(opened, parlour.house, game, office.now)
        number, state = game.id, atlas.state_of(opened, game)
    on_turn = state.on_turn or ""
    land = sorted(state.held(state.on_turn or state.seats[0]))[0]
    orders = inbox.Delivery(
        source=Source.GM,
        dedupe_key=f"orders:{number}",
        received_at=office.now,
        game_id=number,
        seat=on_turn,
        turn=1,
        step=1,
        reading=reading.orders_of((f"place all in {land}", "end")),
    )
    with session(office.engine) as opened:
        inbox.add(opened, [orders])
    parlour.play()
    return games.public_id(number)


def key_of(office: Office, address: str) -> dict[str, str]:
    with session(office.engine) as opened:
        made = keys.make(opened, address, "a program", office.now, office._entropy)
    return {"authorization": f"Bearer {made}"}


def test_a_key_sees_what_its_person_sees(office: Office) -> None:
    browser = office.browser()
    anna = key_of(office, ANNA)
    shown = browser.client.get("/api/games/g1", headers=anna).json()
    assert (shown["id"], shown["seat"]) == ("g1", "A")
    assert browser.client.get("/api/games/g1").status_code == 401
    assert browser.client.get("/api/games/g1", headers=key_of(office, STRANGER)).status_code == 404
    own = browser.client.get("/api/games/g1/board", headers=anna).json()
    owners = browser.client.get("/api/games/g1/board", headers=key_of(office, OWNER)).json()
    assert owners["hand"] == []
    assert own["territories"] == owners["territories"]


def test_the_own_hand_is_shown_by_its_codes(office: Office) -> None:
    give_hand(office, "A", "EGY", "WILD")
    client, path = office.browser().client, "/api/games/g1/board"
    assert client.get(path, headers=key_of(office, ANNA)).json()["hand"] == ["EGY", "WILD"]
    assert client.get(path, headers=key_of(office, OWNER)).json()["hand"] == []
    give_hand(office, "A")


@pytest.mark.parametrize("given", ["Bearer nonsense", "Bearer pbem_nonsense", "Basic YTpi", ""])
def test_a_key_that_is_none_is_refused_also_where_none_is_needed(
    office: Office, watched: str, given: str
) -> None:
    client = office.browser().client
    answer = client.get(f"/api/games/{watched}", headers={"authorization": given})
    assert (answer.status_code, answer.json()) == (401, {"error": "no-login"})


def test_a_revoked_key_is_dead(office: Office) -> None:
    given = key_of(office, ANNA)
    with session(office.engine) as opened:
        *_, newest = keys.of(opened, ANNA)
        assert not keys.revoke(opened, STRANGER, newest.id, office.now)
        assert keys.revoke(opened, ANNA, newest.id, office.now)
    assert office.browser().client.get("/api/games", headers=given).status_code == 401


def test_a_key_is_kept_as_its_hash(office: Office) -> None:
    made = key_of(office, ANNA)["authorization"].removeprefix("Bearer ")
    with session(office.engine) as opened:
        *_, newest = keys.of(opened, ANNA)
    assert newest.hash not in made
    assert made not in json.dumps(newest.model_dump(), default=str)


def test_everybody_may_read_what_may_be_watched(office: Office, watched: str) -> None:
    client = office.browser().client
    listed = client.get("/api/games").json()
    assert watched in [one["id"] for one in listed["games"]]
    assert "g1" not in [one["id"] for one in listed["games"]]
    turns = client.get(f"/api/games/{watched}/turns").json()["turns"]
    assert [one["turn"] for one in turns] == [0, 1]
    events = client.get(f"/api/games/{watched}/events?turn=1").json()["events"]
    assert [events[0]["kind"], events[-1]["kind"]] == ["turn-started", "turn-ended"]
    assert client.get(f"/api/games/{watched}/board?turn=0").json()["turn"] == 0
    assert client.get(f"/api/games/{watched}/record").text.startswith("[")


def test_nobodys_address_stands_in_it(office: Office, watched: str) -> None:
    client = office.browser().client
    for path in ("", "/turns", "/events", "/board", "/record", "/events?turn=0"):
        text = client.get(f"/api/games/{watched}{path}", headers=key_of_owner(office)).text
        assert "@" not in text, path


def key_of_owner(office: Office) -> dict[str, str]:
    with session(office.engine) as opened:
        for key in keys.of(opened, OWNER):
            keys.revoke(opened, OWNER, key.id, office.now)
    return key_of(office, OWNER)


def test_a_delayed_game_is_late_here_too(office: Office) -> None:
    late = game_with(office, "delayed")
    client = office.browser().client
    alone = client.get(f"/api/games/{late}").json()
    assert (alone["turn"], alone["delayed"]) == (1, True)
    assert alone in client.get("/api/games").json()["games"]
    assert [one["turn"] for one in client.get(f"/api/games/{late}/turns").json()["turns"]] == [0]
    assert client.get(f"/api/games/{late}/record").status_code == 404
    assert client.get(f"/api/games/{late}/events?turn=1").json()["events"] == []


def test_the_feed_is_atom_with_the_words_of_the_report(office: Office, watched: str) -> None:
    answer = office.browser().client.get(f"/games/{watched}/news.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.content)  # our own answer
    assert feed.tag == f"{ATOM}feed"
    (entry,) = feed.findall(f"{ATOM}entry")
    assert (entry.findtext(f"{ATOM}id") or "").startswith("tag:")
    assert "Turn 1" in (entry.findtext(f"{ATOM}title") or "")
    assert "WHAT HAPPENED" in (entry.findtext(f"{ATOM}content") or "")
    assert datetime.fromisoformat(entry.findtext(f"{ATOM}updated") or "").tzinfo
    assert "@" not in answer.text


def test_a_late_feed_is_empty_and_a_closed_one_is_none(office: Office) -> None:
    late = game_with(office, "delayed")
    client = office.browser().client
    feed = ET.fromstring(client.get(f"/games/{late}/news.atom").content)
    assert feed.findall(f"{ATOM}entry") == []
    assert client.get("/games/g1/news.atom").status_code == 404


def test_a_name_in_a_feed_is_escaped(office: Office, watched: str) -> None:
    with session(office.engine) as opened:
        for seat in games.seats(opened, games.game_id(watched) or 0):
            seat.name = f"<b>&\x0b{seat.letter}"
            opened.add(seat)
    feed = ET.fromstring(office.browser().client.get(f"/games/{watched}/news.atom").content)
    assert feed.find(f"{ATOM}entry") is not None


def test_the_api_keeps_to_its_description(office: Office, watched: str) -> None:
    """Whatever is asked, the status, the type and the form of the answer are those described."""
    client = office.browser().client
    schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    owner = key_of_owner(office)
    asked: set[tuple[str, int]] = set()

    def check(case: Case[Any]) -> None:
        names = {"public_id": watched} if len(asked) % 2 else {}
        path = case.path.format(**{**(case.path_parameters or {}), **names})
        answer = client.get(quote(path), params=case.query or None, headers=owner)
        asked.add((case.path, answer.status_code))
        assert answer.status_code < 500
        # Without a key it is nobody who asks: that is no way around the key.
        case.validate_response(answer, excluded_checks=[ignored_auth])

    for result in schema.get_all_operations():
        try_out = given(case=_described(result))(check)
        settings(
            max_examples=10,
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(try_out)()
    assert {path for path, status in asked if status == 200} == set(
        client.get("/api/openapi.json").json()["paths"]
    )


def _described(result: Any) -> Any:
    """The strategy for a route whose description can be read."""
    return result.ok().as_strategy()
