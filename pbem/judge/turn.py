"""Answering one mail of a player: every mail has one answer, and this is where it is found.

The steps stand in `play` and `answer`, in their order: who wrote, what was said, whether it may be
said now, and only then the dice.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pbem.judge import (
    bounced,
    defence,
    life,
    lobby,
    moving,
    next_turn,
    pauses,
    plans,
    preview,
    redo,
    senders,
    services,
    setup_lists,
    sieve,
    slip,
    substitute,
    turn_end,
    unsubscribe,
    vacancy,
)
from pbem.judge.acts import voting
from pbem.judge.deadline import run_out
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.judge.sitting import KEPT, PRESS, RESIGN, STALE, Sitting, line_of, mistake_to_json
from pbem.mail import address, errand
from pbem.mail.reading import Kind, Reading
from pbem.orders import check, run, write
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
    if (ended := _at_the_gate(progress, seat, row, read)) is not None:
        return ended
    if next_turn.is_kept(row):
        return _kept_plan(Sitting(progress, seat, row, read))
    if row.raw is not None and not senders.is_the_players(seat, read):
        return senders.hold(progress, seat, row, read)
    mail = Sitting(progress, seat, row, read)
    asked = senders.question(progress, row)
    if asked is not None and mail.sheet.mode in (Mode.YES, Mode.NO):
        # The address that it came to proves enough for these two words, and for no others.
        bounced.heard_of(progress, seat)
        return _take(mail, asked) if mail.sheet.mode is Mode.YES else _decline(mail, asked)
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
        return bounced.play(progress, seat, row, read, machine)
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
    if mail.read.kind is not Kind.ORDERS or (mail.sheet.is_empty and not mail.read.doubtful):
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
        act = _take if mail.sheet.mode is Mode.YES else _decline
        return act(mail, _proposal(mail))
    if mail.asks_services_only:
        return services.answer(mail)
    return _orders(mail)


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
    if mail.sheet_of(mail.read.doubtful).lines:
        # A line that may be an old quote reads as an order: never played unasked.
        return mail.mistakes([Mistake("E40", None, facts={"lines": mail.read.doubtful})])
    if mail.progress.state.phase is Phase.OVER:
        return mail.not_understood("over")
    if before is not None:
        return mail.repeated(before.at)
    return _as_things_stand(mail)


def _as_things_stand(mail: Sitting) -> Outcome:
    """New orders: whether they may be given now, and then what they lead to."""
    state, game = mail.progress.state, mail.progress.game
    if mail.seat.letter in state.eliminated:
        return mail.mistakes([Mistake("E19", None, facts={"out": True})])
    if mail.sheet.mode is Mode.TRY:
        return preview.answer(mail)
    if mail.sheet.mode is Mode.NEXT_TURN:
        return _keep_for_next_turn(mail)
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
    return mail.done(lines=mail.understood(), notes=checked.notes, listed=True)


def _stale(mail: Sitting) -> Outcome:
    """Orders against a board that is no longer the current one wait for a YES."""
    game = mail.progress.game
    facts = {
        "step": mail.step,
        "turn": mail.turn,
        "current": game.step,
        "current_turn": game.turn,
    }
    lines = [line for line in mail.sheet.source if line.strip()]
    return mail.mistakes([Mistake("E20", None, facts=facts)], corrected=lines, kind=STALE)


def _keep_for_next_turn(mail: Sitting) -> Outcome:
    """The plan waits for the seat's next turn; what can be checked before that is checked now."""
    state = mail.progress.state
    checked = check.check(mail.sheet, view(state, Seat(mail.seat.letter)))
    if checked.mistakes or not mail.sheet.lines:
        return _mistaken(mail, checked)
    lines = [write.line(line, mail.seat.language, state.board) for line in mail.sheet.lines]
    next_turn.keep(mail.seat, lines)
    mail.progress.session.add(mail.seat)
    return mail.done(lines=mail.understood(), notes=[Note("kept-for-next-turn"), *checked.notes])


def _kept_plan(mail: Sitting) -> Outcome:
    """A plan that was kept for the turn that has begun: it runs whole, or the call says why not."""
    progress, state = mail.progress, mail.progress.state
    now = (progress.game.turn, progress.game.step, state.on_turn)
    if (mail.turn, mail.step, mail.seat.letter) != now:
        return Outcome(InboxStatus.IGNORED, "moved")
    mail.sheet = plans.with_standing_trade(mail.sheet, view(state, state.on_turn), mail.standing)
    checked = check.check(mail.sheet, view(state, state.on_turn), _terms(mail))
    if checked.plan is None or checked.mistakes:
        turn_end.call(progress, 1, [mistake_to_json(found) for found in checked.mistakes])
        return Outcome(InboxStatus.IGNORED, "dropped")
    return _run(mail, checked.plan, [Note("kept-until-now"), *checked.notes])


def _turn(mail: Sitting) -> Outcome:
    state = mail.progress.state
    mail.sheet = plans.with_standing_trade(mail.sheet, view(state, state.on_turn), mail.standing)
    checked = check.check(mail.sheet, view(state, state.on_turn), _terms(mail))
    if checked.plan is not None and not checked.mistakes:
        return _run(mail, checked.plan, checked.notes)
    if mail.standing.runs_before_mistake:
        return _run_before(mail, checked)
    return _mistaken(mail, checked)


def _terms(mail: Sitting) -> check.Terms:
    return plans.terms(mail.progress.session, mail.seat, mail.progress.options)


def _run_before(mail: Sitting, checked: check.Checked) -> Outcome:
    """SET ON MISTAKE RUN BEFORE IT: the lines above the first mistake are played."""
    numbers = [mistake.line for mistake in checked.mistakes]
    first = 0 if None in numbers else min(number for number in numbers if number is not None)
    above = tuple(line for line in mail.sheet.lines if line.number < first)
    state = mail.progress.state
    part = replace(mail.sheet, lines=above, mistakes=())
    alone = check.check(part, view(state, state.on_turn), _terms(mail))
    if not above or alone.plan is None or alone.mistakes:
        return _mistaken(mail, checked)
    ran, lines, _ = _play(mail, alone.plan)
    if ran.paused is not None:
        mail.keep(ran.paused)
    return mail.mistakes(checked.mistakes, played=lines)


def _run(mail: Sitting, plan: Plan, notes: Sequence[Note]) -> Outcome:
    """The plan is run and answered."""
    ran, lines, closed = _play(mail, plan)
    if ran.paused is not None and not closed:
        return mail.paused(ran, ran.paused, lines)
    waiting = [Note("plan-waits")] if _terms(mail).kept else []
    return mail.done(lines=lines, closed=closed, notes=[*notes, *waiting], skipped=ran.skipped)


def _play(mail: Sitting, plan: Plan) -> tuple[run.Ran, list[dict[str, Any]], bool]:
    """The dice: the plan is run, and the consequences are drawn; whether the turn is closed."""
    redo.settle(mail.progress, mail.orders_hash)
    progress, before = mail.progress, mail.progress.state
    if plans.goes_on(mail.sheet):
        plans.take_up(progress.session, mail.seat, progress.now)
    ran = run.run(
        plan,
        before,
        progress.chance,
        defence.of(progress),
        on_fail=mail.standing.on_fail,
        single=progress.options.turns == "single",
    )
    span = progress.happened(Played(ran.state, ran.events))
    closed = False
    if span is not None:
        mail.remember()
        closed = turn_end.settle(progress, before, span, sender=mail.seat.letter)
    return ran, [line_of(result) for result in ran.results], closed


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
    if proposal.kind == RESIGN:
        return vacancy.resign(mail)
    mail.turn, mail.step = progress.game.turn, progress.game.step
    mail.sheet = mail.sheet_of(proposal.body["lines"])
    # The services of that mail were done when it came; messages that were asked about were not.
    mail.is_served = proposal.kind != PRESS
    mail.read = replace(mail.read, doubtful=())
    return mail.mistakes([NOTHING_WAITS]) if mail.sheet.mode is Mode.YES else answer(mail)


def _take_held(mail: Sitting, inbox_id: int) -> Outcome:
    """The held mail is now this one: for the step that it was written for."""
    held = _settle_held(mail, inbox_id, InboxStatus.DONE, "confirmed")
    if held is None:
        return mail.mistakes([NOTHING_WAITS])
    mail.turn, mail.step = held.turn or 0, held.step or 0
    mail.is_served = False
    mail.read = Reading.from_json(held.reading or {})
    mail.sheet = mail.sheet_of(mail.read.text)
    if mail.sheet.mode is Mode.YES and mail.progress.state.phase is not Phase.INVITED:
        return _take(mail, _proposal(mail, confirmed=True))
    return answer(mail)


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


def _decline(mail: Sitting, proposal: tables.Proposal | None) -> Outcome:
    """NO declines a proposal; CANCEL drops a plan that waits, the paused one before a kept one."""
    progress = mail.progress
    if mail.sheet.mode is Mode.CANCEL and not _terms(mail).kept and next_turn.drop(mail.seat):
        progress.session.add(mail.seat)
        return mail.done(notes=[Note("plan-dropped")])
    if proposal is None or not proposals.settle(
        progress.session, proposal.id, ProposalStatus.DECLINED, progress.now
    ):
        return mail.mistakes([NOTHING_WAITS])
    if proposal.kind == senders.CONFIRM:
        _settle_held(mail, proposal.body["inbox_id"], InboxStatus.IGNORED, "disowned")
    return mail.done(notes=[Note("declined")])
