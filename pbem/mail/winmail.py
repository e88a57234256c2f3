"""The words inside a winmail.dat, which Outlook sends to those whom it takes for its own kind.

`tnefparse` comes with the extra `hosting`; without it such a part stays closed.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .charset import decode
from .rtf import rtf_to_text, unpacked


@dataclass(frozen=True, slots=True)
class Words:
    """The text of the mail inside, plain or HTML."""

    text: str
    is_html: bool


def words(content: bytes) -> Words | None:
    """The plainest text in it that is not empty; None if it cannot be opened. Never raises."""
    try:
        import tnefparse  # type: ignore[import-untyped]  # noqa: PLC0415  # only where wanted
    except ImportError:
        return None
    logging.getLogger("tnefparse").setLevel(logging.CRITICAL)
    try:
        opened = tnefparse.TNEF(content, do_checksum=False)
    except Exception:  # the library raises what it likes on a broken one
        return None
    plain, html = _text(opened.body), _text(opened.htmlbody)
    if plain.strip():
        return Words(plain, is_html=False)
    if html.strip():
        return Words(html, is_html=True)
    rich = _bytes(opened._rtfbody)
    with suppress(ValueError, IndexError):
        return Words(rtf_to_text(unpacked(rich)), is_html=False)
    return None


def _text(value: Any) -> str:
    one = value[0] if isinstance(value, list) and value else value
    if isinstance(one, bytes):
        return decode(one.rstrip(b"\0"), None)[0]
    return one.rstrip("\0") if isinstance(one, str) else ""


def _bytes(value: Any) -> bytes:
    one = value[0] if isinstance(value, list) and value else value
    return one if isinstance(one, bytes) else b""
