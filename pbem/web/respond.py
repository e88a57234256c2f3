"""From a template to an answer, in the browser's language or in the reader's own."""

from fastapi import Request
from fastapi.responses import HTMLResponse

from pbem.render import pages


def html_page(
    request: Request,
    name: str,
    status: int = 200,
    *,
    language: str | None = None,
    **context: object,
) -> HTMLResponse:
    """The page `web/<name>.html.j2` as an answer; without a `language` in the browser's."""
    wished = request.headers.get("accept-language", "") if language is None else language
    spoken = pages.language_for(wished)
    return HTMLResponse(pages.page(name, context, spoken), status_code=status)
