"""What belongs to a seat's plan beside the lines of the mail: what waits, and a standing trade."""

from dataclasses import replace
from datetime import datetime

from pbem.judge.options import Options
from pbem.judge.sitting import KEPT
from pbem.judge.standing import Standing
from pbem.orders.check import Terms
from pbem.orders.plan import Flow, Line, Sentence, Trade, Trading
from pbem.orders.sheet import Sheet
from pbem.rules.position import Phase
from pbem.rules.trade import automatic_set
from pbem.rules.view import View
from pbem.store import proposals, tables
from pbem.store.engine import Session


def kept(session: Session, seat: tables.Seat) -> tuple[str, ...]:
    """The plan that waits for a CONTINUE."""
    waiting = proposals.open_for(session, seat.game_id, seat.letter, KEPT)
    return tuple(waiting[0].body["lines"]) if waiting else ()


def goes_on(sheet: Sheet) -> bool:
    """Whether the mail takes up the plan that waits."""
    return any(Flow.CONTINUE in said.orders for line in sheet.lines for said in line.sentences)


def take_up(session: Session, seat: tables.Seat, now: datetime) -> None:
    """The plan that waited is another mail's now."""
    proposals.lapse(session, seat.game_id, now, seat=seat.letter, kind=KEPT)


def terms(session: Session, seat: tables.Seat, options: Options) -> Terms:
    """What the seat's plan is checked against beside the position."""
    return Terms(kept(session, seat), single=options.turns == "single")


def with_standing_trade(sheet: Sheet, seen: View, standing: Standing) -> Sheet:
    """SET TRADE AUTO: a plan that could trade and says nothing of it begins with a trade."""
    orders = [order for line in sheet.lines for said in line.sentences for order in said.orders]
    says = any(isinstance(order, Trade) or order is Flow.CONTINUE for order in orders)
    may = seen.phase is Phase.TRADE and not seen.mid_turn and automatic_set(seen, seen.hand)
    if not (standing.trade_auto and orders and may) or says:
        return sheet
    trade = Line(0, "", (Sentence((Trade(Trading.AUTO),)),))
    return replace(sheet, lines=(trade, *sheet.lines))
