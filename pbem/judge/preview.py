"""TRY: what a plan would promise, without a die (orders.md, "Mails and their meaning", 8)."""

from pbem.judge import standing
from pbem.judge.outcome import Outcome
from pbem.judge.sitting import Sitting
from pbem.orders.mistake import Mistake

MOST_A_DAY = 20


def answer(mail: Sitting) -> Outcome:
    """The answer to a TRY; each one counts, those with mistakes too."""
    if not standing.spend(mail.seat, "try", mail.progress.now, MOST_A_DAY):
        return mail.mistakes([Mistake("E39", None, facts={"tries": MOST_A_DAY})])
    mail.progress.session.add(mail.seat)
    return mail.mistakes([Mistake("E27", None, facts={"word": "TRY", "unsupported": True})])
