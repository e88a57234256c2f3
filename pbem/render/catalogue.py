"""Languages of letters and pages: gettext catalogues beside this file, read once a process.

English is the source and needs none. A language counts only when its catalogue holds every message
of the domain's template, so nothing is ever half translated.
"""

from functools import cache
from gettext import NullTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO, StringIO

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

SOURCE = "en"

LETTERS, PAGES = "messages", "web"
"""The domains: a template and, for each language, a catalogue of that name."""


@cache
def languages(domain: str = LETTERS) -> tuple[str, ...]:
    """The languages in which all of the domain can be said, English first."""
    complete = (
        entry.name
        for entry in _locale().iterdir()
        if entry.is_dir() and not untranslated(template(domain), _read(entry.name, domain))
    )
    return (SOURCE, *sorted(complete))


@cache
def translations(language: str, *domains: str) -> NullTranslations:
    """The words of a language in these domains, else those of letters, the first one winning.

    KeyError for a language that is not one of `languages()` of each.
    """
    wanted = domains or (LETTERS,)
    if any(language not in languages(domain) for domain in wanted):
        raise KeyError(language)
    if language == SOURCE:
        return NullTranslations()
    first, *others = (_compiled(language, domain) for domain in wanted)
    for other in others:
        first.add_fallback(other)
    return first


def template(domain: str = LETTERS) -> Catalog:
    """Every message that the templates of the domain hold, without translations."""
    return read_po(StringIO((_locale() / f"{domain}.pot").read_text(encoding="utf-8")))


def untranslated(wanted: Catalog, have: Catalog) -> tuple[Message, ...]:
    """The messages of `wanted` that `have` lacks, or has with a form empty or marked fuzzy."""
    return tuple(
        message
        for message in wanted
        if message.id and not _translated(have.get(_key(message), message.context))
    )


def _key(message: Message) -> str:
    """A message with plural forms is found by its singular."""
    return message.id if isinstance(message.id, str) else message.id[0]


def _translated(message: Message | None) -> bool:
    if message is None or message.fuzzy:
        return False
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(forms)


def _compiled(language: str, domain: str) -> Translations:
    compiled = BytesIO()
    write_mo(compiled, _read(language, domain))
    compiled.seek(0)
    return Translations(compiled)


def _read(language: str, domain: str = LETTERS) -> Catalog:
    """What the language's catalogue holds; nothing if it has none for the domain."""
    source = _locale() / language / "LC_MESSAGES" / f"{domain}.po"
    if not source.is_file():
        return Catalog(locale=language)
    return read_po(StringIO(source.read_text(encoding="utf-8")), locale=language)


def _locale() -> Traversable:
    return resources.files(__package__) / "locale"
