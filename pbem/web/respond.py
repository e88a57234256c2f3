"""From a template to an answer, in the language of whoever asks."""

from fastapi import Request
from fastapi.responses import HTMLResponse

from pbem.judge.showing import Showing
from pbem.render import pages
from pbem.web.headers import SCRIPTED_HEADERS
from pbem.web.static_files import address_of
from pbem.web.visitor import Visitor, set_nonce


def html_page(request: Request, name: str, status: int = 200, **context: object) -> HTMLResponse:
    """The page `web/<name>.html.j2` as an answer, in the browser's language and without script."""
    language = pages.language_for(request.headers.get("accept-language", ""))
    told = {"static": address_of, **context}
    return HTMLResponse(pages.page(name, told, language), status_code=status)


def show(here: Visitor, name: str, code: int = 200, /, **context: object) -> HTMLResponse:
    """The page `web/<name>.html.j2` for a visitor, whom its templates know as `visitor`."""
    told = {"static": address_of, "visitor": here, "zone": here.zone, **context}
    answer = HTMLResponse(
        pages.page(name, told, here.language), status_code=code, headers=dict(SCRIPTED_HEADERS)
    )
    set_nonce(here, answer)
    return answer


def show_game(
    here: Visitor, name: str, showed: Showing, code: int = 200, /, **context: object
) -> HTMLResponse:
    """A page about a game: its templates know the game, its table, and what may be seen of it."""
    return show(
        here,
        name,
        code,
        showed=showed,
        game=showed.game,
        table=showed.table,
        view=showed.view,
        now=here.service.clock(),
        reader=showed.reader(here.language, here.zone),
        **context,
    )
