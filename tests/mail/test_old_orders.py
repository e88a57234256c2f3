"""A second corpus out of the first: a new order on top of each mail, old ones in what it quotes.

The quoted letter is changed as a player's own older mail would change it: an order that stands bare
in its midst, and one in place of the line that tells new from old. Whatever the program, the new
order is read and neither of the old ones is; they may be asked about.
"""

import base64
import html
import quopri
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message

import pytest

from pbem.mail.charset import decode
from pbem.mail.inbound import read
from pbem.mail.marker import MARKERS
from tests.mail.test_corpus import LETTERS, NAMES, expected

NEW = "place 7 in Brazil"
AMONG_EXAMPLES, AT_THE_MARKER = "attack Peru from Brazil", "fortify Brazil to Peru with 3"

Change = Callable[[str, bool], str]

NOTHING_TELLS = frozenset({("marker-unquoted-copy", "at_the_marker")})
"""Nothing marks this copy but our own line; without it the copy looks like the player's text."""


def language(name: str) -> str:
    return str(expected(name).get("sent", ""))[5:7]


def answers(name: str) -> bool:
    """Whether the mail answers a letter and can be told from its quote without it."""
    wanted = expected(name)
    return "sent" in wanted and "sent_is_needed" not in wanted and wanted["kind"] == "orders"


def example(name: str) -> str:
    """The first example of the letter that is answered."""
    lines = (LETTERS / "sent" / expected(name)["sent"]).read_text("utf-8").split("\n")
    return str(next(line for line in lines if line.startswith("| ")))


def among_examples(name: str) -> Change:
    old = example(name)
    return lambda text, _: text.replace(old, AMONG_EXAMPLES)


def at_the_marker(name: str) -> Change:
    marker = MARKERS[language(name)]
    return lambda text, _: text.replace(marker, AT_THE_MARKER)


def on_top(text: str, is_html: bool) -> str:
    if not is_html:
        return f"{NEW}\n{text}"
    head, body, rest = text.partition("<body")
    opened, close, inner = rest.partition(">")
    line = f"<div>{html.escape(NEW)}</div>"
    return f"{head}{body}{opened}{close}{line}{inner}" if body else line + text


def changed(raw: bytes, *changes: Change) -> tuple[bytes, int]:
    """The mail with its texts changed, and in how many of them the changes found their place."""
    mail = message_from_bytes(raw)
    places = 0
    topped: set[str] = set()
    for part in list(texts(mail)):
        text = content(part)
        kind = part.get_content_type()
        new = text
        for change in changes:
            new = change(new, kind == "text/html")
        places += new != text
        if kind not in topped:
            new = on_top(new, kind == "text/html")
            topped.add(kind)
        put(part, new)
    return mail.as_bytes(), places


def texts(mail: Message) -> Iterator[Message]:
    for part in mail.walk():
        inline = part.get_content_disposition() != "attachment" and not part.get_filename()
        if part.get_content_maintype() == "text" and inline:
            yield part


def content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    text, _ = decode(payload, part.get_content_charset())
    return text.replace("\r\n", "\n")


def put(part: Message, text: str) -> None:
    """Encoded as the part was, so that the changed mail keeps its program's shape."""
    raw = text.encode(_charset(part, text), "replace")
    match str(part["Content-Transfer-Encoding"] or "").lower():
        case "base64":
            part.set_payload(base64.encodebytes(raw).decode())
        case "quoted-printable":
            part.set_payload(quopri.encodestring(raw).decode())
        case _:
            part.set_payload(raw.decode("ascii", "surrogateescape"))


def _charset(part: Message, text: str) -> str:
    named = part.get_content_charset() or "utf-8"
    try:
        if decode(text.encode(named), named)[0] == text:
            return named
    except (LookupError, UnicodeError):
        pass
    return "utf-8"


def grown(name: str, plant: Callable[[str], Change]) -> bytes | None:
    """The mail with a new order on top and an old one planted; None if it quotes no such line."""
    raw, places = changed((LETTERS / f"{name}.eml").read_bytes(), plant(name))
    return raw if places else None


GROWN = [
    (name, plant)
    for name in NAMES
    if answers(name)
    for plant in (among_examples, at_the_marker)
    if (name, plant.__name__) not in NOTHING_TELLS and grown(name, plant) is not None
]


def test_the_second_corpus_is_there() -> None:
    assert len(GROWN) >= 350


@pytest.mark.parametrize(("name", "plant"), GROWN)
def test_the_new_order_is_read_and_no_old_one(name: str, plant: Callable[[str], Change]) -> None:
    raw = grown(name, plant)
    assert raw is not None
    sent = (LETTERS / "sent" / expected(name)["sent"]).read_text("utf-8")
    for answered in (sent, None):
        found = read(raw, answered)
        assert NEW in found.text
        assert AMONG_EXAMPLES not in found.text
        assert AT_THE_MARKER not in found.text
