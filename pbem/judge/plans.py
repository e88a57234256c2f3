"""What belongs to a seat's plan beside the lines of the mail: what waits, and a standing trade."""

from dataclasses import replace

from pbem.judge.sitting import KEPT, Sitting
from pbem.orders.check import Terms
from pbem.orders.plan import Flow, Line, Sentence, Trade, Trading
from pbem.orders.sheet import Sheet
from pbem.rules.position import Phase
from pbem.rules.trade import automatic_set
from pbem.rules.view import View
from pbem.store import proposals


def kept(mail: Sitting) -> tuple[str, ...]:
    """The plan that waits for a CONTINUE."""
    progress = mail.progress
    waiting = proposals.open_for(progress.session, progress.game.id, mail.seat.letter, KEPT)
    return tuple(waiting[0].body["lines"]) if waiting else ()


def terms(mail: Sitting) -> Terms:
    """What the seat's plan is checked against beside the position."""
    return Terms(kept(mail), single=mail.progress.options.turns == "single")


def with_standing_trade(mail: Sitting, seen: View) -> Sheet:
    """SET TRADE AUTO: a plan that could trade and says nothing of it begins with a trade."""
    sheet = mail.sheet
    orders = [order for line in sheet.lines for said in line.sentences for order in said.orders]
    says = any(isinstance(order, Trade) or order is Flow.CONTINUE for order in orders)
    may = seen.phase is Phase.TRADE and not seen.mid_turn and automatic_set(seen, seen.hand)
    if not (mail.standing.trade_auto and orders and may) or says:
        return sheet
    trade = Line(0, "", (Sentence((Trade(Trading.AUTO),)),))
    return replace(sheet, lines=(trade, *sheet.lines))
