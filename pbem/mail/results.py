"""What the server in front of us found out: `Authentication-Results` (RFC 8601) of one id.

Believed is one header alone: the topmost with the configured id. Whatever stands lower may have
been in the mail when it was handed in, and headers with other ids are other people's. This takes a
server that puts its own verdict on top of every mail, or that takes foreign ones with its id out
(RFC 8601, section 5), and that nobody can go around: see docs/developers/decisions.
"""

import re

import authres  # type: ignore[import-untyped]  # comes without types

from . import header
from .alignment import aligned
from .header import Mail

_COMMENT = re.compile(r"\((?:[^()\\]|\\.)*\)")
_DEEPEST_COMMENT = 5


def vouches(mail: Mail, authserv_id: str, domain: str) -> str | None:
    """None if the trusted server vouches for From at `domain`; else a code that says why not.

    Codes: no-results, unreadable-results, dmarc-fail, unproved-by-server.
    """
    ours = [value for value in _results(mail) if _names(value, authserv_id)]
    if not ours:
        return "no-results"
    return of_value(ours[0], domain)


def of_value(value: str, domain: str) -> str | None:
    """None if a header's value says that From at `domain` was proved; else a code as above."""
    try:
        found = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {value}")
    except Exception:  # the library raises what it likes on a header that is none
        return "unreadable-results"
    verdicts = {result.result for result in found.results if result.method == "dmarc"}
    if verdicts - {"pass", "none"}:
        return "dmarc-fail"
    passed = [result for result in found.results if result.result == "pass"]
    return None if any(_covers(result, domain) for result in passed) else "unproved-by-server"


def _results(mail: Mail) -> list[str]:
    return header.values(mail, "Authentication-Results")


def _names(value: str, authserv_id: str) -> bool:
    """Whether the header's id, which comments may precede, is the configured one."""
    depth = 0
    while depth < _DEEPEST_COMMENT and (bare := _COMMENT.sub(" ", value)) != value:
        value, depth = bare, depth + 1
    named = value.partition(";")[0].split()
    return bool(named) and named[0].strip('"').lower() == authserv_id.lower()


def _covers(result: authres.AuthenticationResult, domain: str) -> bool:
    """Whether a method that passed says something about this From domain."""
    for found in result.properties:
        named = str(found.value).rpartition("@")[2].lower().rstrip(".")
        match (result.method, found.type, found.name):
            case ("dmarc", "header", "from"):
                covered = named == domain
            case ("dkim", "header", "d" | "i") | ("spf", "smtp", "mailfrom"):
                covered = aligned(named, domain)
            case _:
                covered = False
        if covered:
            return True
    return False
