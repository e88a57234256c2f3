"""Headers read raw: nothing that a mail says in them can raise."""

import re
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from email.utils import collapse_rfc2231_value
from typing import TypeAlias

from .charset import decode

Mail: TypeAlias = "Message[str, str]"

# A field with what is folded under it; lines that the library's parser passes over.
_FIELD = re.compile(
    r"(?P<name>[!-9;-~]*):(?P<value>[^\n]*(?:\n[ \t][^\n]*)*)\n?|(?:From |[ \t])[^\n]*\n?"
)
_FOLD = re.compile(r"\r?\n[ \t]*")
_ID = re.compile(r"<[!-;=?-~]{1,300}>")
_COMMENT = re.compile(r"\([^()]*\)")
_MOST_IDS = 50
_HEADER_BYTES = 64 * 1024
_LONGEST_VALUE = 8192
_LONGEST_ID = 900  # a line of a header holds 998 octets


def read_headers(raw: bytes) -> Mail:
    """The headers of a mail alone, from its first 64 KiB.

    The same as the library's parser finds, which takes four times as long: each mail at the door
    comes by here.
    """
    head = plain_breaks(raw[:_HEADER_BYTES]).decode("ascii", "surrogateescape")
    mail: Mail = Message(policy=compat32)
    at = 0
    while (found := _FIELD.match(head, at)) is not None:
        at = found.end()
        if found["name"]:
            mail.set_raw(found["name"], found["value"].lstrip(" \t"))
    return mail


def plain_breaks(raw: bytes) -> bytes:
    """One kind of line break: bare CR and LF come in by SMTP as they were sent."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def values(mail: Mail, name: str) -> list[str]:
    """All values of a header in order, unfolded and cut at 8 KiB each."""
    wanted = name.lower()
    found = [value for key, value in mail.raw_items() if key.lower() == wanted]
    return [_unfolded(str(value)) for value in found]


def value(mail: Mail, name: str) -> str | None:
    """The first value of a header, or None."""
    found = values(mail, name)
    return found[0] if found else None


def word(mail: Mail, name: str) -> str:
    """The first word of a header in lower case, without parameters and comments; "" if none."""
    content = _COMMENT.sub(" ", value(mail, name) or "")
    return re.split(r"[;(,\s]", content.strip(), maxsplit=1)[0].lower()


def has(mail: Mail, *names: str) -> bool:
    """Whether any of these headers is there."""
    return any(values(mail, name) for name in names)


def decoded(raw: str) -> str:
    """A header's value with its encoded words read; as it stands if they cannot be."""
    try:
        return str(make_header(decode_header(raw)))
    except (LookupError, ValueError, HeaderParseError):
        return raw


def parameter(mail: Mail, name: str, header: str = "Content-Type") -> str:
    """A parameter of a header in lower case, or ""."""
    try:
        found = mail.get_param(name, header=header)
        return collapse_rfc2231_value(found).strip().lower() if found else ""
    except Exception:  # the library raises what it likes on broken parameters
        return ""


def sound_message_id(mail: Mail) -> str | None:
    """The Message-ID if there is exactly one and it is well formed."""
    found = values(mail, "Message-ID")
    if len(found) != 1:
        return None
    bare = found[0].strip()
    return bare if _ID.fullmatch(bare) else None


def given_message_id(mail: Mail) -> str | None:
    """The Message-ID as its sender wrote it, sound or not, in one line; None if there is none.

    It is what an answer repeats: whoever wrote an odd one looks for that very one.
    """
    found = (value(mail, "Message-ID") or "").strip()
    fits = 0 < len(found) <= _LONGEST_ID and found.isprintable()
    return found if fits else None


def ids(mail: Mail, name: str) -> tuple[str, ...]:
    """The ids of References or In-Reply-To, with spaces or commas between them; the last 50."""
    found = _ID.findall(" ".join(values(mail, name)))
    return tuple(found[-_MOST_IDS:])


def _unfolded(raw: str) -> str:
    joined = _FOLD.sub(" ", raw[:_LONGEST_VALUE])
    if joined.isascii():
        return joined
    # The parser smuggles bytes over 127 through as surrogates.
    return decode(joined.encode("utf-8", "surrogateescape"), None)[0]
