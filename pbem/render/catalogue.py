"""Languages of the letters: gettext catalogues beside this file, read once a process.

English is the source and needs none. A language counts only when its catalogue holds every message
of `messages.pot`, so no letter is ever half translated.
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


@cache
def languages() -> tuple[str, ...]:
    """The languages in which every letter can be written, English first."""
    complete = (
        entry.name
        for entry in _locale().iterdir()
        if entry.is_dir() and not untranslated(template(), _read(entry.name))
    )
    return (SOURCE, *sorted(complete))


@cache
def translations(language: str) -> NullTranslations:
    """The words of a language of `languages()`; KeyError for any other."""
    if language not in languages():
        raise KeyError(language)
    if language == SOURCE:
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, _read(language))
    compiled.seek(0)
    return Translations(compiled)


def template() -> Catalog:
    """Every message that the templates hold, without translations."""
    return read_po(StringIO((_locale() / "messages.pot").read_text(encoding="utf-8")))


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


def _read(language: str) -> Catalog:
    source = _locale() / language / "LC_MESSAGES" / "messages.po"
    return read_po(StringIO(source.read_text(encoding="utf-8")), locale=language)


def _locale() -> Traversable:
    return resources.files(__package__) / "locale"
