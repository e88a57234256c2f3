"""Every kind of letter in every language, made as for sending, stands up to our own lint."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from pbem.judge import compose, pictures
from pbem.judge.contents.desk import Desk
from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.mail import letter
from pbem.mail.marker import MARKERS
from pbem.render import illustration, letters
from pbem.render.picture.board import draw
from pbem.render.picture.scene import Scene
from pbem.store import tables
from tests.mail.lint import ANSWERS, EITHER, faults
from tests.render.samples import SAMPLES, seen

HOUSE = House("games.example.org", b"a secret", public_url="https://games.example.org")
ANNA = "anna@example.org"
LANGUAGES = tuple(MARKERS)
CALL = "turn-call"
NOW = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)


@cache
def words(name: str, language: str) -> tuple[letters.Composed, letter.Attachment | None]:
    """A sample's words and its picture, made once."""
    context = SAMPLES[name]
    picture = pictures.enclosed(illustration.scene(context, language), _draw_once)
    cid = None if picture is None else picture.cid
    return letters.compose(context.kind, context, language, "Europe/Rome", cid), picture


def _draw_once(scene: Scene) -> bytes:
    """Most letters show the same."""
    if scene.key not in _DRAWN:
        _DRAWN[scene.key] = draw(scene)
    return _DRAWN[scene.key]


_DRAWN: dict[str, bytes] = {}


def made(name: str, language: str, *, answers: bool, file: bool = False) -> bytes:
    """The bytes of a sample, to Anna at seat A."""
    context = SAMPLES[name]
    composed, picture = words(name, language)
    seat = tables.Seat(
        game_id=7,
        letter="A",
        colour="blue",
        name="Anna",
        address=ANNA,
        language=language,
        settings={"FILE": "JSON"} if file else {},
    )
    desk = _desk(context, seat)
    return letter.to_bytes(compose._letter(HOUSE, _row(context, answers), desk, composed, picture))


def _desk(context: Any, seat: tables.Seat) -> Desk:
    table = getattr(context, "table", None) or getattr(SAMPLES["turn-call"], "table")  # noqa: B009
    return Desk(
        game=tables.Game.model_construct(
            id=7, ruleset="classic-1993", phase="place", commitment="", deck_commitment=""
        ),
        options=Options(),
        reader=seat,
        language=seat.language,
        zone="Europe/Rome",
        table=table,
        view=getattr(context, "view", None) or seen(),
        events=(),
        facts={},
        thread="",
    )


def _row(context: Any, answers: bool) -> tables.Outbox:
    return tables.Outbox(
        id=12,
        key="k",
        kind=context.kind,
        game_id=7,
        seat="A",
        to_address=ANNA,
        message_id=letter.message_id(HOUSE.domain, "g7", 23, "A", context.kind, "x"),
        in_reply_to="<mail.1@example.org>" if answers else None,
        inbox_id=3 if answers else None,
        recipe={
            "turn": 23,
            "step": 2,
            "facts": {},
            "references": ["<g7.23.a.turn-call.1.abcdefghijkl@games.example.org>"],
        },
        created_at=NOW,
        next_try_at=NOW,
        next_hint_at=NOW,
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name for name in SAMPLES if SAMPLES[name].kind != "login"])
def test_every_letter_in_every_language(name: str, language: str) -> None:
    kind = SAMPLES[name].kind
    ways = {kind in ANSWERS, kind in ANSWERS | EITHER}
    for answers in ways:
        assert faults(made(name, language, answers=answers)) == []


@pytest.mark.parametrize("name", ["turn-call", "done-served", "report"])
def test_letters_with_a_file_for_programs(name: str) -> None:
    found = next(n for n in SAMPLES if n.startswith(name))
    raw = made(found, "en", answers=SAMPLES[found].kind in ANSWERS, file=True)
    assert b"application/json" in raw
    assert faults(raw) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_link_to_log_in(language: str) -> None:
    row = _row(SAMPLES[CALL], answers=False)
    row.kind, row.seat, row.game_id = "login", None, None
    until = "2026-12-01T20:30:00+00:00"
    row.recipe = {"facts": {"number": "12", "until": until, "language": language, "zone": "UTC"}}
    _, raw = compose.write_of_house(HOUSE, row)
    assert faults(raw) == []


# -- the lint itself -------------------------------------------------------------------------------

BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "bare line feed": (lambda raw: raw.replace(b"\r\n", b"\n", 1), "bare CR or LF"),
    "a byte over 127": (lambda raw: raw.replace(b"Subject: ", b"Subject: \xc3\xa9"), "over 127"),
    "precedence": (lambda raw: b"Precedence: bulk\r\n" + raw, "has Precedence"),
    "list-post": (lambda raw: b"List-Post: NO\r\n" + raw, "has List-Post"),
    "two subjects": (lambda raw: b"Subject: again [g7]\r\n" + raw, "2 times Subject"),
    "no message id": (lambda raw: re.sub(rb"Message-ID: [^\r]*\r\n", b"", raw), "Message-ID"),
    "random id": (
        lambda raw: re.sub(rb"(Message-ID:\s+)<[^>]*>", rb"\1<1234@x>", raw),
        "Message-ID <1234",
    ),
    "reply elsewhere": (
        lambda raw: re.sub(rb"(Reply-To:\s+)\S+", rb"\1x@example.org", raw),
        "From is not Reply-To",
    ),
    "auto-replied": (lambda raw: raw.replace(b"auto-generated", b"auto-replied"), "auto-replied"),
    "an answer": (lambda raw: b"In-Reply-To: <a@b>\r\n" + raw, "answers a mail"),
    "many references": (
        lambda raw: re.sub(rb"References: ", b"References: " + b"<a@b>\r\n " * 10, raw),
        "References",
    ),
    "no way out": (
        lambda raw: raw.replace(b"List-Unsubscribe-Post", b"X-Post"),
        "List-Unsubscribe-Post: None",
    ),
    "no list": (lambda raw: raw.replace(b".games.", b".other."), "List-Id"),
    "long line": (lambda raw: raw.replace(b"Deadline", b"Deadline " + b"x " * 50, 1), "a line of"),
    "flowed": (lambda raw: raw.replace(b'"utf-8"', b'"utf-8"; format=flowed', 1), "flowed"),
    "latin-1": (lambda raw: raw.replace(b'"utf-8"', b'"latin-1"', 1), "charset"),
    "mixed": (lambda raw: raw.replace(b"multipart/related", b"multipart/mixed"), "shape"),
    "picture as a file": (lambda raw: raw.replace(b"inline;", b"attachment;"), "as an attachment"),
    "lost picture": (lambda raw: raw.replace(b"Content-ID: <", b"Content-ID: <x"), "pictures"),
    "tracking": (
        lambda raw: raw.replace(b"</body>", b'<img src=3D"http://x/y"></body>'),
        "from outside",
    ),
    "script": (lambda raw: raw.replace(b"</body>", b"<script></script></body>"), "<script>"),
    "no language": (lambda raw: raw.replace(b"<html lang", b"<html long"), "without language"),
    "heavy page": (
        lambda raw: raw.replace(b"</body>", b"<p>x</p>=\r\n" * 4000 + b"</body>"),
        "HTML of",
    ),
    "heavy letter": (lambda raw: raw + b"x\r\n" * 100_000, "bytes in all"),
    "wrong width": (lambda raw: re.sub(rb'width=3D"6\d\d"', b'width=3D"900"', raw), "900 wide"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_lint_finds(name: str) -> None:
    whole = made(CALL, "en", answers=False)
    spoil, fault = BROKEN[name]
    assert faults(whole) == []
    spoilt = spoil(whole)
    assert spoilt != whole
    assert fault in "\n".join(faults(spoilt))
