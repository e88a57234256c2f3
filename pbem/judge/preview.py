"""TRY: what a plan may come to, without a die (orders.md, "Mails and their meaning", 8)."""

from pbem.judge import plans, standing
from pbem.judge.outcome import Outcome
from pbem.judge.sitting import Sitting
from pbem.orders import check
from pbem.orders.lexicon import lexicon
from pbem.orders.mistake import Mistake
from pbem.orders.preview import supposed
from pbem.orders.word import Word
from pbem.rules.position import TURN
from pbem.rules.seat import Seat
from pbem.rules.view import view

MOST_A_DAY = 20


def answer(mail: Sitting) -> Outcome:
    """The answer to a TRY; each one counts, those with mistakes too.

    Where it is another seat's turn the own one is supposed to begin on this very board. A TRY for
    an older step is told of the board as it is: nothing can be done by it.
    """
    progress, word = mail.progress, _word(mail)
    if not standing.spend(mail.seat, "try", progress.now, MOST_A_DAY):
        return mail.mistakes([Mistake("E39", None, facts={"tries": MOST_A_DAY})])
    progress.session.add(mail.seat)
    seen = view(progress.state, Seat(mail.seat.letter))
    if seen.phase not in TURN or seen.reader in seen.eliminated:
        return mail.mistakes([Mistake("E27", None, facts={"word": word, "unsupported": True})])
    waits = seen.on_turn != seen.reader
    board = supposed(seen) if waits else seen
    mail.sheet = plans.with_standing_trade(mail.sheet, board, mail.standing)
    checked = check.check(
        mail.sheet, board, plans.terms(progress.session, mail.seat, progress.options)
    )
    if checked.plan is None:
        # A YES to the mended text must try it as well, never play it.
        mended = None if checked.corrected is None else (word, *checked.corrected)
        return mail.mistakes(checked.mistakes, corrected=mended)
    if not checked.plan.lines:
        return mail.mistakes([Mistake("E27", None, facts={"word": word, "kind": "try"})])
    return mail.tried(checked.plan, supposed=waits, notes=checked.notes)


def _word(mail: Sitting) -> str:
    """TRY in the language of the seat."""
    return lexicon(mail.seat.language, mail.progress.state.board).printed[Word.TRY].upper()
