"""Every kind of letter, composed for Anna, and what must hold for all of them."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from jinja2 import TemplateNotFound, UndefinedError
from selectolax.lexbor import LexborHTMLParser

from pbem.orders.reader import read
from pbem.orders.sheet import Table
from pbem.render import contexts
from pbem.render.letters import Composed, compose, templates
from pbem.rules.board import Code
from pbem.rules.card import symbol
from pbem.rules.event import Eliminated, Filled
from pbem.rules.seat import Seat
from pbem.rules.view import view, visible
from tests.render import samples
from tests.render.samples import ANNA, BOARD, BRUNO, DONE, MARKER, SAMPLES, TURN_CALL

LAND = re.compile(rf"\b({'|'.join(BOARD.codes)}) (\S.*?) +([A-FN-]) (\d+)\b")
SYMBOLS = ("soldier", "horse", "cannon", "wild")


def letter(name: str, zone: str = "Europe/Rome") -> Composed:
    context = SAMPLES[name]
    return compose(context.kind, context, "en", zone)


def lands(text: str) -> list[tuple[str, str, str, str]]:
    return [found for line in text.splitlines() for found in LAND.findall(line)]


@pytest.fixture(params=SAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_there_is_a_sample_of_every_kind_of_context() -> None:
    kinds = {kind.kind for kind in contexts.Letter.__subclasses__()} | {"not-understood"}
    assert {context.kind for context in SAMPLES.values()} == kinds


def test_a_setup_whose_territories_were_dealt_before_tells_what_was_placed() -> None:
    setup = SAMPLES["setup-result"]
    assert isinstance(setup, contexts.SetupResult)
    filled = (Filled(ANNA, Code("SIA")), Filled(BRUNO, Code("CHN")))
    text = compose(setup.kind, replace(setup, events=filled), "en", "Europe/Rome").text
    assert "  You placed 1 in Siam." in text
    assert "  Red (Bruno) placed 1 in China." in text


def test_every_kind_is_a_triple_of_templates() -> None:
    files = {path.name for path in (templates() / "mail").iterdir() if path.name[0] != "_"}
    kinds = {context.kind for context in SAMPLES.values()} | {contexts.Login.kind, "lobby"}
    assert files - {".gitkeep"} == {
        f"{kind}.{part}.j2" for kind in kinds for part in ("subject", "txt", "html")
    }


@pytest.mark.parametrize("language", ["en", "it", "nl", "sl"])
def test_the_letter_with_a_link_to_log_in_holds_it_whole_in_both_parts(language: str) -> None:
    link = f"https://games.example.org/login/{'x' * 43}"
    told = compose("login", contexts.Login(link=link, until=samples.DEADLINE), language)
    assert link in told.text.splitlines()
    assert f'href="{link}"' in told.html
    assert max(len(line) for line in told.text.splitlines() if line != link) <= 72


def test_the_subject_is_one_line_with_the_game_in_it(name: str) -> None:
    subject = letter(name).subject
    assert subject == " ".join(subject.split())
    assert "[g7]" in subject or SAMPLES[name].kind == "not-understood"


@pytest.mark.parametrize("name", [n for n in SAMPLES if n != "not-understood"])
def test_a_letter_to_a_seat_begins_with_the_marker_in_both_parts(name: str) -> None:
    composed = letter(name)
    body = LexborHTMLParser(composed.html).css_first(".page")
    assert composed.text.splitlines()[0] == MARKER
    assert body is not None
    assert body.text(strip=True).startswith(MARKER)


def test_no_line_but_an_order_is_wider_than_72_columns(name: str) -> None:
    wide = [line for line in letter(name).text.splitlines() if len(line) > 72]
    assert [line for line in wide if not line.startswith("| ")] == []


def test_the_text_has_no_trailing_blanks_and_no_rows_of_empty_lines(name: str) -> None:
    text = letter(name).text
    assert text == "\n".join(line.rstrip() for line in text.split("\n"))
    assert "\n\n\n" not in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_html_is_small_and_refers_to_nothing_outside(name: str) -> None:
    html = letter(name).html
    assert len(html.encode()) < 40_000
    assert not re.search(
        r"""(src|href|action)=["']?https?:|src=|<script|<link|@import|url\(""", html
    )


def test_html_says_its_language_and_its_tables_say_what_they_are(name: str) -> None:
    page = LexborHTMLParser(letter(name).html)
    root = page.css_first("html")
    assert root is not None
    assert root.attributes["lang"] == "en"
    for table in page.css("table"):
        assert table.css_first("caption") is not None
        assert all(head.attributes["scope"] in ("row", "col") for head in table.css("th"))


def test_html_has_a_preheader_and_a_dark_mode(name: str) -> None:
    html = letter(name).html
    preheader = LexborHTMLParser(html).css_first(".preheader")
    assert preheader is not None
    assert preheader.text(strip=True)
    assert "@media (prefers-color-scheme: dark)" in html


def test_html_says_every_sentence_of_the_text(name: str) -> None:
    """Words stand once: what the text says outside its board, the HTML part says too."""
    composed = letter(name)
    said = " ".join(LexborHTMLParser(composed.html).text().split()).casefold()
    blocks = [b for b in composed.text.split("\n\n") if not re.search(r"^BOARD|Land|(\d| -)$", b)]
    for line in "\n".join(blocks).splitlines():
        assert line.strip().casefold() in said or line == "! changed"


@pytest.mark.parametrize("name", ["turn-call", "done", "done-closed", "report", "setup-result"])
def test_all_territories_stand_in_the_text_exactly_once(name: str) -> None:
    context: Any = SAMPLES[name]
    found = {code: (owner, int(armies)) for code, _, owner, armies in lands(letter(name).text)}
    assert len(lands(letter(name).text)) == 42
    assert found == {
        code: (context.view.owner[code], context.view.armies[code]) for code in BOARD.codes
    }


def test_the_heading_of_the_board_gives_letter_colour_and_name_of_every_seat() -> None:
    heading = "BOARD   A Blue (you) Anna, B Red Bruno, C Green Carla, D Yellow Dita\n"
    assert heading in letter("done").text


@pytest.mark.parametrize("name", ["turn-call", "done", "report", "late", "setup-result"])
def test_cards_of_others_are_never_named_beside_their_symbol(name: str) -> None:
    """Bruno drew Brazil and traded Alaska, Japan and Middle East; Anna may not learn it."""
    composed = letter(name)
    told = re.sub(r"\s+", " ", composed.text + composed.html)
    for card in ("ALA", "JPN", "MEA", "BRA", "QUE"):
        land = BOARD.territories[Code(card)].name
        assert not re.search(rf"{land}[^.;]{{0,20}}({'|'.join(SYMBOLS)})", told)
    assert "Red drew a card." in told or name not in ("turn-call", "report")


def test_symbol_words_stand_only_for_the_cards_of_the_reader() -> None:
    """Without cards of her own, Anna reads of no symbol at all, whatever the others do."""
    bare = replace(samples.state(), hands={**samples.HANDS, ANNA: ()})
    context = replace(TURN_CALL, view=view(bare, ANNA))
    composed = compose("turn-call", context)
    assert not re.search("|".join(SYMBOLS), composed.text + composed.html)


def test_the_own_hand_is_told_with_its_symbols_and_sets() -> None:
    text = letter("turn-call").text
    shown = [str(symbol(BOARD, card, samples.RULESET)) for card in samples.HANDS[ANNA]]
    assert shown == ["infantry", "infantry", "wild"]
    assert "  1 Egypt, soldier\n  2 Peru, soldier\n  3 wild\n" in text
    assert "1 2 3 - 8 armies, 2 more in Egypt\n" in text


def test_done_says_first_whether_the_turn_is_open_and_what_is_left_to_place() -> None:
    assert letter("done").text.splitlines()[2] == "Turn 23 is open, armies left to place: 0."
    closed = letter("done-closed").text.splitlines()[2]
    assert closed == "The turn is closed, armies left to place: 0."


def test_the_answer_to_a_list_never_speaks_of_a_turn() -> None:
    kept, ran = letter("done-setup").text, letter("done-setup-ran").text
    assert "Your list is kept, Anna." in kept
    assert "as soon as all lists are in" in " ".join(kept.split())
    assert "Your list was the last one, Anna: the setup has run" in ran
    assert "Next: Red (Bruno)." in ran
    assert "closed" not in kept + ran


def test_an_answer_to_a_seat_that_is_not_on_turn_says_who_is() -> None:
    first = letter("done-waiting").text.splitlines()[2]
    assert first == "Your turn is closed: Red (Bruno) is on turn. Armies left to place: 0."


def test_the_news_tell_each_deed_on_a_line_of_its_own() -> None:
    told = letter("turn-call").text.split("SINCE YOUR LAST TURN\n")[1].split("\n\nBOARD")[0]
    assert "  Red placed 3 in China and 8 in Peru.\n" in told
    assert "  Red drew a card.\n\n  Green placed 3 in Brazil.\n" in told


def test_the_borders_name_own_armies_and_all_enemies_next_to_them() -> None:
    text = letter("turn-call").text
    assert "\n  Siam 5: India (B 4), China (D 3)\n" in text
    told = text.split("YOUR BORDERS\n")[1].split("\n\n")[0]
    assert "Australia" not in told
    assert "YOUR BORDERS" not in letter("done-waiting").text


def test_every_order_is_printed_behind_a_bar(name: str) -> None:
    """So that no line of a quote that leaks into an answer is ever taken for an order."""
    table = Table(BOARD, {line.letter: line.name for line in samples.TABLE.seats})
    bare = [line for line in letter(name).text.splitlines() if not line.startswith("| ")]
    assert [line for line in bare if read([line], "en", table).lines] == []


def test_a_mistake_is_told_with_its_line_and_what_to_write() -> None:
    told = 'Line 2 "attack Idnai from Siam": I know no territory "Idnai". Did you mean India?'
    assert told in " ".join(letter("mistakes").text.split())
    assert told in " ".join(letter("turn-call-dropped").text.split())


def test_mistakes_of_the_reader_are_told_in_words() -> None:
    """Whatever cannot be read has a text that names the player's own line."""
    lines = ("attack Idnai from Siam", "place 3 in North", "attack India from Siam with 3")
    found = read(lines, "en", Table(BOARD)).mistakes
    text = compose("mistakes", replace(samples.FAULTY, mistakes=found)).text
    assert len(found) == 3
    assert all(f'"{line}"' in " ".join(text.split()) for line in lines)


def test_deadlines_are_told_in_the_zone_of_the_reader_and_in_utc() -> None:
    assert "Tue 2 Dec, 20:00 CET (19:00 UTC)" in letter("reminder").text
    east = letter("reminder", "Asia/Tokyo").text
    assert "Wed 3 Dec, 04:00 JST (Tue 19:00 UTC)" in " ".join(east.split())
    assert "Tue 2 Dec, 19:00 UTC." in letter("reminder", "UTC").text


def test_what_a_player_wrote_cannot_become_markup() -> None:
    mean = "<b>&amp;</b>"
    seats = (replace(samples.TABLE.seats[0], name=mean), *samples.TABLE.seats[1:])
    context = replace(DONE, table=replace(samples.TABLE, seats=seats))
    html = compose("done", context).html
    assert mean not in html
    assert "&lt;b&gt;" in html
    invitation = replace(SAMPLES["invitation"], inviter="</title><img>")  # type: ignore[call-arg]  # the context's own
    assert "<img>" not in compose("invitation", invitation).html


def test_an_elimination_shows_the_cards_won_to_the_conqueror_alone() -> None:
    out = Eliminated(BRUNO, ANNA, samples.HANDS[BRUNO])
    won = compose("done", replace(DONE, events=(out,))).text
    assert "Red (Bruno) is out" in won
    assert "Alaska, soldier" in won
    seen = visible((out,), Seat("C"))
    table = replace(samples.TABLE, reader=Seat("C"))
    other = replace(DONE, table=table, lines=(), events=seen, view=view(samples.state(), Seat("C")))
    assert "Alaska, soldier" not in compose("done", other).text


def test_a_context_that_lacks_something_raises() -> None:
    with pytest.raises(UndefinedError):
        compose("turn-call", {"table": samples.TABLE})


def test_an_unknown_kind_raises() -> None:
    with pytest.raises(TemplateNotFound):
        compose("love", {"table": samples.TABLE})


def test_a_language_without_a_whole_catalogue_gives_english() -> None:
    assert compose("done", DONE, "tlh") == compose("done", DONE, "en")


@pytest.mark.parametrize(
    ("seconds", "language", "said"),
    [
        (2, "en", "2 seconds left"),
        (2, "sl", "še 2 sekundi"),
        (60, "en", "1 minute left"),
        (7199, "nl", "nog 1 uur"),
        (48 * 3600, "it", "ancora 2 giorni"),
    ],
)
def test_the_time_that_is_left_is_told_in_a_unit_that_fits(
    seconds: int, language: str, said: str
) -> None:
    sample = SAMPLES["reminder"]
    assert isinstance(sample, contexts.Reminder)
    reminder = replace(sample, left=timedelta(seconds=seconds))
    assert compose("reminder", reminder, language, "UTC", None).subject.endswith(f" - {said}")
