"""The words of single mistakes, for those who show them outside of a letter."""

from zoneinfo import ZoneInfo

from pbem.orders.mistake import Mistake
from pbem.render.catalogue import SOURCE, languages
from pbem.render.contexts import Table
from pbem.render.letters import environment
from pbem.render.words import Reader
from pbem.rules.board import Board


def text(mistake: Mistake, table: Table, board: Board, language: str = SOURCE) -> str:
    """What is wrong and what to write instead, in one line.

    A language without a complete catalogue gives English.
    """
    spoken = language if language in languages() else SOURCE
    template = environment(spoken, escaped=False).get_template("_mistakes.txt.j2")
    told = {"reader": Reader(spoken, ZoneInfo("UTC"), board), "table": table}
    module = template.make_module(told)
    return " ".join(str(module.mistake_text(mistake)).split())  # type: ignore[attr-defined]  # a macro of the template
