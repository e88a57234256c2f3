"""By which names a browser may call us, and whether a form came from our own pages."""

import hmac
from collections.abc import Iterable
from urllib.parse import urlsplit

from fastapi import Request

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def own_names(public_url: str, listening: str) -> frozenset[str]:
    """The host names that a browser may call us by: no foreign one can be pointed at us."""
    return LOOPBACK_NAMES | {urlsplit(public_url).hostname or "", listening}


def is_called_by(request: Request, names: Iterable[str]) -> bool:
    """Whether the request's Host header has one of the names."""
    return _host_name(request.headers.get("host", "")) in names


def is_own_form(request: Request) -> bool:
    """Whether the browser says that it sends a form of the page's own site."""
    origin = urlsplit(request.headers.get("origin", ""))
    ours = origin.scheme in ("http", "https") and origin.netloc == request.headers.get("host")
    return bool(ours)


def same(given: str, right: str) -> bool:
    """Compare secrets in a time that tells nothing."""
    return hmac.compare_digest(given.encode(), right.encode())


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or "-"
    except ValueError:
        return "-"
