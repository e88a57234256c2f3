"""Territories and continents as a sentence says them: as its object, out of, into, at, avoided.

Beside a table of words may stand one of places, a table a case. A form holds the article or
preposition that goes with the name, since these differ from name to name: Slovenian *iz Siama*,
*s Kitajske*. In a language without the file names stay as they are, and its sentences hold the
preposition.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

from pbem.rules.board import Code, ContinentId

Case = Literal["object", "from", "to", "at", "avoided", "lacked"]
ELSE = "else"
"""The form, with ``{name}``, of a name that its table does not hold."""
_SAME: Mapping[Case, Case] = {"to": "at", "avoided": "object"}
"""Where a language has no table of its own for a case, it is said as this one."""


def in_case(language: str, case: Case, code: Code | ContinentId | None, name: str) -> str:
    """A place in a case of the language; `name` where the language has no forms.

    Without a code it is one whose name the language does not know.
    """
    forms = places(language)
    if case == "lacked":  # Slovenian "nimam Siama": as behind its preposition, without it
        said = in_case(language, "from", code, name).partition(" ")[2]
        return said if "from" in forms and said else name
    table = forms.get(case) or forms.get(_SAME.get(case, case))
    if table is None:
        return name
    known = None if code is None else table.get(code)
    return known or table[ELSE].format(name=name)


@cache
def places(language: str) -> Mapping[str, Mapping[str, str]]:
    """Case -> place -> form. A table that is the same as another one (`_SAME`) is left out."""
    source = resources.files(__package__) / "words" / f"{language}.places.toml"
    return tomllib.loads(source.read_text(encoding="utf-8")) if source.is_file() else {}
