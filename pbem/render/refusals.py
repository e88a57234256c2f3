"""The words of why an act of the game master was not done, for commands, letters and pages."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from pbem.render.catalogue import SOURCE, languages
from pbem.render.letters import environment
from pbem.render.words import Reader
from pbem.rules import board as boards


def text(code: str, facts: Mapping[str, object], language: str = SOURCE) -> str:
    """Why, in one line without a full stop; a code without words is words by itself."""
    spoken = language if language in languages() else SOURCE
    template = environment(spoken, escaped=False).get_template("_refusals.j2")
    module = template.make_module({"reader": Reader(spoken, ZoneInfo("UTC"), boards.load())})
    return " ".join(str(module.refused(code, facts)).split())  # type: ignore[attr-defined]  # a macro of the template
