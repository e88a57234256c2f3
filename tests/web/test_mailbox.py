"""The mailbox as a browser sees it."""

import re

from fastapi.testclient import TestClient

from pbem.web.mailbox import LONGEST_ANSWER
from tests.web.house import ANNA, BRUNO, NOW, PLAY, House

HOSTILE = '<script>alert("1")</script>&\'"'


def form_token(page: str) -> str:
    found = re.search(r'name="form_token" value="([0-9a-f]{64})"', page)
    assert found, page
    return found[1]


def send(browser: TestClient, text: str, letter: int = 1, **headers: str) -> tuple[int, str]:
    """Fill the reply box of a letter; the status and where it leads (or what it says)."""
    token = form_token(browser.get(f"/mailbox/letters/{letter}").text)
    answer = browser.post(
        f"/mailbox/letters/{letter}",
        data={"text": text, "form_token": token},
        headers={"origin": "http://127.0.0.1:8000", **headers},
        follow_redirects=False,
    )
    return answer.status_code, answer.headers.get("location", answer.text)


def test_everybody_with_a_letter_is_listed_who_got_the_newest_first(
    browser: TestClient, house: House
) -> None:
    house.write(BRUNO)
    house.write(ANNA)
    house.write(ANNA)
    page = browser.get("/mailbox").text
    assert page.index(ANNA) < page.index(BRUNO)
    assert "2 unread" in page


def test_a_person_without_letters_is_nobody(browser: TestClient, house: House) -> None:
    house.write(ANNA)
    assert browser.get(f"/mailbox/people/{BRUNO}").status_code == 404


def test_letters_stand_newest_first_and_only_their_own(browser: TestClient, house: House) -> None:
    house.write(subject="the older")
    house.write(BRUNO, subject="for Bruno")
    house.write(subject="the newer", kind="report")
    page = browser.get(f"/mailbox/people/{ANNA}").text
    assert page.index("the newer") < page.index("the older")
    assert "for Bruno" not in page


def test_a_letter_is_unread_until_it_is_opened(browser: TestClient, house: House) -> None:
    house.write()
    assert "unread" in browser.get(f"/mailbox/people/{ANNA}").text
    browser.get("/mailbox/letters/1")
    assert "unread" not in browser.get(f"/mailbox/people/{ANNA}").text
    assert "unread" not in browser.get("/mailbox").text


def test_a_letter_without_its_words_is_being_written(browser: TestClient, house: House) -> None:
    house.write(composed=False, sent=False)
    assert "being written" in browser.get(f"/mailbox/people/{ANNA}").text
    page = browser.get("/mailbox/letters/1").text
    assert "Being written" in page
    assert 'http-equiv="refresh"' in page
    assert "<textarea" not in page


def test_a_letter_on_its_way_is_not_shown_before_it_is_sent(
    browser: TestClient, house: House
) -> None:
    house.write(text="the secret hand\n", sent=False)
    assert "on its way" in browser.get(f"/mailbox/people/{ANNA}").text
    for page in ("", "?face=source", "/source", "/page"):
        assert "the secret hand" not in browser.get(f"/mailbox/letters/1{page}").text


def test_a_letter_shows_headers_text_and_its_proposals(browser: TestClient, house: House) -> None:
    house.write()
    page = browser.get("/mailbox/letters/1").text
    assert PLAY in page
    assert "turn-call" in page
    assert "Turn 23 - your move, Anna." in page
    assert (
        '<pre tabindex="0" aria-label="Examples" role="region">place 5 in Siam\nend</pre>' in page
    )


def test_orders_that_were_played_are_not_proposed_again(browser: TestClient, house: House) -> None:
    house.write(kind="done", text="| place 5 in Siam\n")
    assert "Examples" not in browser.get("/mailbox/letters/1").text


def test_html_comes_in_a_frame_without_any_right(browser: TestClient, house: House) -> None:
    house.write(html="<p>Turn 23</p><script>alert(1)</script>")
    page = browser.get("/mailbox/letters/1?face=html").text
    assert '<iframe class="letter" sandbox src="/mailbox/letters/1/page"' in page
    assert "alert(1)" not in page
    frame = browser.get("/mailbox/letters/1/page")
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "allow-" not in policy
    assert "script-src" not in policy
    assert "<p>Turn 23</p>" in frame.text


def test_the_source_is_plain_text(browser: TestClient, house: House) -> None:
    house.write(html=HOSTILE)
    raw = browser.get("/mailbox/letters/1/source")
    assert raw.headers["content-type"] == "text/plain; charset=utf-8"
    assert "X-PBEM-Kind: turn-call" in raw.text
    assert "<script>" not in browser.get("/mailbox/letters/1?face=source").text


def test_nothing_in_a_letter_becomes_markup(browser: TestClient, house: House) -> None:
    address = "<script>alert(1)</script>@example.org"
    house.write(
        address,
        subject=f"[g7] {HOSTILE}",
        text=f"{HOSTILE}\n| {HOSTILE}\n</textarea>{HOSTILE}\n",
        kind="<script>",
        sender=f'"<script>alert(1)</script>" <{PLAY}>',
    )
    pages = [
        browser.get("/mailbox"),
        browser.get("/mailbox/people/%3Cscript%3Ealert(1)%3C/script%3E@example.org"),
        browser.get("/mailbox/letters/1"),
        browser.get("/mailbox/letters/1?face=source"),
    ]
    for page in pages:
        assert page.status_code == 200
        assert "<script" not in page.text
        assert "&lt;script" in page.text


def test_an_answer_is_a_mail_from_the_reader_in_the_letters_thread(
    browser: TestClient, house: House
) -> None:
    house.write()
    status, where = send(browser, "place 5 in Siam\r\nend")
    assert (status, where) == (303, "/mailbox/mails/1")
    (mail,) = house.mails()
    letter = browser.get("/mailbox/letters/1/source").text
    letter_id = re.search(r"^Message-ID: (<\S+>)\r?$", letter, re.MULTILINE)
    assert letter_id
    assert house.received[0].mail_from == ANNA
    assert house.received[0].rcpt_tos == (PLAY,)
    assert mail["From"] == ANNA
    assert mail["To"] == PLAY
    assert mail["Subject"] == "Re: [g7] Turn 23: your move, Blue"
    assert mail["In-Reply-To"] == letter_id[1]
    assert letter_id[1] in mail["References"]
    assert mail["Auto-Submitted"] is None
    assert mail.get_content().splitlines() == ["place 5 in Siam", "end"]


def test_every_answer_has_a_message_id_of_its_own(browser: TestClient, house: House) -> None:
    house.write()
    send(browser, "end")
    send(browser, "end")
    ids = [mail["Message-ID"] for mail in house.mails()]
    assert len(set(ids)) == 2
    assert all(one.endswith("@games.example.org>") for one in ids)


def test_words_of_all_languages_arrive(browser: TestClient, house: House) -> None:
    house.write()
    lines = ["napadi Čile iz Perúja", "", "x" * 3000]
    send(browser, "\n".join(lines))
    (mail,) = house.mails()
    assert mail.get_content().splitlines() == lines


def test_the_page_looks_again_until_the_answer_is_there(browser: TestClient, house: House) -> None:
    house.write()
    _, where = send(browser, "place 5 in Siam")
    waiting = browser.get(where).text
    assert "Sent, waiting to be read" in waiting
    assert 'http-equiv="refresh"' in waiting
    assert "place 5 in Siam" in waiting

    row = house.newest_mail()
    house.write(BRUNO, kind="report", text="a report of it", answers=row)
    assert "a report of it" not in browser.get(where).text

    answer = house.write(kind="done", text="Turn closed.\n", answers=row)
    settled = browser.get(where).text
    assert 'http-equiv="refresh"' not in settled
    assert "Turn closed." in settled
    assert f"/mailbox/letters/{answer}" in settled
    listed = browser.get(f"/mailbox/people/{ANNA}").text
    assert "answered" in listed
    assert "unread" not in listed


def test_it_does_not_look_again_for_ever(browser: TestClient, house: House) -> None:
    house.write()
    _, where = send(browser, "end")
    house.now = NOW.replace(hour=NOW.hour + 1)
    assert 'http-equiv="refresh"' not in browser.get(where).text


def test_what_the_door_refuses_stays_in_the_box(browser: TestClient, house: House) -> None:
    house.write()
    house.refusal = f"550 5.1.1 No such game {HOSTILE}"
    status, page = send(browser, "attack India </textarea>")
    assert status == 502
    assert "Nothing was sent" in page
    assert "No such game &lt;script" in page
    assert "attack India &lt;/textarea&gt;</textarea>" in page


def test_a_door_that_is_away_loses_nothing(browser: TestClient, house: House) -> None:
    house.write()
    house.refusal = "451 4.3.0 Later"
    status, page = send(browser, "attack India")
    assert status == 502
    assert "try again in a moment" in page
    assert "attack India</textarea>" in page


def test_an_endless_answer_is_not_sent(browser: TestClient, house: House) -> None:
    house.write()
    status, _ = send(browser, "x" * (LONGEST_ANSWER + 1))
    assert status == 413
    assert not house.received


def test_a_form_from_elsewhere_sends_nothing(browser: TestClient, house: House) -> None:
    house.write()
    for origin in ("http://attacker.example", "null", "", "http://127.0.0.1:9999"):
        assert send(browser, "end", origin=origin)[0] == 403
    assert not house.received


def test_a_form_without_its_token_sends_nothing(browser: TestClient, house: House) -> None:
    house.write()
    for token in ("", "0" * 64):
        answer = browser.post(
            "/mailbox/letters/1",
            data={"text": "end", "form_token": token},
            headers={"origin": "http://127.0.0.1:8000"},
        )
        assert answer.status_code == 403
    assert not house.received


def test_mails_of_somebody_without_letters_are_not_shown(browser: TestClient, house: House) -> None:
    house.write()
    _, where = send(browser, "end")
    assert browser.get(where).status_code == 200
    assert browser.get("/mailbox/mails/2").status_code == 404
