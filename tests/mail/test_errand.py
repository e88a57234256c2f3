"""Addresses for one errand each."""

import pytest

from pbem.mail import address
from pbem.mail.errand import Errand, Purpose, genuine, issue, parse

SECRET = b"a secret"
STOP = issue(SECRET, "g7", "A", Purpose.NEWS)
MOVE = issue(SECRET, "g7", "A", Purpose.NEW, 12)


@pytest.mark.parametrize("errand", [STOP, MOVE])
def test_an_errand_is_read_in_every_spelling_that_hosts_leave(errand: Errand) -> None:
    full = errand.at("games.example.org")
    spellings = [
        full,
        full.upper(),
        f"<{full}>",
        f"{errand.token}@games.example.org",
        f"anything+{errand.token}@mx.games.example.org",
        errand.token,
    ]
    assert [parse(spelling) for spelling in spellings] == [errand] * len(spellings)
    assert genuine(errand, SECRET)


def test_they_look_as_documented() -> None:
    assert STOP.at("host.example") == f"stop+g7.a.news.{STOP.tag}@host.example"
    assert MOVE.at("host.example") == f"move+g7.a.new12.{MOVE.tag}@host.example"


def test_a_tag_is_good_for_its_own_errand_only() -> None:
    others = [
        issue(SECRET, "g8", "A", Purpose.NEWS),
        issue(SECRET, "g7", "B", Purpose.NEWS),
        issue(SECRET, "g7", "A", Purpose.ALL),
        issue(SECRET, "g7", "A", Purpose.NEW, 13),
        issue(SECRET, "g7", "A", Purpose.OLD, 12),
        issue(b"another", "g7", "A", Purpose.NEWS),
        issue(SECRET, "g7", "A", Purpose.NEWS, epoch=1),
    ]
    assert len({other.tag for other in (*others, STOP, MOVE)}) == len(others) + 2
    for other in others:
        forged = Errand("g7", "A", Purpose.NEWS, 0, other.tag)
        assert not genuine(forged, SECRET)


def test_it_gives_no_orders_and_answers_no_question() -> None:
    for errand in (STOP, MOVE):
        full = errand.at("games.example.org")
        assert address.parse(full) is None
        assert address.parse_bounce(full) is None
        assert address.parse_confirm(full) is None
    play = address.issue(SECRET, "g7", "A", 3, 1)
    assert play.tag not in (STOP.tag, MOVE.tag)
    assert parse(address.format_address(play, "games.example.org")) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "stop@games.example.org",
        f"stop+g7.g.news.{STOP.tag}@x",
        f"stop+g7.a.new.{STOP.tag}@x",
        f"stop+g7.a.news1.{STOP.tag}@x",
        f"stop+g7.a.new0.{STOP.tag}@x",
        f"stop+g7.a.news.{STOP.tag[:-1]}@x",
        f"stop+g7.a.news.{STOP.tag}é@x",
        "x" * 300,
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert parse(text) is None
