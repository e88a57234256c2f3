"""Pages of the web: templates of `web/`, in the language that the browser asks for."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache

from babel.core import negotiate_locale
from babel.dates import format_datetime
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from pbem.render.catalogue import SOURCE, languages, translations
from pbem.render.letters import templates


def page(name: str, context: Mapping[str, object], language: str = SOURCE) -> str:
    """The page `web/<name>.html.j2`. Everything put into it is escaped.

    Raises jinja2's UndefinedError for a context that lacks something.
    """
    return _environment(language).get_template(f"{name}.html.j2").render(context)


@cache
def stylesheet() -> str:
    """The one stylesheet of all pages."""
    return (templates() / "web" / "style.css").read_text(encoding="utf-8")


def language_for(accept_language: str) -> str:
    """The best language of `languages()` for the header `Accept-Language`; else English."""
    wished = [part.partition(";")[0].strip() for part in accept_language.split(",")]
    found = negotiate_locale([wish for wish in wished if wish], languages(), sep="-")
    return found or SOURCE


@cache
def _environment(language: str) -> Environment:
    made = Environment(
        loader=FileSystemLoader(templates() / "web"),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.policies["ext.i18n.trimmed"] = True
    words = translations(language)
    made.install_gettext_callables(  # type: ignore[attr-defined]  # comes with the extension
        words.gettext, words.ngettext, newstyle=True, pgettext=words.pgettext
    )
    made.filters["moment"] = _moment
    made.globals["language"] = language
    return made


@pass_context
def _moment(context: Context, value: datetime) -> str:
    """Day and time in the page's zone, e.g. "2 Dec, 20:00"."""
    local = value.astimezone(context["zone"])
    return format_datetime(local, "d MMM, HH:mm", locale=context["language"])
