"""A mail of messages alone, one of which names nobody for sure: it is asked about, and a YES sends
it. A slip in a name is no order, so it does not matter whose turn it is."""

from pbem.judge import services
from pbem.judge.outcome import Outcome
from pbem.judge.sitting import PRESS, Sitting
from pbem.orders import press
from pbem.orders.sheet import Mode

_CODES = frozenset({"E37", "E38"})


def answer(mail: Sitting) -> Outcome | None:
    """What is wrong with the messages; None for a mail that has other mistakes or orders."""
    sheet = mail.sheet
    slips = sheet.mistakes and all(mistake.code in _CODES for mistake in sheet.mistakes)
    if not slips or sheet.lines or sheet.mode is not Mode.NONE:
        return None
    # What stands beside them is done now, and so must not come again with a YES.
    mended = None if sheet.services else _mended(mail)
    services.serve(mail)
    return mail.mistakes(sheet.mistakes, corrected=mended, kind=PRESS)


def _mended(mail: Sitting) -> list[str] | None:
    """The mail as it was likely meant, if all of it can then be sent."""
    lines = list(mail.sheet.source)
    for mistake in mail.sheet.mistakes:
        if mistake.code != "E38" or mistake.line is None:
            return None
        line = press.mended(lines[mistake.line - 1], mistake)
        if line is None:
            return None
        lines[mistake.line - 1] = line
    sheet = mail.sheet_of(lines)
    return None if sheet.mistakes or sheet.lines else lines
