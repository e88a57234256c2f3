"""From a template to an answer, in the browser's language."""

from fastapi import Request
from fastapi.responses import HTMLResponse

from pbem.render import pages


def html_page(request: Request, name: str, status: int = 200, **context: object) -> HTMLResponse:
    """The page `web/<name>.html.j2` as an answer."""
    language = pages.language_for(request.headers.get("accept-language", ""))
    return HTMLResponse(pages.page(name, context, language), status_code=status)
