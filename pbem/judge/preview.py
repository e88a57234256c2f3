"""TRY: what a plan may come to, without a die (orders.md, "Mails and their meaning", 8)."""

from pbem.judge import plans, standing
from pbem.judge.outcome import Outcome
from pbem.judge.sitting import Sitting
from pbem.orders import check, write
from pbem.orders.mistake import Mistake, Note
from pbem.orders.preview import supposed
from pbem.orders.word import Word
from pbem.rules.position import SETUP
from pbem.rules.seat import Seat
from pbem.rules.view import view

MOST_A_DAY = 20


def answer(mail: Sitting) -> Outcome:
    """The answer to a TRY; each one that is reckoned counts, one with mistakes does not.

    Where it is another seat's turn the own one is supposed to begin on this very board. A TRY for
    an older step is told of the board as it is: nothing can be done by it.
    """
    progress = mail.progress
    seen = view(progress.state, Seat(mail.seat.letter))
    waits = seen.phase not in SETUP and seen.on_turn != seen.reader
    board = supposed(seen) if waits else seen
    mail.sheet = plans.with_standing_trade(mail.sheet, board, mail.standing)
    checked = check.check(
        mail.sheet, board, plans.terms(progress.session, mail.seat, progress.options)
    )
    if checked.plan is None:
        return mail.mistakes(checked.mistakes, corrected=checked.corrected)
    if not checked.plan.lines:
        return mail.mistakes([Mistake("E27", None, facts={"word": _word(mail), "kind": "try"})])
    if not standing.spend(mail.seat, "try", progress.now, MOST_A_DAY):
        return mail.mistakes([Mistake("E39", None, facts={"tries": MOST_A_DAY})])
    progress.session.add(mail.seat)
    if seen.phase in SETUP:  # no chances are in a list: what is told is how it was understood
        return mail.done(lines=mail.understood(), notes=[Note("only-tried"), *checked.notes])
    return mail.tried(checked.plan, supposed=waits, notes=checked.notes)


def _word(mail: Sitting) -> str:
    """TRY in the language of the seat."""
    return write.word(Word.TRY, mail.seat.language, mail.progress.state.board).upper()
