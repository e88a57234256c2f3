"""Letters: a subject, a text and an HTML part, made of templates and of what a letter is told.

A kind of letter is a triple of templates, `mail/<kind>.subject.j2`, `.txt.j2` and `.html.j2`. The
text template writes in the marks of `prose`; a form feed parts what stands above the board, the
board, and what stands below it. The HTML part takes the words from there and draws its own board.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem.render import contexts, hand, minimap, narrate, prose, textboard
from pbem.render.catalogue import SOURCE, languages, translations
from pbem.render.modules import MODULES, Modules, Template
from pbem.render.words import FILTERS, LANDS, WORDS, Reader
from pbem.rules import board as boards
from pbem.rules import capitals, missions
from pbem.rules.trade import must_trade
from pbem.rules.view import View

BOARD = "\f"


@dataclass(frozen=True, slots=True)
class Composed:
    """A letter ready to be sent; `text` is whole without `html`, `story` stands above the board."""

    subject: str
    text: str
    html: str
    story: str = ""


def compose(
    kind: str,
    context: contexts.Letter
    | contexts.NotUnderstood
    | contexts.Login
    | contexts.Lobby
    | Mapping[str, object],
    language: str = SOURCE,
    zone: str = "UTC",
    picture: str | None = None,
) -> Composed:
    """The letter of that kind in the reader's language and zone.

    `picture` is the content id of the board's picture, if the mail brings one along.
    A language without a complete catalogue gives English. Raises jinja2's TemplateNotFound for an
    unknown kind, UndefinedError for a context that lacks something, ZoneInfoNotFoundError.
    """
    spoken = language if language in languages() else SOURCE
    words, pages = environment(spoken, escaped=False), environment(spoken, escaped=True)
    told = dict(context) if isinstance(context, Mapping) else _told(context)
    view = told.get("view")
    board = boards.load()
    if isinstance(view, View):
        board, told["standings"] = view.board, textboard.standings(view)
    told["reader"] = Reader(spoken, ZoneInfo(zone), board)
    told[MODULES] = Modules(told)
    subject = " ".join(words.get_template(f"{kind}.subject.j2").render(told).split())
    above, drawn, below = _parts(words.get_template(f"{kind}.txt.j2").render(told))
    page = pages.get_template(f"{kind}.html.j2").render(
        told,
        subject=subject,
        picture=picture,
        above=prose.html(above),
        below=prose.html(below),
    )
    story = prose.plain(above)
    text = _joined(story, drawn, prose.plain(below))
    return Composed(subject, text, _inliner().inline(page), _joined(story))


def templates() -> Path:
    """The folder of all templates: the package's own in a wheel, the checkout's otherwise."""
    package = Path(str(resources.files("pbem")))
    shipped = package / "templates"
    return shipped if shipped.is_dir() else package.parent / "templates"


@cache
def environment(language: str, *, escaped: bool) -> Environment:
    """The templates of the letters in a language of `languages()`, for HTML `escaped`.

    Escaping goes by environment, not by the name of a template: a macro's output counts as escaped
    wherever HTML calls it, so the macros that both parts share must escape there themselves.
    """
    made = Environment(
        loader=FileSystemLoader(templates() / "mail"),
        autoescape=escaped,  # noqa: S701  # off for subjects and text parts, which are no HTML
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.template_class = Template
    made.policies["ext.i18n.trimmed"] = True
    catalogue = translations(language)
    made.install_gettext_callables(  # type: ignore[attr-defined]  # comes with the extension
        catalogue.gettext, catalogue.ngettext, newstyle=True, pgettext=catalogue.pgettext
    )
    made.filters.update(FILTERS)
    plain = environment(language, escaped=False) if escaped else made
    made.globals[WORDS] = plain.get_template("_words.j2").module
    if escaped:
        made.globals[LANDS] = made.get_template("_land.html.j2").module
    made.globals.update(
        language=language,
        board_rows=textboard.rows,
        board_list=textboard.continents,
        mini_map=minimap.minimap,
        fronts=textboard.fronts,
        narrate=narrate.narrate,
        turns=narrate.turns,
        shares=narrate.shares,
        conquered=narrate.conquered,
        touched=narrate.touched,
        offers=hand.offers,
        mission_of=missions.mission,
        mission_deck=missions.deck_of,
        rounds_to_hold=missions.rounds_to_hold,
        kill_credit=missions.kill_credit,
        capitals_to_hold=capitals.target,
        must_trade=must_trade,
    )
    return made


def prepare(language: str = SOURCE) -> None:
    """Compile all templates of a language of `languages()`: about a second, and the first letters
    of a process need not wait for it."""
    for escaped in (False, True):
        made = environment(language, escaped=escaped)
        for name in made.list_templates(extensions=["j2"]):
            made.get_template(name)


def colour_name(colour: str, language: str) -> str:
    """What letters in the language call a colour of `rules.seat.COLOURS`."""
    spoken = language if language in languages() else SOURCE
    words = environment(spoken, escaped=False).globals[WORDS]
    return str(getattr(words, "colour")(colour))  # noqa: B009  # a macro of the template


def _told(
    context: contexts.Letter | contexts.NotUnderstood | contexts.Login | contexts.Lobby,
) -> dict[str, object]:
    return {field.name: getattr(context, field.name) for field in fields(context)}


def _parts(text: str) -> tuple[str, str, str]:
    above, drawn, below = text.split(BOARD)
    return above, drawn, below


def _joined(*parts: str) -> str:
    shown = (part.strip("\n") for part in parts)
    lines = "\n\n".join(part for part in shown if part).split("\n")
    return "\n".join(line.rstrip() for line in lines) + "\n"


@cache
def _inliner() -> css_inline.CSSInliner:
    """Styles go to where they apply, except those marked to stay; nothing is ever fetched."""
    return css_inline.CSSInliner(load_remote_stylesheets=False)
