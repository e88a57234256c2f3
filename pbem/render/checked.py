"""What was understood in a text of orders, as a part of a page: said in the words of letters."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from markupsafe import Markup

from pbem.orders.forecast import Forecast
from pbem.orders.mistake import Mistake, Note
from pbem.orders.sheet import Ignored
from pbem.render import prose
from pbem.render.catalogue import SOURCE, languages
from pbem.render.contexts import Proposed, Table, Understood
from pbem.render.letters import environment
from pbem.render.modules import MODULES, Modules
from pbem.render.words import Reader
from pbem.rules.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A text that nothing is done of; the view is the reader's own.

    `corrected` is what a YES would play, `services` are the lines that ask for more than orders.
    `awaited`: orders can be meant for this seat now. `supposed`: read as if its turn began on the
    board as it is. `tongue` is the language that the text seems to be written in, if not the own.
    """

    table: Table
    view: View
    awaited: bool
    supposed: bool = False
    understood: tuple[Understood, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    corrected: tuple[Proposed, ...] = ()
    notes: tuple[Note, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    services: tuple[str, ...] = ()
    forecast: Forecast | None = None
    tongue: str | None = None


def html(checked: Checked, language: str = SOURCE) -> Markup:
    """All of it as HTML without scripts or styles; everything that a player wrote is escaped.

    A language without a complete catalogue gives English.
    """
    spoken = language if language in languages() else SOURCE
    told = {
        "checked": checked,
        "table": checked.table,
        "view": checked.view,
        "reader": Reader(spoken, ZoneInfo("UTC"), checked.view.board),
    }
    told[MODULES] = Modules(told)
    words = environment(spoken, escaped=False).get_template("_checked.j2").render(told)
    above = prose.html(words)
    if checked.forecast is None or not any(line.battles for line in checked.forecast.lines):
        return above
    told[MODULES] = Modules(told)
    module = environment(spoken, escaped=True).get_template("_forecast.j2").make_module(told)
    table = Markup(str(module.table(checked.forecast)))  # type: ignore[attr-defined]  # noqa: S704  # escaped there
    return Markup('{}\n<div class="wide">{}</div>').format(above, table)
