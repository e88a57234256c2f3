"""Answering one mail of a player: every mail has one answer, and this is where it is found.

The steps stand in `play` and `answer`, in their order: who wrote, what was said, whether it may be
said now, and only then the dice.
"""

from collections.abc import Callable

from pbem.judge import (
    bounced,
    intake,
    life,
    lobby,
    moving,
    next_turn,
    pauses,
    playing,
    proposal,
    senders,
    services,
    sieve,
    slip,
    substitute,
    unsubscribe,
    vacancy,
)
from pbem.judge.acts import voting
from pbem.judge.outcome import Outcome, done
from pbem.judge.progress import Progress
from pbem.judge.sitting import Sitting
from pbem.mail import address, errand
from pbem.mail.reading import Kind, Reading
from pbem.orders.mistake import Mistake
from pbem.orders.sheet import Mode
from pbem.rules.position import Phase
from pbem.store import tables
from pbem.store.tables import InboxStatus, SeatStatus, Source


def play(progress: Progress, row: tables.Inbox) -> Outcome:
    """Answer the row, whose reading is there; nothing is written before the progress closes."""
    assert row.seat is not None
    seat, read = progress.seat(row.seat), Reading.from_json(row.reading or {})
    if (ended := _at_the_gate(progress, seat, row, read)) is not None:
        return ended
    if next_turn.is_kept(row):
        return playing.answer_kept(Sitting(progress, seat, row, read))
    if row.raw is not None and not senders.is_the_players(seat, read):
        return senders.hold(progress, seat, row, read)
    if not intake.is_open(progress.house, seat, row.recipient):
        # Let in before the seat had its present key: whoever has the old one proves nothing.
        return senders.hold(progress, seat, row, read)
    mail = Sitting(progress, seat, row, read)
    asked = senders.question(progress, row)
    if asked is not None and mail.sheet.mode in (Mode.YES, Mode.NO):
        # The address that it came to proves enough for these two words, and for no others.
        bounced.heard_of(progress, seat)
        return _settle(mail, asked)
    if not senders.is_proved(progress, row, read):
        return senders.hold(progress, seat, row, read)
    if (stopped := sieve.stop_robot(mail)) is not None:
        return stopped
    if row.raw is not None:
        bounced.heard_of(progress, seat)
    return answer(mail)


def _at_the_gate(
    progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading
) -> Outcome | None:
    """How a mail ends that is no word of a person to the game; None for all others."""
    machine = read.kind in senders.MACHINES
    if (named := errand.parse(row.recipient)) is not None:
        return _errand(named)(progress, seat, row, read, named)
    if address.parse_bounce(row.recipient) is not None:
        return bounced.play(progress, seat, row, read, machine=machine)
    if machine:
        return Outcome(InboxStatus.IGNORED, read.kind)
    if sieve.is_spam(progress.house, row):
        return Outcome(InboxStatus.SET_ASIDE, sieve.SPAM)
    return Outcome(InboxStatus.IGNORED, "resigned") if vacancy.has_left(seat, row) else None


def _errand(named: errand.Errand) -> Callable[..., Outcome]:
    """Who answers what came to the address of an errand."""
    if named.is_to_stop:
        return unsubscribe.play
    return voting.play if named.purpose is errand.Purpose.VOTE else moving.play


def answer(mail: Sitting) -> Outcome:
    """What a mail of the seat's own player leads to."""
    if mail.row.source != Source.COMPUTER:
        life.sign(mail.progress)
    if substitute.come_back(mail) and mail.sheet.is_empty:
        return mail.done()
    if mail.read.kind is not Kind.ORDERS or (mail.sheet.is_empty and not _is_in_doubt(mail)):
        why = _why_empty(mail.read)
        awaited = why == "no-orders" and mail.progress.state.phase is Phase.INVITED
        return mail.not_understood("invited" if awaited else why)
    if mail.progress.state.phase is Phase.INVITED:
        return _invited(mail)
    if (slipped := slip.answer(mail)) is not None:
        return slipped
    if _must_wait(mail):
        return pauses.answer(mail.progress, mail.seat, mail.row)
    if mail.sheet.mode in (Mode.YES, Mode.NO, Mode.CANCEL):
        services.serve(mail)
        return _settle(mail, proposal.of(mail))
    if mail.asks_services_only:
        return services.answer(mail)
    return _orders(mail)


def _is_in_doubt(mail: Sitting) -> bool:
    """Whether a line that may be an old quote reads as an order: it is never played unasked.

    Of a mail that else says nothing its services and modes are asked about too.
    """
    doubted = mail.sheet_of(mail.read.doubtful)
    says_more = bool(doubted.services) or doubted.mode is not Mode.NONE
    return bool(doubted.lines) or (mail.sheet.is_empty and says_more)


def _settle(mail: Sitting, offered: tables.Proposal | None) -> Outcome:
    """YES takes the proposal: its orders are then this mail's to answer. NO and CANCEL drop it."""
    if mail.sheet.mode is not Mode.YES:
        return proposal.decline(mail, offered)
    settled = proposal.take(mail, offered)
    return answer(mail) if settled is None else settled


def _must_wait(mail: Sitting) -> bool:
    """Whether the game is paused; a computer ends what it began, and questions are answered.

    Services of the mail are done all the same, and one of them may end the pause.
    """
    game = mail.progress.game
    if game.paused_at is None or game.over_at is not None:
        return False
    if mail.row.source == Source.COMPUTER or mail.asks_services_only:
        return False
    services.serve(mail)
    return game.paused_at is not None


def _why_empty(read: Reading) -> str:
    """Why a mail says nothing: a code for the letter."""
    if read.kind is Kind.ENCRYPTED:
        return "encrypted"
    if {"unreadable", "too-slow", "crashed", "winmail"} & set(read.notes):
        return "unreadable"
    return "no-orders" if any(line.strip() for line in read.text) else "empty"


def _invited(mail: Sitting) -> Outcome:
    seat = mail.seat
    if mail.sheet.mode is Mode.YES:  # a second one is told the same again
        services.serve(mail)
        lobby.join(mail.progress, seat, mail.row, mail.told())
        return done("joined")
    if mail.sheet.mode is Mode.NO and seat.status != SeatStatus.DECLINED:
        lobby.decline(mail.progress, seat, mail.row)
        return done("declined")
    if mail.asks_services_only:
        return services.answer(mail)
    return mail.not_understood("invited")


def _orders(mail: Sitting) -> Outcome:
    """Orders for the game: a list in the setup, or a plan for the turn.

    Services beside them are done first, whatever becomes of the orders, but never a second time.
    """
    before = None if mail.row.source == Source.COMPUTER else mail.same_before()
    if before is None:
        services.serve(mail)
    if _is_in_doubt(mail):
        return mail.mistakes([Mistake("E40", None, facts={"lines": mail.read.doubtful})])
    if mail.progress.state.phase is Phase.OVER:
        return mail.not_understood("over")
    if before is not None:
        return mail.repeated(before.at)
    return playing.answer(mail)
