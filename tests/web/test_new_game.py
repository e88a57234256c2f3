"""The form of a new game: everything is explained and preset, and nothing typed is ever lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pbem.judge import atlas, choosing
from pbem.judge.choosing import CHOICES, READERS
from pbem.judge.options import Options
from pbem.rules.missions import deck
from pbem.rules.ruleset import OPTIONS, RULESETS
from pbem.store import games
from pbem.store.engine import session
from pbem.web import new_game
from tests.web.office import OWNER, Browser, Office, form_of, open_office

NEW = "/games/new"
BUTTON = "Make it"
TWO = {"seat.blue": "Bruno <bruno@x.example>", "seat.green": "computer"}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with open_office(Path(tmp_path_factory.mktemp("office"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def olga(office: Office) -> Browser:
    return office.browser(OWNER)


def newest(office: Office) -> Any:
    with session(office.engine) as opened:
        return max(games.listing(opened), key=lambda game: game.id)


def fill(olga: Browser, **fields: Any) -> Any:
    return olga.press(olga.get(NEW), BUTTON, **{**TWO, **fields})


def shown(page: LexborHTMLParser, name: str) -> list[str]:
    return [str(node.attributes.get("value")) for node in page.css(f'[name="{name}"]')]


def test_every_option_stands_in_the_form_with_all_its_values(olga: Browser) -> None:
    page = olga.page(NEW)
    for name, values in {**OPTIONS, **CHOICES}.items():
        preset = [""] if name in OPTIONS else []
        assert shown(page, name) == [*preset, *values], name
    for name in {*READERS} - {*CHOICES} - {"board", "days"}:
        assert len(shown(page, name)) == 1, name
    assert shown(page, "ruleset") == [*RULESETS]
    assert len(shown(page, "days")) == 7


def test_every_option_and_ruleset_has_words_in_four_languages(office: Office) -> None:
    browser = office.browser(OWNER)
    told = []
    for language in ("en", "it", "nl", "sl"):
        button = browser.page("/you/visits").css_first(f'button[value="{language}"]')
        assert button is not None
        browser.press(browser.get("/you/visits"), button.text())
        page = browser.page(NEW)
        told.append([node.text() for node in page.css(".told, legend, .option [data-words]")])
    assert len({len(words) for words in told}) == 1
    assert all(len({*same}) > 1 for same in zip(*told, strict=True) if len(same[0]) > 20)


def test_the_rule_behind_each_option_is_linked(olga: Browser) -> None:
    rules = olga.page("/rules")
    links = {str(a.attributes["href"]) for a in olga.page(NEW).css("a.rule")}
    assert len(links) == len(OPTIONS)
    for link in links:
        assert rules.css_first("#" + link.partition("#")[2]) is not None, link


def test_decks_that_are_not_confirmed_say_so(olga: Browser) -> None:
    page = olga.page(NEW)
    for name in OPTIONS["mission_deck"]:
        (box,) = page.css(f'[name="mission_deck"][value="{name}"]')
        told = box.parent.text() if box.parent else ""
        assert ("not confirmed" in told) != deck(name).verified


def test_whoever_writes_nothing_but_names_gets_the_preset_game(
    office: Office, olga: Browser
) -> None:
    answer = fill(olga)
    assert "is made" in answer.text
    game = newest(office)
    assert Options.from_json(game.options) == Options()
    assert (game.ruleset, game.language) == ("classic-1993", "en")
    with session(office.engine) as opened:
        seats = [(seat.colour, seat.address) for seat in games.seats(opened, game.id)]
    assert seats == [("red", OWNER), ("blue", "bruno@x.example"), ("green", None)]


def test_what_stands_preset_in_the_fields_is_what_holds_without_them() -> None:
    fields = {name: new_game.preset(name) for name in READERS if name != "board"}
    written = {name: value for name, value in fields.items() if value}
    assert new_game.wanted(written).options == written
    assert choosing.choose("classic-1993", written, pace=None, remind=())[1] == Options()


def test_what_is_chosen_is_in_the_game(office: Office, olga: Browser) -> None:
    fields = {"ruleset": "simple-it", "fortify": "chain", "at": "20:00", "remind": ""}
    answer = fill(olga, **fields, days=["mon", "tue"], **{"language.blue": "nl"})
    assert "is made" in answer.text
    game = newest(office)
    kept = Options.from_json(game.options)
    assert (game.ruleset, kept.at, kept.remind, kept.days) == ("simple-it", (1200,), (), (0, 1))
    with session(office.engine) as opened:
        assert atlas.state_of(opened, game).ruleset.changes() == {"fortify": "chain"}
        assert games.seats(opened, game.id)[1].language == "nl"


@pytest.mark.parametrize(
    ("where", "fields"),
    [
        ("pace", {"pace": "soon"}),
        ("pace", {"pace": "72h", "at": "20:00"}),
        ("gap", {"gap": "6h"}),
        ("session", {"session": "3d"}),
        ("hours", {"at": "20:00", "hours": "8-18"}),
        ("setup_pace", {"setup_pace": "0s"}),
        ("stalled", {"stalled": "1d"}),
        ("zone", {"zone": "Rome"}),
        ("late_after", {"late_after": "9"}),
        ("away_days", {"away_days": "<b>"}),
        ("round_limit", {"round_limit": "0"}),
        ("mission_deck", {"mission_deck": "us12"}),
        ("capital_target", {"goal": "missions", "capital_target": "short"}),
        ("two_player", {"ruleset": "classic-2015", "two_player": "plain"}),
        ("seats", {"ruleset": "two-player-2015"}),
        ("seat.blue", {"seat.blue": "bruno"}),
        ("seat.yellow", {"seat.yellow": "BRUNO@x.example"}),
        ("ruleset", {"ruleset": "monopoly"}),
    ],
)
def test_what_makes_no_sense_stands_at_its_field_and_nothing_is_lost(
    olga: Browser, where: str, fields: dict[str, str]
) -> None:
    answer = fill(olga, **fields)
    assert answer.status_code == 422
    page = LexborHTMLParser(answer.text)
    fault = page.css_first(f'[id="wrong-{where}"]')
    assert fault is not None
    anchor = f"f-{where.replace('.', '-')}"
    assert page.css_first(f'.problem a[href="#{anchor}"]') is not None
    assert page.css_first(f'[id="{anchor}"]') is not None
    around = fault.parent
    assert around is not None
    assert around.tag != "details" or "open" in around.attributes
    _, kept = form_of(answer.text, BUTTON)
    assert all(kept[name] == value for name, value in fields.items() if name != "ruleset")
    assert kept["seat.blue"] == fields.get("seat.blue", TWO["seat.blue"])


def test_all_that_is_wrong_is_said_at_once(olga: Browser) -> None:
    answer = fill(olga, **{"pace": "soon", "grace": "x", "seat.blue": "y", "kill_credit": "anyone"})
    faults = {node.attributes["id"] for node in LexborHTMLParser(answer.text).css("[id^=wrong]")}
    assert faults == {"wrong-pace", "wrong-grace", "wrong-seat.blue", "wrong-kill_credit"}


def test_days_may_not_all_be_taken_away(olga: Browser) -> None:
    action, fields = form_of(olga.get(NEW).text, BUTTON)
    del fields["days"]
    answer = olga.post(action, fields | TWO)
    assert 'id="wrong-days"' in answer.text


def test_other_rules_are_shown_without_losing_anything(olga: Browser) -> None:
    answer = olga.press(olga.get(NEW), "Show below", ruleset="simple-sl", **TWO)
    assert answer.status_code == 200
    preset = LexborHTMLParser(answer.text).css_first('[data-preset="defence_dice"]')
    assert preset is not None
    assert "simple-sl: always the most" in " ".join(preset.text().split())
    assert form_of(answer.text, BUTTON)[1]["seat.blue"] == TWO["seat.blue"]
