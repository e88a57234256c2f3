"""Answering one mail of a player: every mail has one answer, and this is where it is found.

The steps stand in `play` and `answer`, in their order: who wrote, what was said, whether it may be
said now, and only then the dice.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem.judge import lobby, senders, services, setup_lists, turn_end
from pbem.judge.deadline import run_out
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.judge.sitting import KEPT, STALE, Sitting, line_of
from pbem.mail.reading import Kind, Reading
from pbem.orders import check, run
from pbem.orders.mistake import Mistake, Note
from pbem.orders.normal import normal_form
from pbem.orders.plan import Plan
from pbem.orders.sheet import Mode
from pbem.rules.position import SETUP, Phase
from pbem.rules.seat import Seat
from pbem.rules.state import Played
from pbem.rules.view import view
from pbem.store import inbox, proposals, tables
from pbem.store.tables import InboxStatus, ProposalStatus, SeatStatus, Source

NOTHING_WAITS = Mistake("E32", None)


def play(progress: Progress, row: tables.Inbox) -> Outcome:
    """Answer the row, whose reading is there; nothing is written before the progress closes."""
    assert row.seat is not None
    seat, read = progress.seat(row.seat), Reading.from_json(row.reading or {})
    if read.kind in senders.MACHINES:
        return Outcome(InboxStatus.IGNORED, read.kind)
    if row.raw is not None and not senders.is_the_players(seat, read):
        return senders.hold(progress, seat, row, read)
    mail = Sitting(progress, seat, row, read)
    asked = senders.question(progress, row)
    if asked is not None and mail.sheet.mode in (Mode.YES, Mode.NO):
        # The address that it came to proves enough for these two words, and for no others.
        return _take(mail, asked) if mail.sheet.mode is Mode.YES else _decline(mail, asked)
    if not senders.is_proved(progress.house, row):
        return senders.hold(progress, seat, row, read)
    return answer(mail)


def answer(mail: Sitting) -> Outcome:
    """What a mail of the seat's own player leads to."""
    if mail.read.kind is not Kind.ORDERS or (mail.sheet.is_empty and not mail.read.doubtful):
        return mail.not_understood(_why_empty(mail.read))
    if mail.progress.state.phase is Phase.INVITED:
        return _invited(mail)
    match mail.sheet.mode:
        case Mode.YES:
            return _take(mail, _proposal(mail))
        case Mode.NO | Mode.CANCEL:
            return _decline(mail, _proposal(mail))
        case Mode.TRY | Mode.NEXT_TURN:
            # Never to be mistaken for orders that are meant now.
            word = mail.sheet.mode.value
            return mail.mistakes([Mistake("E27", 1, word, {"word": word})])
    if mail.sheet.services and not (mail.sheet.lines or mail.sheet.mistakes):
        return services.answer(mail)
    return _orders(mail)


def _why_empty(read: Reading) -> str:
    """Why a mail says nothing: a code for the letter."""
    if read.kind is Kind.ENCRYPTED:
        return "encrypted"
    return "unreadable" if {"unreadable", "too-slow", "crashed"} & set(read.notes) else "empty"


def _invited(mail: Sitting) -> Outcome:
    seat = mail.seat
    if mail.sheet.mode is Mode.YES and seat.status != SeatStatus.JOINED:
        lobby.join(mail.progress, seat, mail.row)
        return done("joined")
    if mail.sheet.mode is Mode.NO and seat.status != SeatStatus.DECLINED:
        lobby.decline(mail.progress, seat, mail.row)
        return done("declined")
    return mail.not_understood("invited")


def _orders(mail: Sitting) -> Outcome:
    """Orders for the game: a list in the setup, or a plan for the turn."""
    state, game = mail.progress.state, mail.progress.game
    if mail.sheet_of(mail.read.doubtful).lines:
        # A line that may be an old quote reads as an order: never played unasked.
        return mail.mistakes([Mistake("E40", None, facts={"lines": mail.read.doubtful})])
    if state.phase is Phase.OVER:
        return mail.not_understood("over")
    before = None if mail.row.source == Source.COMPUTER else mail.same_before()
    if before is not None:
        return mail.repeated(before.at)
    if state.phase in SETUP:
        return _setup_list(mail)
    if state.on_turn != mail.seat.letter:
        return mail.mistakes([Mistake("E19", None, facts={"seat": state.on_turn or ""})])
    if (mail.turn, mail.step) != (game.turn, game.step):
        return _stale(mail)
    return _turn(mail)


def _setup_list(mail: Sitting) -> Outcome:
    progress = mail.progress
    checked = check.check(mail.sheet, view(progress.state, Seat(mail.seat.letter)))
    if checked.mistakes:
        return _mistaken(mail, checked)
    mail.remember()
    setup_lists.keep(progress, mail.seat, mail.sheet.source, normal_form(mail.sheet))
    return mail.done(lines=mail.understood(), notes=checked.notes)


def _stale(mail: Sitting) -> Outcome:
    """Orders against a board that is no longer the current one wait for a YES."""
    facts = {"step": mail.step, "turn": mail.turn, "current": mail.progress.game.step}
    lines = [line for line in mail.sheet.source if line.strip()]
    return mail.mistakes([Mistake("E20", None, facts=facts)], corrected=lines, kind=STALE)


def _turn(mail: Sitting) -> Outcome:
    state = mail.progress.state
    checked = check.check(mail.sheet, view(state, state.on_turn), _kept(mail))
    if checked.plan is None or checked.mistakes:
        return _mistaken(mail, checked)
    return _run(mail, checked.plan, checked.notes)


def _kept(mail: Sitting) -> tuple[str, ...]:
    """The plan that waits for a CONTINUE."""
    progress = mail.progress
    plans = proposals.open_for(progress.session, progress.game.id, mail.seat.letter, KEPT)
    return tuple(plans[0].body["lines"]) if plans else ()


def _run(mail: Sitting, plan: Plan, notes: Sequence[Note]) -> Outcome:
    """The dice: the plan is run, and the consequences are drawn."""
    progress, before = mail.progress, mail.progress.state
    single = progress.options.turns == "single"
    ran = run.run(plan, before, progress.chance, single=single)
    lines = [line_of(result) for result in ran.results]
    span = progress.happened(Played(ran.state, ran.events))
    closed = False
    if span is not None:
        mail.remember()
        closed = turn_end.settle(progress, before, span, sender=mail.seat.letter)
    if ran.paused is not None and not closed:
        return mail.paused(ran, ran.paused, lines)
    return mail.done(lines=lines, closed=closed, notes=notes, skipped=ran.skipped)


def _mistaken(mail: Sitting, checked: check.Checked) -> Outcome:
    if mail.row.source == Source.COMPUTER:
        return _computer_failed(mail, checked.mistakes)
    return mail.mistakes(checked.mistakes, corrected=checked.corrected)


def _computer_failed(mail: Sitting, found: Sequence[Mistake]) -> Outcome:
    """A computer that makes mistakes must not hold the table: its turn runs out at once."""
    progress = mail.progress
    told = {"seat": mail.seat.letter, "codes": [mistake.code for mistake in found]}
    progress.tell_gm(GmNote("computer-failed", mail.row.id, told))
    if progress.state.phase in SETUP:
        setup_lists.keep(progress, mail.seat, (), "")
    else:
        run_out(progress)
    return done("mistakes")


def _proposal(mail: Sitting, *, confirmed: bool = False) -> tables.Proposal | None:
    """The proposal of the letter that is answered, else the newest open one.

    A question about a held mail has to be answered itself; a mail that was held and is `confirmed`
    answers none at all.
    """
    session, game = mail.progress.session, mail.progress.game
    if mail.read.in_reply_to is not None:
        offered = proposals.offered_by(session, mail.read.in_reply_to)
        mine = (game.id, mail.seat.letter)
        if offered is not None and (offered.game_id, offered.seat) == mine:
            return None if confirmed and offered.kind == senders.CONFIRM else offered
    newest = proposals.open_for(session, game.id, mail.seat.letter)
    return next((offered for offered in newest if offered.kind != senders.CONFIRM), None)


def _take(mail: Sitting, proposal: tables.Proposal | None) -> Outcome:
    """The proposal is taken: its orders are this mail's now."""
    progress = mail.progress
    if proposal is None:
        return mail.mistakes([NOTHING_WAITS])
    if proposal.status == ProposalStatus.TAKEN and proposal.settled_at is not None:
        return mail.repeated(proposal.settled_at)
    if not proposals.settle(progress.session, proposal.id, ProposalStatus.TAKEN, progress.now):
        return mail.mistakes([NOTHING_WAITS])
    if proposal.kind == senders.CONFIRM:
        return _take_held(mail, proposal.body["inbox_id"])
    mail.turn, mail.step = progress.game.turn, progress.game.step
    mail.sheet = mail.sheet_of(proposal.body["lines"])
    mail.read = replace(mail.read, doubtful=())
    return mail.mistakes([NOTHING_WAITS]) if mail.sheet.mode is Mode.YES else answer(mail)


def _take_held(mail: Sitting, inbox_id: int) -> Outcome:
    """The held mail is now this one: for the step that it was written for."""
    held = _settle_held(mail, inbox_id, InboxStatus.DONE, "confirmed")
    mail.turn, mail.step = held.turn or 0, held.step or 0
    mail.read = Reading.from_json(held.reading or {})
    mail.sheet = mail.sheet_of(mail.read.text)
    if mail.sheet.mode is Mode.YES and mail.progress.state.phase is not Phase.INVITED:
        return _take(mail, _proposal(mail, confirmed=True))
    return answer(mail)


def _settle_held(mail: Sitting, inbox_id: int, status: InboxStatus, result: str) -> tables.Inbox:
    held = inbox.find(mail.progress.session, inbox_id)
    assert held is not None
    held.status, held.result = status, result
    mail.progress.session.add(held)
    return held


def _decline(mail: Sitting, proposal: tables.Proposal | None) -> Outcome:
    progress = mail.progress
    if proposal is None or not proposals.settle(
        progress.session, proposal.id, ProposalStatus.DECLINED, progress.now
    ):
        return mail.mistakes([NOTHING_WAITS])
    if proposal.kind == senders.CONFIRM:
        _settle_held(mail, proposal.body["inbox_id"], InboxStatus.IGNORED, "disowned")
    return mail.done(notes=[Note("declined")])
