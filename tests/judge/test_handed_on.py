"""Mails that come by another way than SMTP: whom they are for, and the signed webhook."""

import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pbem.judge import handed_on
from pbem.settings import Listen
from pbem.store.engine import open_reader, session
from pbem.store.tables import InboxStatus, Source
from pbem.web import mail_in
from pbem.web.app import make_app
from pbem.web.mail_in import sign
from pbem.web.site import Service, Site
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, BERTA, DOMAIN, Parlour, mail
from tests.mail.forge import Names, keys, signed
from tests.store import boxes

SECRET = "a secret of sixteen"


@pytest.fixture
def house(parlour: OpenParlour) -> Parlour:
    opened = parlour(names=Names(keys()))
    opened.play()
    return opened


@pytest.fixture
def service(house: Parlour) -> Iterator[Service]:
    reader = open_reader(str(house.engine.url))
    yield Service(
        house=house.house,
        engine=house.engine,
        reader=reader,
        hint=lambda *_: None,
        http=Listen("127.0.0.1", 8000),
        clock=lambda: house.now,
        webhook_secret=SECRET,
    )
    reader.dispose()


@pytest.fixture
def provider(service: Service) -> Iterator[TestClient]:
    with TestClient(make_app(Site("1", {}, service=service))) as client:
        yield client


def headers(
    raw: bytes, at: datetime, to: str = "", mail_from: str = ANNA, secret: str = SECRET
) -> dict[str, str]:
    moment = str(int(at.timestamp()))
    return {
        "X-PBEM-Timestamp": moment,
        "X-PBEM-Mail-From": mail_from,
        "X-PBEM-Rcpt-To": to,
        "X-PBEM-Signature": sign(secret, moment, mail_from, to, raw),
    }


def post(
    house: Parlour, provider: TestClient, raw: bytes, to: str
) -> tuple[int, dict[str, object]]:
    answer = provider.post("/mail/in", content=raw, headers=headers(raw, house.now, to))
    return answer.status_code, answer.json()


# -- whom a mail is for ----------------------------------------------------------------------------


def test_a_header_says_whom_a_mail_is_for(house: Parlour) -> None:
    for name in handed_on.RECIPIENTS:
        raw = mail("board", f"{name}: World <{house.address()}>")
        with session(house.engine) as opened:
            taken = handed_on.take(opened, house.house, raw, Source.IMAP, house.now)
        assert len(taken.receipts) == 1, name
        [receipt] = taken.receipts.values()
        row = house.row(receipt.inbox_id)
        assert (row.recipient, row.source, row.peer) == (house.address(), Source.IMAP, "")


def test_the_surest_header_wins_and_all_that_it_names_are_meant(house: Parlour) -> None:
    a, b = house.address("A"), house.address("B")
    both = mail("board", f"To: {a}, {b}")
    one = mail("board", f"Delivered-To: {a}", f"To: {b}, {a}")
    forwarded = mail("board", "Delivered-To: games@provider.example", f"Cc: {b}")
    with session(house.engine) as opened:
        found = [
            handed_on.take(opened, house.house, raw, Source.IMAP, house.now)
            for raw in (both, one, forwarded)
        ]
    rows = [
        [house.row(each.inbox_id).recipient for each in taken.receipts.values()] for taken in found
    ]
    assert rows == [[a, b], [a], [b]]


def test_a_guessed_address_in_a_header_is_worth_nothing(house: Parlour) -> None:
    raw = mail("board", f"Delivered-To: play+g1.a.0.0.aaaaaaaaaaaaaaaa@{DOMAIN}")
    with session(house.engine) as opened:
        taken = handed_on.take(opened, house.house, raw, Source.IMAP, house.now)
    assert not taken.receipts
    assert all(why.startswith("550 5.1.1") for why in taken.refused.values())


@pytest.mark.parametrize(
    ("path", "sender"), [("<>", ""), ("<a@b.example>", "a@b.example"), (None, ANNA)]
)
def test_the_envelopes_sender(path: str | None, sender: str) -> None:
    given = () if path is None else (f"Return-Path: {path}",)
    assert handed_on.sender(mail("board", *given)) == sender


# -- the webhook -----------------------------------------------------------------------------------


def test_a_signed_mail_is_stored_and_played(house: Parlour, provider: TestClient) -> None:
    raw = signed(mail("board"))
    assert post(house, provider, raw, house.address()) == (200, {"taken": 1, "refused": {}})
    house.play()
    assert house.letters(to=ANNA, kind="done")


def test_a_sender_has_to_be_proved_here_too(house: Parlour, provider: TestClient) -> None:
    """The provider's word for the client's address is none: only the signature counts."""
    post(house, provider, mail("board"), house.address())
    house.play()
    assert not house.letters(to=ANNA, kind="done")
    assert house.letters(to=ANNA, kind="confirm")


def test_the_same_request_again_is_one_mail(house: Parlour, provider: TestClient) -> None:
    raw = signed(mail("board"))
    given = headers(raw, house.now, house.address())
    for _ in range(2):
        assert provider.post("/mail/in", content=raw, headers=given).status_code == 200
        house.play()
    assert len(house.letters(to=ANNA, kind="done")) == 1


def test_without_an_envelope_the_headers_count(house: Parlour, provider: TestClient) -> None:
    raw = signed(mail("board", f"X-Original-To: {house.address()}"))
    assert post(house, provider, raw, "") == (200, {"taken": 1, "refused": {}})


def test_several_recipients(house: Parlour, provider: TestClient) -> None:
    raw = mail("board", sender=f"Berta <{BERTA}>")
    to = f"{house.address('A')}, <{house.address('B')}>, stranger@{DOMAIN}"
    status, said = post(house, provider, raw, to)
    assert (status, said["taken"]) == (200, 2)
    assert list(said["refused"]) == [f"stranger@{DOMAIN}"]  # type: ignore[call-overload]


def test_nobody_here(house: Parlour, provider: TestClient) -> None:
    status, said = post(house, provider, mail("board"), f"x@{DOMAIN}")
    assert (status, said["taken"]) == (422, 0)


def test_a_request_that_is_not_signed_now_and_whole(house: Parlour, provider: TestClient) -> None:
    raw, to = signed(mail("board")), house.address()
    late, soon = (house.now + timedelta(minutes=minutes) for minutes in (-6, 6))
    good = headers(raw, house.now, to)
    wrong = {
        "secret": headers(raw, house.now, to, secret="another secret here"),
        "recipient": good | {"X-PBEM-Rcpt-To": house.address("B")},
        "sender": good | {"X-PBEM-Mail-From": BERTA},
        "time": good | {"X-PBEM-Timestamp": str(int(house.now.timestamp()) + 1)},
        "no time": good
        | {"X-PBEM-Timestamp": "now", "X-PBEM-Signature": sign(SECRET, "now", ANNA, to, raw)},
        "no signature": good | {"X-PBEM-Signature": ""},
        "old": headers(raw, late, to),
        "future": headers(raw, soon, to),
    }
    for name, given in wrong.items():
        assert provider.post("/mail/in", content=raw, headers=given).status_code == 403, name
    assert provider.post("/mail/in", content=raw + b" ", headers=good).status_code == 403
    assert provider.post("/mail/in", content=raw, headers=good).status_code == 200


def test_what_is_too_large_is_not_even_read(
    house: Parlour, provider: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_in, "MOST_BYTES", 1000)
    raw = signed(mail("x" * 2000))
    assert post(house, provider, raw, house.address())[0] == 413
    chunks = (raw[n : n + 100] for n in range(0, len(raw), 100))
    given = headers(raw, house.now, house.address())
    assert provider.post("/mail/in", content=chunks, headers=given).status_code == 413


def test_trouble_is_for_later(house: Parlour, service: Service) -> None:
    raw = signed(mail("board"))
    gone = open_reader(str(house.engine.url))  # it may not write
    broken = replace(service, engine=gone)
    with TestClient(make_app(Site("1", {}, service=broken))) as provider:
        answer = provider.post(
            "/mail/in", content=raw, headers=headers(raw, house.now, house.address())
        )
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    gone.dispose()


def test_without_a_secret_there_is_no_way_in(house: Parlour, service: Service) -> None:
    closed = replace(service, webhook_secret=None)
    with TestClient(make_app(Site("1", {}, service=closed))) as provider:
        raw = mail("board")
        answer = provider.post("/mail/in", content=raw, headers=headers(raw, house.now))
    assert answer.status_code == 404


def test_postmaster_is_somebody(house: Parlour, provider: TestClient) -> None:
    status, _ = post(house, provider, mail("hello"), f"postmaster@{DOMAIN}")
    assert status == 200
    with session(house.engine) as opened:
        (row,) = boxes.mails(opened, [InboxStatus.SET_ASIDE])
    assert row.recipient == f"postmaster@{DOMAIN}"


def test_the_lines_of_the_document_hand_a_mail_over(
    house: Parlour, provider: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/hosting.md shows in Python is what the webhook takes."""
    paper = Path(__file__).parents[2] / "docs" / "hosting.md"
    (shown,) = re.findall(r"```python\n(.*?)```", paper.read_text(encoding="utf-8"), re.DOTALL)
    known: dict[str, Any] = {}
    exec(compile(shown, "hosting.md", "exec"), known)
    raw, house.now = signed(mail("board")), datetime.now(UTC)

    @contextmanager
    def opened(request: urllib.request.Request) -> Iterator[SimpleNamespace]:
        assert isinstance(request.data, bytes)
        answer = provider.post("/mail/in", content=request.data, headers=dict(request.headers))
        yield SimpleNamespace(status=answer.status_code)

    monkeypatch.setattr(urllib.request, "urlopen", opened)
    hand_over = known["hand_over"]
    assert hand_over("http://x/mail/in", SECRET, raw, ANNA, house.address()) == 200
    assert hand_over("http://x/mail/in", SECRET + "x", raw, ANNA, house.address()) == 403
