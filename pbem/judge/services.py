"""Services that a mail may ask for beside orders: they change nothing in the game."""

from pbem.judge.outcome import Outcome
from pbem.judge.sitting import Sitting
from pbem.orders.mistake import Mistake
from pbem.orders.service import Help, Simple

SHOWN = frozenset({Simple.BOARD, Simple.HAND, Simple.ORDERS})
"""Services that the answer itself fulfils: it shows the board, the hand and what may be ordered."""


def answer(sitting: Sitting) -> Outcome:
    """The answer to a mail that asks for services only."""
    asked = sitting.sheet.services[0]
    if isinstance(asked.service, Help):
        return sitting.help(asked.service.topic)
    if asked.service in SHOWN:
        return sitting.done()
    return sitting.mistakes(
        [Mistake("E27", asked.line, asked.text, {"word": asked.text.split()[0]})]
    )
