"""What every answer tells the browser not to do."""

from collections.abc import Awaitable, Callable
from types import MappingProxyType

from fastapi import Request, Response

PAGE_HEADERS = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; "
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        # Not `no-referrer`, which would make the Origin of our own forms `null`.
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
)

LETTER_HEADERS = MappingProxyType(
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


async def with_headers(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    """Middleware: the headers of a page, where an answer has not set its own."""
    response = await call_next(request)
    for name, value in PAGE_HEADERS.items():
        response.headers.setdefault(name, value)
    return response
