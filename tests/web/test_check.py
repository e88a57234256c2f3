"""The order checker: what it tells whoever has the key of a seat, and nobody else."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from pbem.cli.doors import order_checker
from pbem.judge import reply_to
from pbem.mail import address, inbound
from pbem.rules import notation
from pbem.rules.position import SETUP, Phase
from pbem.store import games, tables
from pbem.store.engine import open_reader, session
from pbem.web.allowance import Allowance
from pbem.web.app import make_app
from pbem.web.check import LONGEST_TEXT, MOST_CHECKS, SPAN
from pbem.web.headers import PAGE_HEADERS
from pbem.web.site import Site
from tests.judge.desk import Desk
from tests.judge.parlour import Parlour
from tests.rules.table import A, B, drawn

DRAWING = "A SIA 8, NGU 3; B IDA 1, CHN 2; C rest 1"
HANDS = {A: "EGY PRU WILD", B: "ALA JPN KCH BRA QUE"}
HOSTILE = '<script>alert("1")</script><img src=x onerror=alert(1)>'


class Page:
    """The checker of a house with one game, and a browser at it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parlour = Parlour(folder)
        self.reader = open_reader(f"sqlite:///{folder}/pbem.sqlite3")
        checker = order_checker(self.parlour.house, self.reader, lambda: self.parlour.now)
        self.browser = TestClient(
            make_app(Site("1", {}, checker=checker)), base_url="http://127.0.0.1:8000"
        )

    def close(self) -> None:
        self.reader.dispose()
        self.parlour.close()

    def stand(self, **fields: Any) -> None:
        """Put the drawn position into the game's place."""
        state = drawn(DRAWING, hands=HANDS, **fields)
        with session(self.parlour.engine) as opened:
            game = games.lock(opened, self.parlour.game_id)
            on_turn = None if state.phase in SETUP else state.on_turn
            stored = notation.state_to_json(state)
            games.save(opened, game, stored, phase=state.phase, turn=state.turn, on_turn=on_turn)

    def seat(self, letter: str = "A", **fields: object) -> tables.Seat:
        """The seat, after a change of its fields."""
        with session(self.parlour.engine) as opened:
            found = games.seat(opened, self.parlour.game_id, letter)
            assert found is not None
            for name, value in fields.items():
                setattr(found, name, value)
            opened.add(found)
        return found

    def step(self) -> tuple[int, int]:
        with session(self.parlour.engine) as opened:
            game = games.find(opened, self.parlour.game_id)
        assert game is not None
        return game.turn, game.step

    def post(self, text: str, to: str | None = None, language: str = "en") -> Response:
        form = {"address": self.parlour.address() if to is None else to, "text": text}
        return self.browser.post("/check", data=form, headers={"accept-language": language})

    def ask(self, text: str, to: str | None = None) -> str:
        """What the page answers to the seat that has shown its key, in one line."""
        answer = self.post(text, to)
        assert answer.status_code == 200, answer.text
        return " ".join(unescape(answer.text).split())

    def bytes(self) -> dict[str, bytes]:
        """The database as it lies on the disk; the index of its log is no content."""
        files = sorted(self.folder.glob("pbem.sqlite3*"))
        return {file.name: file.read_bytes() for file in files if not file.name.endswith("-shm")}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    opened = Page(tmp_path)
    yield opened
    opened.close()
    inbound._sandbox.close()


def mail_link(text: str) -> tuple[str, str]:
    """Where the link to write a mail leads, and the text that it carries."""
    found = re.search(r'href="(mailto:[^"]+)"', text)
    assert found, text
    link = urlsplit(found[1].replace("&amp;", "&"))
    return unquote(link.path), parse_qs(link.query)["body"][0]


def test_the_form_asks_for_an_address_and_a_text_and_keeps_both_out_of_links(page: Page) -> None:
    answer = page.browser.get("/check")
    assert answer.status_code == 200
    assert 'method="post" action="/check"' in answer.text
    assert re.search(r"<input[^>]* name=\"address\"", answer.text)
    assert '<textarea id="text" name="text"' in answer.text
    assert "<script" not in answer.text


def test_both_answers_have_the_headers_of_every_page(page: Page) -> None:
    for answer in (page.browser.get("/check"), page.post("end"), page.post("end", "nobody")):
        assert {name: answer.headers[name] for name in PAGE_HEADERS} == PAGE_HEADERS


def test_an_address_in_a_link_is_not_taken(page: Page) -> None:
    asked = {"address": page.parlour.address(), "text": "end"}
    answer = page.browser.get("/check", params=asked)
    assert asked["address"] not in answer.text
    assert 'class="answer"' not in answer.text


def test_the_index_leads_to_it(page: Page) -> None:
    assert 'href="/check"' in page.browser.get("/").text


def test_a_site_without_a_house_has_no_checker() -> None:
    browser = TestClient(make_app(Site("1", {})))
    assert browser.get("/check").status_code == 404
    assert browser.post("/check", data={"address": "a", "text": "b"}).status_code == 404
    assert "/check" not in browser.get("/").text


def test_a_plan_is_shown_with_its_defaults_and_chances(page: Page) -> None:
    page.stand()
    told = page.ask("atack ida from sia\nend\nhave fun!")
    assert "attack India from Siam" in told
    assert "Siam - India" in told
    assert "A card is earned in 9" in told
    assert 'I read "atack" as attack.' in told
    assert 'I ignored "have fun!".' in told


def test_the_chances_are_those_of_a_try(page: Page) -> None:
    page.stand()
    told = re.search(r"A card is earned in [0-9.]+%", page.ask("attack china from siam, keep 4"))
    assert told
    letter = Desk(DRAWING, hands=HANDS).say("A", "TRY\nattack china from siam, keep 4")
    assert letter.kind == "preview"
    assert told[0] in letter.words


def test_a_mistake_is_told_with_the_corrected_text_and_its_chances(page: Page) -> None:
    page.stand(phase=Phase.PLACE, to_place=3)
    told = page.ask("attack India from Siam\nplace 3 in Siam")
    assert "Line 2" in told
    corrected = told[told.index("Corrected text") :]
    assert corrected.index("place 3 in Siam") < corrected.index("attack India from Siam")
    assert "to capture" in corrected
    to, body = mail_link(page.post("attack India from Siam\nplace 3 in Siam").text)
    assert to == page.parlour.address()
    assert body.splitlines()[0] == "place 3 in Siam"


def test_a_text_with_nothing_to_mend_it_by_has_no_link(page: Page) -> None:
    page.stand()
    answer = page.post("attack Atlantis from Siam\nattack India from Siam")
    assert "I know no territory" in answer.text
    assert "attack India from Siam" in answer.text
    assert "mailto:" not in answer.text


def test_a_corrected_text_is_tried_or_kept_if_the_text_was_to_be(page: Page) -> None:
    page.stand(phase=Phase.PLACE, to_place=3)
    _, body = mail_link(page.post("TRY\nattack India from Siam\nplace 3 in Siam").text)
    assert body.splitlines()[:2] == ["TRY", "place 3 in Siam"]


def test_a_corrected_text_that_lacks_services_has_no_link(page: Page) -> None:
    page.stand(phase=Phase.PLACE, to_place=3)
    answer = page.post("attack India from Siam\nplace 3 in Siam\nsay to all: hello\nyou there")
    assert "Corrected text" in answer.text
    assert "mailto:" not in answer.text


def test_orders_copied_from_a_letter_are_read(page: Page) -> None:
    page.stand()
    assert "Siam - India" in page.ask("| attack India from Siam")


def test_the_link_carries_the_players_own_text(page: Page) -> None:
    page.stand()
    to, body = mail_link(page.post("attack India from Siam\nso long & thanks").text)
    assert (to, body) == (page.parlour.address(), "attack India from Siam\r\nso long & thanks")


def test_a_text_too_long_for_a_link_has_none(page: Page) -> None:
    page.stand()
    answer = page.post("attack India from Siam\n" + "thank you all\n" * 200)
    assert 'class="answer"' in answer.text
    assert "mailto:" not in answer.text


def test_on_anothers_turn_the_own_one_is_supposed(page: Page) -> None:
    page.stand(on_turn=B)
    told = page.ask("place all in Siam\nattack India from Siam")
    assert "It is not your turn" in told
    assert "Siam - India" in told


def test_a_list_for_the_setup_is_read(page: Page) -> None:
    page.stand(phase=Phase.FILL, reserve={A: 5, B: 5}, turn=0)
    told = page.ask("fill Siam 3")
    assert "fill Siam 3" in told
    assert "The battles" not in told


def test_of_a_seat_that_is_out_no_orders_are_awaited(page: Page) -> None:
    page.stand(eliminated=(A,))
    assert "No orders are awaited" in page.ask("attack India from Siam")


def test_a_text_without_orders_says_so(page: Page) -> None:
    page.stand()
    told = page.ask("Hello, how are you?")
    assert "I found no orders" in told
    assert "mailto:" not in told


def test_services_are_named_and_not_done(page: Page) -> None:
    page.stand()
    told = page.ask("attack India from Siam\nSET TRADE AUTO")
    assert "Done only by mail" in told
    assert page.seat().settings.get("TRADE") is None


@pytest.mark.parametrize(("language", "word"), [("it", "attacca"), ("nl", "val"), ("sl", "napadi")])
def test_the_seats_language_goes_before_the_browsers(page: Page, language: str, word: str) -> None:
    page.stand()
    page.seat(language=language)
    answer = page.post("attack India from Siam", language="en")
    assert f'<html lang="{language}">' in answer.text
    assert re.search(rf'<pre class="orders">\| {word} ', answer.text)


def test_without_a_key_the_browsers_language_is_spoken(page: Page) -> None:
    page.seat(language="nl")
    assert '<html lang="sl">' in page.post("end", "nobody", language="sl").text


def keys_that_open_nothing(page: Page) -> Iterator[str]:
    """Wrong, forged and dead addresses."""
    house, own = page.parlour.house, page.parlour.address()
    turn, step = page.step()
    named = address.parse(own)
    assert named is not None
    local, _, domain = own.rpartition("@")
    yield from ("", "nobody", "anna@example.com", f"postmaster@{house.domain}", HOSTILE)
    yield f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}"
    yield own.replace(".a.", ".b.")
    yield own.replace("g1.", "g99.")
    yield reply_to.seat_address(house, page.seat(), turn, step + 1)
    yield reply_to.seat_address(house, page.seat(), turn + 1, 0)
    yield address.bounce_address(named, house.domain)
    yield address.confirm_address(house.secret, "g1", "A", 1, house.domain)
    yield "x" * 1000


def test_every_key_that_opens_nothing_gets_the_same_page(page: Page) -> None:
    page.stand()
    answers = set()
    for wrong in keys_that_open_nothing(page):
        answer = page.post("attack India from Siam", wrong)
        shown = re.search(r'name="address"[^>]* value="([^"]*)"', answer.text)
        assert shown
        answers.add((answer.status_code, answer.text.replace(f'"{shown[1]}"', '""')))
    assert len(answers) == 1
    ((status, text),) = answers
    assert status == 403
    assert 'class="answer"' not in text


def test_the_address_of_an_older_letter_opens_no_more(page: Page) -> None:
    page.stand()
    older = page.parlour.address()
    turn, step = page.step()
    newer = reply_to.seat_address(page.parlour.house, page.seat(), turn, step + 1)
    page.seat(last_letter_address=newer)
    assert page.post("end", older).status_code == 403
    assert page.post("end", newer).status_code == 200


def test_a_new_key_closes_the_address_that_had_the_old_one(page: Page) -> None:
    older = page.parlour.address()
    page.seat(key_epoch=1)
    assert page.post("end", older).status_code == 403


def test_the_address_is_taken_as_mail_programs_show_it(page: Page) -> None:
    page.stand()
    own = page.parlour.address()
    for spelling in (f" {own} ", own.upper(), f"<{own}>"):
        assert page.post("end", spelling).status_code == 200


def test_a_game_that_is_long_over_opens_no_more(page: Page) -> None:
    with session(page.parlour.engine) as opened:
        game = games.lock(opened, page.parlour.game_id)
        game.over_at = page.parlour.now - timedelta(days=31)
        opened.add(game)
    assert page.post("end").status_code == 403


@pytest.mark.parametrize(
    "text", ["trade auto", "trade 1, 2 and 3", "hand", "trade Alaska and Japan"]
)
def test_only_the_own_hand_is_ever_shown(page: Page, text: str) -> None:
    page.stand(phase=Phase.TRADE, to_place=3)
    own, other = page.parlour.address("A"), page.parlour.address("B")
    assert "Egypt" in page.ask("trade 4, 5 and 6", own)
    for secret in ("Kamchatka", "Quebec"):
        assert secret not in page.ask(text, own)
    for secret in ("Egypt", "Peru"):
        assert secret not in page.ask(text, other)


@pytest.mark.parametrize(
    "text",
    [HOSTILE, f"attack {HOSTILE} from Siam", f"say to {HOSTILE}: x", f"place 3 in {HOSTILE}"],
)
def test_what_a_player_writes_is_shown_escaped(page: Page, text: str) -> None:
    page.stand()
    for to in (page.parlour.address(), f'"{HOSTILE}'):
        shown = page.post(f"</textarea>{text}\n{text}", to).text
        assert "<script" not in shown
        assert "<img" not in shown
        assert shown.count("</textarea>") == 1


def test_names_of_players_are_shown_escaped(page: Page) -> None:
    page.stand(on_turn=B)
    page.seat("B", name=HOSTILE)
    page.seat("A", name=f"{HOSTILE}2")
    assert "<script" not in page.post("attack India from Siam\nsay to Bert: hello").text


def test_nothing_is_changed_by_a_check(page: Page) -> None:
    page.stand(phase=Phase.TRADE, to_place=3)
    page.post("end")  # the reader's own connection is there now
    before = page.bytes()
    assert before["pbem.sqlite3"]
    for text in (
        "trade auto\nplace all in Siam\nattack India from Siam\nend",
        "TRY\nattack India from Siam",
        "NEXT TURN\nattack India from Siam",
        "YES",
        "CANCEL",
        "attack Atlantis",
        "NEWKEY\nRESIGN\nSET TRADE AUTO\nsay to all: hello",
    ):
        assert page.post(text).status_code == 200
    assert page.bytes() == before


def test_a_seat_asks_so_often_and_another_is_not_held_up(page: Page) -> None:
    own, other = page.parlour.address("A"), page.parlour.address("B")
    box, _, rest = own.partition("+")
    for number in range(MOST_CHECKS):
        spelling = f"{box}{number}+{rest}"  # another spelling is no other seat
        assert page.post("end", spelling).status_code == 200
    answer = page.post("end")
    assert answer.status_code == 429
    assert "asked very often" in answer.text
    assert "end</textarea>" in answer.text
    assert page.post("end", other).status_code == 200
    page.parlour.now += SPAN
    assert page.post("end").status_code == 200


def test_wrong_keys_use_up_nothing(page: Page) -> None:
    for _ in range(MOST_CHECKS + 1):
        page.post("end", page.parlour.address().replace(".a.", ".b."))
    assert page.post("end").status_code == 200


def test_a_text_that_is_too_long_is_not_read(page: Page) -> None:
    for text in ("x" * (LONGEST_TEXT + 1), "x" * 1_000_000, "\N{SNOWMAN}" * 100_000):
        answer = page.post(text)
        assert answer.status_code == 413
        assert "the text is too long" in answer.text


def test_the_longest_text_of_wide_letters_is_read(page: Page) -> None:
    page.stand()
    assert page.post("\N{SNOWMAN}" * LONGEST_TEXT).status_code == 200


@pytest.mark.parametrize("body", [b"\xff\xfe", b"&".join([b"a=b"] * 50), b"{}", b""])
def test_what_is_no_form_of_ours_opens_nothing(page: Page, body: bytes) -> None:
    answer = page.browser.post("/check", content=body)
    assert answer.status_code == 403


def test_an_allowance_comes_back_one_by_one_and_is_forgotten(page: Page) -> None:
    allowance, now = Allowance(2, timedelta(minutes=10)), page.parlour.now
    minute = timedelta(minutes=1)
    assert [allowance.take("A", now + n * minute) for n in range(3)] == [True, True, False]
    assert allowance.take("B", now + 2 * minute)
    assert allowance.take("A", now + 10 * minute)
    assert not allowance.take("A", now + 10 * minute)
    assert allowance.take("A", now + 11 * minute)
    allowance.take("C", now + 60 * minute)
    assert set(allowance._taken) == {"C"}
