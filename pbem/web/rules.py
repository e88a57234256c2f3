"""The rules in plain words: a page for everybody, which letters link to by its anchors."""

from fastapi import APIRouter, Request, Response

from pbem.render import rulebook
from pbem.web.respond import html_page

router = APIRouter(prefix="/rules")


@router.get("")
def show(request: Request) -> Response:
    """All themes on one page."""
    return html_page(request, "rules", sections=rulebook.sections())
