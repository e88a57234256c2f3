"""Chances told in letters: of a plan that was tried, and of each attack in a mended text.

They are reckoned when the letter is composed, outside the game's lock, from the reader's view of
the position that the letter shows: the same mail always gives the same numbers.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem.orders import check, reader
from pbem.orders.forecast import Forecast, Line
from pbem.orders.plan import Otherwise, Plan
from pbem.orders.preview import preview, supposed
from pbem.orders.sheet import Table
from pbem.rules.position import TURN
from pbem.rules.view import View


def of_plan(
    lines: Sequence[tuple[int, str]],
    seen: View,
    language: str,
    on_fail: Otherwise,
    *,
    suppose: bool,
) -> Forecast:
    """The forecast of a plan that was checked, given as numbers of lines and canonical English.

    `suppose`: as if the reader's turn began on this board.
    """
    sheet = reader.read([text for _, text in lines], "en", Table(seen.board))
    read = (
        replace(line, number=number) for line, (number, _) in zip(sheet.lines, lines, strict=True)
    )
    plan = Plan(tuple(read), language)
    return preview(plan, supposed(seen) if suppose else seen, on_fail)


def of_mended(
    lines: Sequence[str], seen: View, language: str, on_fail: Otherwise
) -> list[Line | None]:
    """For each line of a text that a YES would play the one attack on it, if there is one."""
    found: list[Line | None] = [None] * len(lines)
    if seen.phase not in TURN or seen.reader is None or seen.reader in seen.eliminated:
        return found
    own = seen if seen.on_turn == seen.reader else supposed(seen)
    checked = check.check(reader.read(lines, language, Table(seen.board)), own)
    if checked.plan is None:
        return found
    fought = [line for line in preview(checked.plan, own, on_fail).lines if line.battles]
    for place in range(len(lines)):
        here = [line for line in fought if line.number == place + 1]
        found[place] = here[0] if len(here) == 1 else None
    return found
