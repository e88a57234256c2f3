"""What a bounce says: that the letter will never be delivered, or not yet.

Reports in the standard's form (RFC 3464) are read by the standard library, others by flufl.bounce,
and where that knows no form the first status code counts. Whom the letter went to is said by the
address that the report came to, not by the report.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from flufl.bounce import all_failures

from .header import Mail, value, word

_STATUS_PARTS = ("message/delivery-status", "message/global-delivery-status")
_CODE = re.compile(r"(?<![\d.])([45])\.\d{1,3}\.\d{1,3}(?![\d.])")
_GLANCE = 8 * 1024
_MOST = 300  # characters of a reply that are told
_LEFT_OUT = "\N{HORIZONTAL ELLIPSIS}"
_APART = r"\s<>\"'(),;:@"
_MAILBOX = re.compile(rf"(?<![^{_APART}])[^{_APART}]++(?=@)")
_LINK_END = re.compile(r"(?<=://)\S+")
# Full mailboxes and refusals for our own sake: the address is good.
_NOT_THE_ADDRESS = ("5.2.2", "5.7.")


class Bounced(StrEnum):
    """`hard` if no letter can reach the address, `soft` if one may later."""

    HARD = "hard"
    SOFT = "soft"


def read_bounce(mail: Mail) -> Bounced | None:
    """What the report says, the worse if it says both; None if it tells of no failure."""
    blocks = list(_blocks(mail))
    if blocks:
        return _worse({_of_block(block) for block in blocks})
    temporary, permanent = all_failures(mail)
    if temporary or permanent:
        return Bounced.HARD if permanent else Bounced.SOFT
    code = _CODE.search(_text(mail))
    return None if code is None else of_status(code[0])


def shown_reply(reply: str) -> str:
    """A server's reply as people are told it: one line, not too long.

    Without the names of mailboxes and the ends of links: a server may repeat our own, and to know
    those is to be let in.
    """
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in reply).split())
    return _LINK_END.sub(_LEFT_OUT, _MAILBOX.sub(_LEFT_OUT, line))[:_MOST]


def read_reason(mail: Mail) -> str:
    """Why, by the report: the other server's reply, else the status; empty if it gives neither."""
    for block in _blocks(mail):
        if _of_block(block) is not None:
            _, _, reply = (value(block, "Diagnostic-Code") or "").partition(";")
            return shown_reply(reply) or shown_reply(value(block, "Status") or "")
    return next((shown_reply(line) for line in _text(mail).splitlines() if _CODE.search(line)), "")


def of_status(status: str) -> Bounced:
    """What an enhanced status code of a failure (RFC 3463) says about the address."""
    return Bounced.SOFT if status.startswith(("4.", *_NOT_THE_ADDRESS)) else Bounced.HARD


def _worse(found: set[Bounced | None]) -> Bounced | None:
    return next((kind for kind in (Bounced.HARD, Bounced.SOFT) if kind in found), None)


def _blocks(mail: Mail) -> Iterator[Mail]:
    """The fields for each recipient; the block about the whole letter stands before them."""
    for part in mail.walk():
        if part.get_content_type() in _STATUS_PARTS and part.is_multipart():
            for block in part.get_payload():
                if not isinstance(block, str) and value(block, "Action") is not None:
                    yield block


def _of_block(block: Mail) -> Bounced | None:
    action = word(block, "Action")
    if action == "delayed":
        return Bounced.SOFT
    return of_status(word(block, "Status")) if action == "failed" else None


def _text(mail: Mail) -> str:
    """The beginning of the first part that is text."""
    for part in mail.walk():
        content = part.get_payload(decode=True)
        if part.get_content_maintype() == "text" and isinstance(content, bytes):
            return content[:_GLANCE].decode("latin-1")
    return ""
