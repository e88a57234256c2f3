"""Names of months as people write them in mails."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from babel.dates import get_month_names

from pbem.render.catalogue import SOURCE


def month(word: str, language: str) -> int | None:
    """The month, 1 to 12, that a word names in English or in the language.

    A beginning of three letters is enough, and a name may have the ending of a case.
    """
    wanted = word.casefold().rstrip(".")
    if len(wanted) < 3:
        return None
    for spoken in (language, SOURCE):
        for name, number in _names(spoken).items():
            if name.startswith(wanted) or wanted.startswith(name):
                return number
    return None


@cache
def _names(language: str) -> Mapping[str, int]:
    """Long and short names, folded."""
    found = {
        name.casefold().rstrip("."): number
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, locale=language).items()
    }
    return MappingProxyType(found)
