"""Mails that are kept without an answer: spam by the word of the server in front, and robots.

An autoresponder that marks nothing looks like a person. It gives itself away: it sends the same
words again and again, and they say nothing that could be done. After some answers it gets none, or
two programs would write to each other for ever.
"""

from datetime import timedelta

from pbem.judge.house import House
from pbem.judge.outcome import Outcome
from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.judge.sitting import Sitting
from pbem.mail import header
from pbem.mail.reading import Reading
from pbem.orders.sheet import Mode
from pbem.store import correspondence, tables
from pbem.store.tables import InboxStatus

SPAM, ROBOT = "spam", "robot"

DAY = timedelta(days=1)
MOST_ALIKE = 10
"""So often a day the same words are answered that say nothing. A mail without words never counts:
people send many of those, and programs none."""

MOST_WRONG = 50
"""The same for words that tried to be orders: somebody may hold on to them for long."""


def is_spam(house: House, row: tables.Inbox) -> bool:
    """Whether the server in front of us called the mail spam.

    What the game master has tried again is none: the row keeps its old result.
    """
    if house.spam_header is None or row.raw is None or row.result == SPAM:
        return False
    told = header.values(header.read_headers(row.raw), house.spam_header)
    return any(value.strip().lower().startswith("yes") for value in told)


def stop_robot(mail: Sitting) -> Outcome | None:
    """How a mail ends that only repeats what a program has sent before; None for all others."""
    sheet, row, progress = mail.sheet, mail.row, mail.progress
    says_something = sheet.lines or sheet.services or sheet.mode is not Mode.NONE
    most = MOST_WRONG if sheet.mistakes else MOST_ALIKE
    if says_something or not has_come(progress, row, mail.read, most):
        return None
    seat = mail.seat.letter
    day = f"{seat}.{row.received_at.date().isoformat()}"
    progress.tell_gm(GmNote(ROBOT, day, {"seat": seat, "times": most}))
    return Outcome(InboxStatus.SET_ASIDE, ROBOT)


def has_come(progress: Progress, row: tables.Inbox, read: Reading, times: int) -> bool:
    """Whether the words of a mail came so often within the day before it.

    What the game master has tried again has not: the row keeps its old result.
    """
    has_words = any(line.strip() for line in read.text)
    if row.raw is None or row.result == ROBOT or not has_words:
        return False
    before = correspondence.texts_since(progress.session, row, row.received_at - DAY)
    return before.count(list(read.text)) >= times
