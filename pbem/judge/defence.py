"""Defence dice by standing order, while another seat's plan runs (orders.md, DEFEND).

It is asked for each roll, by `orders.run` alone: odds and previews never come here.
"""

from collections.abc import Mapping, Sequence

from pbem.judge import standing
from pbem.judge.progress import Progress
from pbem.orders.course import Defence
from pbem.orders.service import Defend, Whole
from pbem.rules.attack import most_defence_dice
from pbem.rules.board import Board, Code
from pbem.rules.seat import NEUTRAL, Seat


def of(progress: Progress) -> Defence:
    """The defence of all seats against the one on turn, as their orders stand now."""
    orders = {Seat(s.letter): standing.of(s).defence for s in progress.seats}
    board, attacker = progress.state.board, progress.state.on_turn

    def dice(owner: Seat, territory: Code, armies: int) -> int:
        most = most_defence_dice(armies)
        if owner == NEUTRAL:
            return _neutral(orders, attacker, armies, most)
        return _chosen(orders.get(owner, ()), board, territory, armies) or most

    return dice


def _chosen(orders: Sequence[Defend], board: Board, territory: Code, armies: int) -> int | None:
    """The order for the territory, else for its continent, else for all; the newest first."""
    continent = board.territories[territory].continent
    for where in (territory, continent, Whole.ALL):
        for order in _fitting(orders, where, armies):
            return order.dice
    return None


def _fitting(orders: Sequence[Defend], where: str, armies: int) -> list[Defend]:
    """The orders for the place that hold for so many armies: those with a condition first."""
    found = [
        order
        for order in reversed(orders)
        if order.where == where and (order.at_most is None or armies <= order.at_most)
    ]
    return sorted(found, key=lambda order: order.at_most is None)


def _neutral(
    orders: Mapping[Seat, Sequence[Defend]], attacker: Seat | None, armies: int, most: int
) -> int:
    """Of two players the one not attacking rolls for the neutral army; of more, nobody chooses."""
    rolling = [seat for seat in orders if seat != attacker]
    if len(rolling) != 1:
        return most
    fitting = _fitting(orders[rolling[0]], Whole.NEUTRAL, armies)
    return fitting[0].dice if fitting else most
