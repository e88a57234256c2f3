"""Names of months as people write them in mails."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from babel.dates import get_month_names

from pbem.render.catalogue import SOURCE


def month(word: str, language: str) -> int | None:
    """The month, 1 to 12, that a word names in English or in the language; at least 3 letters."""
    wanted = word.casefold().rstrip(".")
    for spoken in (language, SOURCE):
        for name, number in _names(spoken).items():
            if len(wanted) >= 3 and name.startswith(wanted):
                return number
    return None


@cache
def _names(language: str) -> Mapping[str, int]:
    """Long names, and those short ones that do not begin a long one."""
    found = {
        name.casefold().rstrip("."): number
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, locale=language).items()
    }
    return MappingProxyType(found)
