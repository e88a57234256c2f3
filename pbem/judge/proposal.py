"""Proposals of ours that wait for a word of the player: YES takes one, NO and CANCEL drop it."""

from dataclasses import replace

from pbem.judge import next_turn, playing, senders, vacancy
from pbem.judge.outcome import Outcome
from pbem.judge.sitting import KEPT, PRESS, RESIGN, Sitting
from pbem.mail.reading import Reading
from pbem.orders.mistake import Mistake, Note
from pbem.orders.sheet import Mode
from pbem.rules.position import Phase
from pbem.store import inbox, proposals, tables
from pbem.store.tables import InboxStatus, ProposalStatus

NOTHING_WAITS = Mistake("E32", None)


def of(mail: Sitting, *, confirmed: bool = False) -> tables.Proposal | None:
    """The proposal of the letter that is answered, else of its step, else the newest open one.

    One that was taken counts as well: a second YES to it must not take what came after. A question
    about a held mail has to be answered itself; a mail that was held and is `confirmed` answers
    none at all. Whoever answers another letter of ours does not give up the seat with it.
    """
    session, game = mail.progress.session, mail.progress.game
    if mail.read.in_reply_to is not None:
        offered = proposals.offered_by(session, mail.read.in_reply_to)
        mine = (game.id, mail.seat.letter)
        if offered is not None and (offered.game_id, offered.seat) == mine:
            return None if confirmed and offered.kind == senders.CONFIRM else offered
    at_step = proposals.offered_at(session, game.id, mail.seat.letter, mail.turn, mail.step)
    others = proposals.open_for(session, game.id, mail.seat.letter)
    newest = [
        *(offered for offered in at_step if offered.status == ProposalStatus.OPEN),
        *(offered for offered in at_step if offered.status == ProposalStatus.TAKEN),
        *(offered for offered in others if _is_unasked(mail, offered)),
    ]
    return next((offered for offered in newest if offered.kind != senders.CONFIRM), None)


def _is_unasked(mail: Sitting, proposal: tables.Proposal) -> bool:
    """Whether the word may mean a proposal of another letter than the one that it answers."""
    if proposal.kind == KEPT:
        return mail.sheet.mode is not Mode.YES  # a plan that waits takes CONTINUE
    return proposal.kind != RESIGN or mail.read.in_reply_to is None


def take(mail: Sitting, proposal: tables.Proposal | None) -> Outcome | None:
    """Take the proposal; None: its orders are this mail's now, and want an answer."""
    progress = mail.progress
    if proposal is None:
        return mail.mistakes([NOTHING_WAITS])
    if proposal.status == ProposalStatus.TAKEN and proposal.settled_at is not None:
        return mail.repeated(proposal.settled_at)
    if not proposals.settle(progress.session, proposal.id, ProposalStatus.TAKEN, progress.now):
        return mail.mistakes([NOTHING_WAITS])
    if proposal.kind == senders.CONFIRM:
        return _take_held(mail, proposal.body["inbox_id"])
    if proposal.kind == RESIGN:
        return vacancy.resign(mail)
    mail.turn, mail.step = progress.game.turn, progress.game.step
    mail.sheet = mail.sheet_of(proposal.body["lines"])
    # The services of that mail were done when it came; messages that were asked about were not.
    mail.is_served = proposal.kind != PRESS
    mail.read = replace(mail.read, doubtful=())
    return mail.mistakes([NOTHING_WAITS]) if mail.sheet.mode is Mode.YES else None


def _take_held(mail: Sitting, inbox_id: int) -> Outcome | None:
    """The held mail is now this one: for the step that it was written for."""
    held = _settle_held(mail, inbox_id, InboxStatus.DONE, "confirmed")
    if held is None:
        return mail.mistakes([NOTHING_WAITS])
    mail.turn, mail.step = held.turn or 0, held.step or 0
    mail.is_served = False
    mail.read = Reading.from_json(held.reading or {})
    mail.sheet = mail.sheet_of(mail.read.text)
    if mail.sheet.mode is Mode.YES and mail.progress.state.phase is not Phase.INVITED:
        return take(mail, of(mail, confirmed=True))
    return None


def _settle_held(
    mail: Sitting, inbox_id: int, status: InboxStatus, result: str
) -> tables.Inbox | None:
    """The mail that was held until now; None if the game master has seen to it meanwhile."""
    held = inbox.find(mail.progress.session, inbox_id)
    assert held is not None
    if held.status != InboxStatus.HELD:
        return None
    held.status, held.result = status, result
    mail.progress.session.add(held)
    return held


def decline(mail: Sitting, proposal: tables.Proposal | None) -> Outcome:
    """NO declines a proposal; CANCEL drops a plan that waits, the paused one before a kept one."""
    progress = mail.progress
    if (
        mail.sheet.mode is Mode.CANCEL
        and not playing.terms(mail).kept
        and next_turn.drop(mail.seat)
    ):
        progress.session.add(mail.seat)
        return mail.done(notes=[Note("plan-dropped")])
    if proposal is None or not proposals.settle(
        progress.session, proposal.id, ProposalStatus.DECLINED, progress.now
    ):
        return mail.mistakes([NOTHING_WAITS])
    if proposal.kind == senders.CONFIRM:
        _settle_held(mail, proposal.body["inbox_id"], InboxStatus.IGNORED, "disowned")
    return mail.done(notes=[Note("declined")])
