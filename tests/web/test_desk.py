"""The desk at work: mails mended, deadlines moved, looks at hands told, two masters at once."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pbem.store import appointments, audit, desk, games, inbox
from pbem.store.engine import session
from pbem.store.tables import Inbox, InboxStatus
from pbem.web.desk.live import Watcher
from tests.judge.parlour import ANNA, BERTA, text_of
from tests.store import boxes
from tests.web.office import AUDITOR, CARLA, DEPUTY, GM, OWNER, Browser, Office

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</textarea><script>alert(1)</script>",
    "'-alert(1)-'",
    "{{ 7919 * 7907 }}<svg/onload=alert(1)>",
    "javascript:alert(1)//",
    "\u202e<b>evil</b>\x00",
)


def row_of(office: Office, number: int) -> Inbox:
    with session(office.engine) as opened:
        row = inbox.find(opened, number)
    assert row is not None
    return row


def words(answer: Any) -> str:
    """What a person reads of a page, in one line."""
    body = LexborHTMLParser(answer.text).css_first("body")
    assert body is not None
    return " ".join(body.text(separator=" ").split())


def kept(office: Office) -> set[str]:
    with session(office.engine) as opened:
        return {line.what for line in audit.of_game(opened, office.parlour.game_id)}


# -- quarantine -----------------------------------------------------------------------------------


def test_a_mail_in_quarantine_is_corrected_and_played(office: Office) -> None:
    number = office.stray("i want the indian one")
    browser = office.browser(GM)
    assert "1 mail set aside" in words(browser.get("/desk"))
    page = browser.get(f"/desk/quarantine/{number}")
    assert "i want the indian one" in words(page)

    answer = browser.press(page, "Check", text="claim India, Siam, Asia")
    assert "this can be read" in words(answer)
    assert row_of(office, number).status is InboxStatus.HELD, "a look does nothing"

    done = browser.press(answer, "Apply as Anna", reason="a typo")
    assert done.url.path == "/desk/quarantine"
    assert row_of(office, number).result == "corrected"
    assert ("orders.apply", 1) in office.hinted
    office.parlour.play()
    letter = office.parlour.letters(kind="done", to=ANNA)[-1]
    assert "corrected your mail" in " ".join(text_of(letter).split())
    assert "correct-mail" in kept(office)


def test_a_mistake_of_the_corrected_text_is_shown_in_words(office: Office) -> None:
    number = office.stray("end")
    browser = office.browser(GM)
    page = browser.get(f"/desk/quarantine/{number}")
    answer = browser.press(page, "Check", text="attack Idnai from Siam")
    assert "this cannot be played as it is" in words(answer)
    assert "Idnai" in words(answer)
    assert "attack Idnai from Siam" in answer.text


def test_an_empty_text_is_not_applied(office: Office) -> None:
    number = office.stray("end")
    browser = office.browser(GM)
    page = browser.get(f"/desk/quarantine/{number}")
    answer = browser.press(page, "Apply", text="  ")
    assert answer.status_code == 422
    assert row_of(office, number).status is InboxStatus.HELD


def test_a_mail_is_discarded_or_tried_again(office: Office) -> None:
    browser = office.browser(DEPUTY)
    one, other = office.stray("end"), office.stray("no")
    browser.press(browser.get(f"/desk/quarantine/{one}"), "Discard")
    assert row_of(office, one).status is InboxStatus.IGNORED
    browser.press(browser.get(f"/desk/quarantine/{other}"), "Try the original again")
    assert row_of(office, other).status is InboxStatus.ACCEPTED
    assert browser.get(f"/desk/quarantine/{one}").status_code == 404


def test_a_mail_that_two_masters_mend_is_mended_once(office: Office) -> None:
    number = office.stray("end")
    one, other = office.browser(GM), office.browser(OWNER)
    pages = [browser.get(f"/desk/quarantine/{number}") for browser in (one, other)]
    one.press(pages[0], "Apply as Anna", text="claim Asia")
    late = other.press(pages[1], "Apply as Anna", text="claim Europe")
    assert late.status_code == 404
    assert "somebody may have applied" in words(late)
    with session(office.engine) as opened:
        assert inbox.find_key(opened, f"gm:{number}") is not None


def test_an_auditor_reads_a_mail_and_has_no_button(office: Office) -> None:
    number = office.stray("end")
    page = office.browser(AUDITOR).get(f"/desk/quarantine/{number}")
    assert page.status_code == 200
    assert "Apply" not in page.text
    assert "Discard" not in page.text


def test_a_host_who_plays_sees_no_mail_of_rivals(office: Office) -> None:
    number = office.stray("attack India from Siam", subject="my secret plan")
    host = office.browser(BERTA)
    for path in (
        "/desk",
        "/desk/quarantine",
        "/desk/quarantine?game=g1",
        "/desk/games/g1",
        "/desk/games/g1/mail",
        "/desk/outbox?which=sent",
    ):
        page = host.get(path)
        assert page.status_code == 200
        for word in ("my secret plan", "mail set aside", f"/quarantine/{number}", "please confirm"):
            assert word not in page.text, path
    assert host.get(f"/desk/quarantine/{number}").status_code == 404


# -- acts -----------------------------------------------------------------------------------------


def test_a_deadline_is_moved_after_a_look_and_the_players_are_told(office: Office) -> None:
    browser = office.browser(GM)
    before = deadline(office)
    page = browser.press(
        browser.get("/desk/games/g1/acts/extend"), "See what", by="24h", reason="a power cut"
    )
    assert "3 letters go out" in words(page)
    assert deadline(office) == before, "a look does nothing"

    done = browser.press(page, "Do it")
    assert done.url.path.startswith("/desk/games/g1/done/")
    assert deadline(office) == before + timedelta(hours=24)
    office.parlour.play()
    told = " ".join(text_of(office.parlour.letters(kind="note", to=CARLA)[-1]).split())
    assert "power cut" in told
    with session(office.engine) as opened:
        line = audit.of_game(opened, 1)[-1]
    assert (line.who, line.what, line.reason) == (GM, "extend", "a power cut")

    office.parlour.now += timedelta(minutes=1)
    again = browser.press(browser.press(done, "Undo"), "Do it")
    assert again.status_code == 200
    assert deadline(office) == before


def test_nothing_is_done_without_a_look(office: Office) -> None:
    browser = office.browser(GM)
    before = deadline(office)
    form = browser.get("/desk/games/g1/acts/extend")
    fields = {"form_token": token(form.text), "by": "24h"}
    answer = browser.post("/desk/games/g1/acts/extend", fields)
    assert answer.status_code == 422
    assert "look at what it would do" in words(answer)
    assert deadline(office) == before


def test_what_touches_seats_needs_a_reason(office: Office) -> None:
    browser = office.browser(DEPUTY)
    form = browser.get("/desk/games/g1/acts/replace?seat=C")
    page = browser.press(form, "See what", heir="Dita <dita@x.example>:it")
    answer = browser.press(page, "Do it")
    assert answer.status_code == 422
    assert "say why" in words(answer)
    assert browser.press(answer, "Do it", reason="she asked").status_code == 200
    with session(office.engine) as opened:
        seat = games.seat(opened, 1, "C")
    assert seat is not None
    assert (seat.name, seat.address, seat.language) == ("Dita", "dita@x.example", "it")


def test_one_address_gets_a_second_seat_only_where_that_is_asked_for(office: Office) -> None:
    with session(office.engine) as opened:
        seat = games.seat(opened, 1, "A")
    assert seat is not None
    assert seat.address is not None
    browser = office.browser(GM)
    form = browser.get("/desk/games/g1/acts/replace?seat=C")
    answer = browser.press(form, "See what", heir=seat.address, reason="she asked")
    assert answer.status_code == 409
    assert "plays seat A of this game already; --allow-same lets" in words(answer)
    assert "One person may play several seats (--allow-same)" in words(answer)
    page = browser.press(answer, "See what", allow_same="yes")
    assert browser.press(page, "Do it").status_code == 200


def test_what_cannot_be_done_is_said_in_words(office: Office) -> None:
    browser = office.browser(GM)
    form = browser.get("/desk/games/g1/acts/resume")
    answer = browser.press(form, "See what")
    assert answer.status_code == 409
    assert "the game is not paused" in words(answer)
    form = browser.get("/desk/games/g1/acts/extend")
    answer = browser.press(form, "See what", by="soon", reason="kept")
    assert answer.status_code == 422
    assert "soon" in answer.text
    assert "kept" in answer.text


def test_of_two_masters_at_once_the_second_sees_both_versions(office: Office) -> None:
    """Nothing is lost, and nothing is done twice."""
    one, other = office.browser(GM), office.browser(OWNER)
    before = deadline(office)
    looks = [
        browser.press(
            browser.get("/desk/games/g1/acts/extend"), "See what", by="24h", reason=reason
        )
        for browser, reason in ((one, "a power cut"), (other, "a holiday"))
    ]
    one.press(looks[0], "Do it")
    office.parlour.now += timedelta(minutes=1)
    late = other.press(looks[1], "Do it")
    assert late.status_code == 409
    assert "The game has moved on" in words(late)
    assert "a power cut" in late.text, "what came between"
    assert "a holiday" in late.text, "what was written"
    tables = LexborHTMLParser(late.text).css("table")
    saw, now = (table.text(separator=" ") for table in tables[:2])
    assert saw != now
    assert deadline(office) == before + timedelta(hours=24)

    again = other.press(other.press(late, "See what it would do now"), "Do it")
    assert again.status_code == 200
    assert deadline(office) == before + timedelta(hours=48)


def test_an_act_waits_until_the_second_master_agrees_on_the_desk(office: Office) -> None:
    number = office.asked()
    browser, other = office.browser(GM), office.browser(OWNER)
    assert "your consent is asked for" in other.get("/desk").text
    assert "your consent is asked for" not in browser.get("/desk").text
    assert f"/desk/games/g1/consents/{number}" in browser.get("/desk/games/g1/acts").text
    mine = browser.get(f"/desk/games/g1/consents/{number}")
    assert "&lt;i&gt;too long" in mine.text
    assert "I agree" not in mine.text
    asked = other.get(f"/desk/games/g1/consents/{number}")
    assert "no answer yet" in words(asked)
    assert "Take the question back" not in asked.text
    done = other.press(asked, "I agree")
    assert "your consent is asked for" not in other.get("/desk").text
    assert "It was agreed to, and it is done." in words(done)
    with session(office.engine) as opened:
        game = games.find(opened, 1)
        lines = [(line.who, line.what) for line in audit.of_game(opened, 1)][-3:]
    assert game is not None
    assert game.over_at is not None
    assert lines == [(GM, "consent-asked"), (OWNER, "consent-yes"), (GM, "draw")]
    late = browser.press(mine, "Take the question back")
    assert late.status_code == 409
    assert "is settled" in words(late)


def test_a_deep_act_of_the_desk_asks_first_and_can_be_taken_back(office: Office) -> None:
    office.asked("players")
    browser = office.browser(GM)
    form = browser.get("/desk/games/g1/acts/end")
    look = browser.press(form, "See what", reason="all want another game")
    assert "The players have to agree first" in words(look)
    page = browser.press(look, "Ask for consent", typed="g1")
    assert page.url.path == "/desk/games/g1/consents/2"
    assert "I agree" not in page.text
    back = browser.press(page, "Take the question back")
    assert "It was taken back, and is not done." in words(back)


def test_the_same_button_twice_does_it_once(office: Office) -> None:
    browser = office.browser(GM)
    before = deadline(office)
    look = browser.press(browser.get("/desk/games/g1/acts/extend"), "See what", by="24h")
    assert browser.press(look, "Do it").status_code == 200
    office.parlour.now += timedelta(seconds=1)
    assert browser.press(look, "Do it").status_code == 409
    assert deadline(office) == before + timedelta(hours=24)


@pytest.mark.parametrize("field", ["version", "was", "seen", "by"])
@pytest.mark.parametrize("value", ["", "x" * 3000, "-1", "[[1]]", "999999999999999999999"])
def test_a_form_that_was_meddled_with_does_nothing(office: Office, field: str, value: str) -> None:
    browser = office.browser(GM)
    before = deadline(office)
    look = browser.press(browser.get("/desk/games/g1/acts/extend"), "See what", by="24h")
    answer = browser.press(look, "Do it", **{field: value})
    if field in ("was", "seen"):
        assert answer.status_code == 200
    else:
        assert answer.status_code in (409, 422)
        assert deadline(office) == before


# -- sight ----------------------------------------------------------------------------------------


def test_hands_are_closed_until_the_players_are_told(office: Office) -> None:
    browser = office.browser(GM)
    closed = browser.get("/desk/games/g1/hands")
    assert "closed to you" in words(closed)
    assert browser.press(closed, "Tell them", reason=" ").status_code == 422
    opened = browser.press(closed, "Tell them", reason="a complaint")
    assert "You see what the players hold" in words(opened)
    office.parlour.play()
    for address in (ANNA, BERTA, CARLA):
        letter = office.parlour.letters(kind="note", to=address)[-1]
        assert "looked at all hands" in str(letter["Subject"])
        assert "a complaint" in text_of(letter)
    assert "reveal" in kept(office)
    assert "closed to you" in words(office.browser(OWNER).get("/desk/games/g1/hands"))
    office.parlour.now += timedelta(minutes=16)
    assert "closed to you" in words(browser.get("/desk/games/g1/hands"))


def test_offices_are_given_and_taken(office: Office) -> None:
    master = office.browser(OWNER)
    page = master.get("/desk/games/g1/players")
    master.press(page, "Appoint", address="Nina@X.Example", office="auditor")
    with session(office.engine) as opened:
        assert appointments.office(opened, 1, "Nina@x.example") == "auditor"
    nina = office.browser("Nina@x.example")
    assert nina.get("/desk/games/g1").status_code == 200
    fields = {
        "form_token": token(master.get("/you/visits").text),
        "address": "Nina@x.example",
    }
    master.post("/desk/games/g1/offices/dismiss", fields)
    assert nina.get("/desk/games/g1").status_code == 404
    assert {"appoint", "dismiss"} <= kept(office)


# -- what is shown --------------------------------------------------------------------------------


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_word_of_a_person_becomes_part_of_a_page(office: Office, payload: str) -> None:
    subject = payload.replace("\x00", "").encode("ascii", "ignore").decode()
    number = office.stray(f"say all: {payload}\nattack {payload}", subject=subject)
    with session(office.engine) as opened:
        seat = games.seat(opened, 1, "C")
        assert seat is not None
        seat.name = payload.replace("\x00", "")
        opened.add(seat)
        audit.record(opened, office.now, who=payload, what=payload, game_id=1, reason=payload)
    browser = office.browser(GM)
    pages = [
        *(f"/desk/games/g1{tab}" for tab in ("", "/timeline", "/mail", "/players", "/audit")),
        "/desk",
        "/desk/quarantine",
        f"/desk/quarantine/{number}",
        "/desk/audit",
        f"/desk/games/g1/acts/replace?seat=C&heir={payload}&reason={payload}".replace("\x00", ""),
    ]
    answers = [browser.get(page) for page in pages]
    look = browser.get(f"/desk/quarantine/{number}")
    answers.append(browser.press(look, "Check", text=payload, reason=payload))
    people = office.browser(OWNER)
    answers.append(people.get("/desk/people", params={"like": payload.replace("\x00", "")}))
    for answer in answers:
        page = LexborHTMLParser(answer.text)
        assert page.css("script:not([src])") == [], answer.url
        assert page.css("svg:not(.map), [onerror], [onload]") == [], answer.url
        assert [b for b in page.css("b") if b.text() == "evil"] == []
        assert [a for a in page.css("a") if (a.attributes["href"] or "").startswith("java")] == []
        assert str(7919 * 7907) not in words(answer)


@pytest.mark.parametrize("language", ["it", "nl", "sl"])
def test_pages_are_in_the_language_that_was_chosen(office: Office, language: str) -> None:
    browser = office.browser(OWNER)
    english = words(browser.get("/desk"))
    fields = {"form_token": token(browser.get("/you/visits").text), "language": language}
    browser.post("/you/language", fields)
    page = browser.page("/desk")
    assert page.css_first("html").attributes["lang"] == language  # type: ignore[union-attr]
    assert words(browser.get("/desk")) != english


def test_whoever_has_not_logged_in_chooses_by_the_address(office: Office) -> None:
    page = office.browser().page("/login?lang=nl")
    assert page.css_first("h1").text() == "Inloggen"  # type: ignore[union-attr]


def test_health_shows_what_waits(office: Office) -> None:
    office.stray("end")
    page = office.browser(OWNER).get("/desk/health")
    assert "1 mails in quarantine" in words(page)


def test_a_persons_data_are_given_out_without_what_a_running_game_hides(office: Office) -> None:
    office.stray("attack India from Siam")
    browser = office.browser(OWNER)
    answer = browser.press(browser.get(f"/desk/people/{ANNA}"), "Download")
    kept = answer.json()
    assert [(seat["game"], seat["letter"]) for seat in kept["seats"]] == [("g1", "A")]
    assert kept["seats"][0]["settings"] is None
    assert kept["letters"]
    assert kept["mails"]
    assert {row["text"] for row in kept["letters"] + kept["mails"]} == {None}
    assert f"Downloaded what is kept of {ANNA}" in words(browser.get("/desk/audit"))


def test_a_person_is_erased_once_the_address_was_typed(office: Office) -> None:
    browser = office.browser(OWNER)
    page = browser.get(f"/desk/people/{ANNA}")
    refused = browser.press(page, "Erase for good", typed="yes")
    assert refused.status_code == 422
    assert "Nothing was erased" in words(refused)
    done = browser.press(page, "Erase for good", typed=ANNA.upper(), reason="asked for it")
    assert "The person was erased" in words(done)
    assert browser.get(f"/desk/people/{ANNA}").status_code == 404
    for path in ("/desk/people", "/desk/games/g1/players", "/desk/audit", "/desk/outbox"):
        assert ANNA not in browser.get(path).text
    with session(office.engine) as opened:
        seat = games.seat(opened, 1, "A")
    assert seat is not None
    assert (seat.address, seat.computer) == (None, True)
    assert browser.press(page, "Erase for good", typed=ANNA).status_code == 404


def test_an_owner_who_plays_erases_no_rival(office: Office) -> None:
    with session(office.engine) as opened:
        seat = games.seat(opened, 1, "C")
        assert seat is not None
        seat.address = OWNER
        opened.add(seat)
    browser = office.browser(OWNER)
    answer = browser.press(browser.get(f"/desk/people/{ANNA}"), "Erase for good", typed=ANNA)
    assert answer.status_code == 403
    assert "you play in a game with this person" in words(answer)
    assert ANNA in browser.get("/desk/people").text


def test_the_panic_switch_stops_the_house_and_lets_it_run_again(office: Office) -> None:
    browser, before = office.browser(OWNER), deadline(office)
    stopped = browser.press(browser.get("/desk/health"), "Stop the house", reason="a bad update")
    assert "The house stands still" in words(stopped)
    assert "a bad update" in words(stopped)
    assert browser.post("/desk/health/stop", {"form_token": token(stopped.text)}).status_code == 409
    office.parlour.now += timedelta(hours=2)
    going = browser.press(stopped, "Let the house run again")
    assert "The house stands still" not in words(going)
    assert deadline(office) == before + timedelta(hours=2)


def test_a_letter_is_shown_by_its_facts_and_not_by_what_it_says(office: Office) -> None:
    browser = office.browser(OWNER)
    with session(office.engine) as opened:
        letters = boxes.letters(opened)
    for row in letters:
        page = browser.get(f"/desk/outbox/{row.id}")
        assert row.to_address in page.text
        assert row.subject not in page.text


# -- live -----------------------------------------------------------------------------------------


async def test_all_pages_share_one_look_and_nobody_looks_when_none_is_open() -> None:
    looks: list[int] = []
    value = 0

    def look() -> int:
        looks.append(value)
        return value

    watcher = Watcher(look, every=0.01, stay=0.5)

    async def first() -> bool:
        async for changed in watcher.changes():
            return changed
        return False

    listening = [asyncio.create_task(first()) for _ in range(20)]
    await asyncio.sleep(0.1)
    few = len(looks)
    value = 1
    assert await asyncio.gather(*listening) == [True] * 20
    assert few < 20, "one look is for all"
    await asyncio.sleep(0.05)
    rest = len(looks)
    await asyncio.sleep(0.1)
    assert len(looks) == rest


def deadline(office: Office) -> Any:
    with session(office.engine) as opened:
        return games.deadline(opened, office.parlour.game_id)


def token(page: str) -> str:
    field = LexborHTMLParser(page).css_first("input[name=form_token]")
    assert field is not None
    return field.attributes["value"] or ""


def test_the_pulse_changes_with_what_the_desk_shows(office: Office) -> None:
    def pulse() -> Any:
        with session(office.reader) as opened:
            return desk.pulse(opened)

    seen = [pulse()]
    assert pulse() == seen[0]
    number = office.stray("end")
    seen.append(pulse())
    browser: Browser = office.browser(GM)
    seen.append(pulse())
    browser.press(browser.get(f"/desk/quarantine/{number}"), "Discard")
    seen.append(pulse())
    assert len(set(seen)) == len(seen)
