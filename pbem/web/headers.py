"""What every answer tells the browser not to do."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CLOSED = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

PAGE_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": _CLOSED,
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        # Not `no-referrer`, which would make the Origin of our own forms `null`.
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
)

SCRIPTED_HEADERS: Mapping[str, str] = MappingProxyType(
    {"Content-Security-Policy": f"{_CLOSED}; script-src 'self'; connect-src 'self'"}
)
"""A page that refreshes itself: the scripts of `/static`, and none that stands in a page."""

LETTER_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
            "base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'self'"
        ),
        "X-Frame-Options": "SAMEORIGIN",
    }
)
"""A letter's HTML in its frame: its own styles, and nothing else of all that HTML could do."""


class Headers:
    """Middleware: the headers of a page, where an answer has not set its own.

    It hands answers through as they come, so that a stream of events is not held up.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in PAGE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers)
