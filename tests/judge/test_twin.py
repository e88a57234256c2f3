"""The machine-readable twin of a letter (docs/developers/json.md)."""

import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from jsonschema_rs import meta

from pbem.judge import twin
from pbem.judge.compose import BUILDERS
from pbem.rules.adjudicate import play
from pbem.rules.position import Phase
from pbem.rules.ruleset import RULESETS
from pbem.rules.setup import new_game, open_setup
from pbem.rules.state import Played, State
from pbem.rules.view import view
from tests.judge.desk import Desk
from tests.judge.twins import faults
from tests.rules.player import SeededChance, choose

GUIDE = Path(__file__).parents[2] / "docs" / "developers" / "json.md"
WON = "6 6 6  1"
FIELDS = {
    *("schema", "kind", "game", "turn", "step", "phase", "on_turn", "seat", "to_place"),
    *("reserve", "deadline", "territories", "hand", "hand_sizes", "mission", "capitals"),
    *("result", "closed", "orders", "mistakes", "skipped"),
}


def test_the_file_comes_at_once_and_stays_until_it_is_unset() -> None:
    desk = Desk()
    answer = desk.say("A", "set file json")
    (file,) = answer.mail.iter_attachments()
    assert file.get_content_type() == "application/json"
    assert file.get_filename() == "state.json"
    assert answer.twin["kind"] == "done"
    desk.say("A", "set file none")
    assert list(desk.say("A", "board").mail.iter_attachments()) == []


def test_the_text_and_html_parts_are_there_as_before() -> None:
    answer = Desk().say("A", "set file json")
    assert "Turn 1 is open" in answer.text
    assert answer.mail.get_body(("html",)) is not None


def test_it_says_the_seats_view_and_what_became_of_the_orders() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3, hands={"A": "EGY WILD", "B": "ALA"}, dice=WON)
    desk.say("A", "set file json")
    answer = desk.say("A", "hello\nplace 3 in Siam\nif India at least 5: attack China from Siam")
    assert answer.twin == {
        "schema": twin.SCHEMA,
        "kind": "done",
        "game": "g1",
        "turn": 1,
        "step": 2,
        "phase": "attack",
        "on_turn": "A",
        "seat": "A",
        "to_place": 0,
        "reserve": {},
        "deadline": "2026-01-07T12:00:00+00:00",
        "territories": {
            code: {"owner": desk.state.owner[code], "armies": desk.state.armies[code]}
            for code in desk.state.board.codes
        },
        "hand": [{"card": "EGY", "symbol": "infantry"}, {"card": "WILD", "symbol": "wild"}],
        "hand_sizes": {"A": 2, "B": 1, "C": 0},
        "mission": None,
        "capitals": {},
        "result": "done",
        "closed": False,
        "orders": [
            {"line": 2, "orders": ["place 3 in Siam"], "skipped": False},
            {
                "line": 3,
                "orders": ["if India at least 5: attack China from Siam, move in the least"],
                "skipped": True,
            },
        ],
        "mistakes": [],
        "skipped": [3],
    }


def test_it_says_the_mistakes_by_code_and_line() -> None:
    desk = Desk()
    desk.say("A", "set file json")
    answer = desk.say("A", "attack Idnai from Siam\nend")
    assert answer.twin["result"] == "mistakes"
    assert answer.twin["mistakes"] == [{"code": "E01", "line": 1, "text": "attack Idnai from Siam"}]


def test_every_letter_to_the_seat_has_one_and_only_to_that_seat() -> None:
    desk = Desk()
    desk.say("B", "set file json")
    desk.say("A", "say Bruno: hello\nend say\nend")
    desk.say("B", "place 3 in India\nend")
    kinds = {letter.kind: letter.twin for letter in desk.letters("B")}
    assert set(kinds) == {"done", "press", "turn-call"}
    assert all(document["seat"] == "B" for document in kinds.values())
    assert kinds["turn-call"]["result"] is None
    assert kinds["turn-call"]["to_place"] == 3
    assert all(not list(letter.mail.iter_attachments()) for letter in desk.letters("C"))


def test_in_the_setup_nobody_is_on_turn_and_the_armies_to_place_are_told() -> None:
    state = open_setup(new_game(RULESETS["classic-1993"], 3), SeededChance(7)).state
    told = twin.document(
        view(state, state.seats[1]),
        game="g7",
        kind="setup-call",
        turn=0,
        step=1,
        facts={"deadline": None},
    )
    assert told["on_turn"] is None
    assert told["reserve"] == {"A": 35, "B": 35, "C": 35}


def test_the_guide_names_every_field_and_the_schema() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)`", guide, re.MULTILINE)) == FIELDS
    assert set(Desk().say("A", "set file json").twin) == FIELDS
    assert twin.SCHEMA in guide
    assert f"/schemas/{twin.FORM}.json" in guide


def test_the_published_form_is_that_of_the_version_that_is_written() -> None:
    form = json.loads(twin.form())
    meta.validate(form)
    assert form["properties"]["schema"] == {
        "description": "The name and version of this form.",
        "const": twin.SCHEMA,
    }
    assert f"pbem/{twin.FORM.replace('-', '/')}" == twin.SCHEMA
    assert set(form["properties"]) == set(form["required"]) == FIELDS
    assert form["properties"]["phase"]["enum"] == [str(phase) for phase in Phase]
    assert set(form["properties"]["result"]["enum"]) == twin.ANSWERS | {None}
    assert BUILDERS.keys() <= set(form["properties"]["kind"]["enum"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_phase_of_every_ruleset_has_that_form(ruleset: str) -> None:
    seen: set[Phase] = set()
    for state in course(ruleset, seed=7):
        if state.phase not in seen:
            seen.add(state.phase)
            for reader in state.seats:
                told = twin.document(
                    view(state, reader), game="g7", kind="turn-call", turn=1, step=1, facts={}
                )
                assert faults(json.loads(twin.to_bytes(told))) == [], (state.phase, reader)
    assert seen >= {Phase.FILL, Phase.PLACE, Phase.ATTACK, Phase.TRADE}


def course(ruleset: str, seed: int) -> Iterator[State]:
    """The states of a game, step by step, until much has happened or it is over."""
    chance, rng = SeededChance(seed), random.Random(seed)
    rules = RULESETS[ruleset]
    state: State = new_game(rules, min(4, rules.max_players))
    yield state
    state = open_setup(state, chance).state
    for _ in range(600):
        yield state
        if state.phase is Phase.OVER:
            return
        played = play(state, choose(state, rng), chance)
        assert isinstance(played, Played)
        state = played.state


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("schema", "pbem/letter/2"),
        ("hand_sizes", {"A": -1}),
        ("capitals", {"G": "SIA"}),
        ("territories", {"Siam": {"owner": "A", "armies": 1}}),
        ("territories", {"SIA": {"owner": "A"}}),
        ("deadline", "tomorrow"),
        ("hand", [{"card": "SIA", "symbol": "soldier"}]),
        ("seat", None),
        ("secret", True),
    ],
)
def test_another_form_is_found(field: str, wrong: object) -> None:
    right = Desk().say("A", "set file json").twin
    assert faults(right) == []
    assert len(faults(deepcopy(right) | {field: wrong})) == 1
