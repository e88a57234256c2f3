"""Pages of the web: templates of `web/`, in the language of whoever reads them.

They may take macros from the templates of the letters, so that a deed is told in the same words
on a page and in a letter.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, partial
from zoneinfo import ZoneInfo

from babel.core import Locale, negotiate_locale
from babel.dates import format_datetime, format_timedelta, get_day_names
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from pbem.render import luckline, worldmap
from pbem.render.catalogue import LETTERS, PAGES, SOURCE, languages, translations
from pbem.render.letters import environment, templates
from pbem.render.picture import palette
from pbem.render.words import FILTERS, Reader
from pbem.rules import board as boards


def page(name: str, context: Mapping[str, object], language: str = SOURCE) -> str:
    """The page `web/<name>.html.j2`. Everything put into it is escaped.

    Raises jinja2's UndefinedError for a context that lacks something.
    """
    told = dict(context)
    if "reader" not in told:
        zone = told.get("zone")
        here = zone if isinstance(zone, ZoneInfo) else ZoneInfo("UTC")
        told["reader"] = Reader(language, here, boards.load())
    return _environment(language).get_template(f"{name}.html.j2").render(told)


def atom(feed: object, language: str = SOURCE) -> str:
    """The feed `web/news.atom.j2`. XML escapes as HTML does; signs that it has not are left out."""
    text = _environment(language).get_template("news.atom.j2").render(feed=feed)
    return "".join(sign for sign in text if sign in "\n\t" or sign >= " ")


@cache
def stylesheet() -> str:
    """The one stylesheet of all pages."""
    return (templates() / "web" / "style.css").read_text(encoding="utf-8")


@cache
def spoken() -> tuple[str, ...]:
    """The languages in which pages and the sentences that they take from letters are whole."""
    return tuple(language for language in languages(PAGES) if language in languages(LETTERS))


def language_for(accept_language: str) -> str:
    """The best language of `spoken()` for the header `Accept-Language`; else English."""
    wished = [part.partition(";")[0].strip() for part in accept_language.split(",")]
    found = negotiate_locale([wish for wish in wished if wish], spoken(), sep="-")
    return found or SOURCE


@cache
def _environment(language: str) -> Environment:
    made = Environment(
        loader=FileSystemLoader([templates() / "web", templates() / "mail"]),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.policies["ext.i18n.trimmed"] = True
    # The letters' own words for all first: those of pages take their place.
    made.globals.update(environment(language, escaped=True).globals)
    words = translations(language, PAGES, LETTERS)
    made.install_gettext_callables(  # type: ignore[attr-defined]  # comes with the extension
        words.gettext, words.ngettext, newstyle=True, pgettext=words.pgettext
    )
    made.filters.update(FILTERS)
    made.filters.update(moment=_moment, ago=_ago, instant=_instant)
    made.globals.update(tongues=spoken, own_name=_own_name)
    made.globals.update(
        world_map=partial(worldmap.worldmap, language=language),
        tint_of=worldmap.tint_of,
        ink_on=palette.text_on,
        luck_chart=luckline.chart,
    )
    return made


def weekdays(language: str) -> tuple[str, ...]:
    """The short names of the days of the week, Monday first."""
    names = get_day_names("abbreviated", "stand-alone", locale=language)
    return tuple(names[day].rstrip(".") for day in range(7))


def _own_name(language: str) -> str:
    """What a language calls itself."""
    return str(Locale(language).get_display_name(language)).capitalize()


@pass_context
def _moment(context: Context, value: datetime) -> str:
    """Day and time in the page's zone, e.g. "2 Dec, 20:00"."""
    local = value.astimezone(context["zone"])
    return format_datetime(local, "d MMM, HH:mm", locale=context["language"])


@pass_context
def _instant(context: Context, value: str) -> str:
    """The same for a moment in its ISO form; anything else stays as it is."""
    try:
        return _moment(context, datetime.fromisoformat(value))
    except ValueError:
        return value


@pass_context
def _ago(context: Context, value: datetime, now: datetime) -> str:
    """How far a moment is from now, as the language says it: "in 19 hours", "3 days ago"."""
    away = value.astimezone(UTC) - now.astimezone(UTC)
    return format_timedelta(
        away, granularity="minute", add_direction=True, locale=context["language"]
    )
