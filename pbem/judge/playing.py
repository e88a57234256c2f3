"""A mail of orders: whether they may be given now, and what comes of them.

A list in the setup is kept, a plan for the turn is checked whole before the first die is thrown,
and one for the next turn waits until that begins.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.judge import defence, next_turn, plans, preview, redo, setup_lists, turn_end
from pbem.judge.deadline import run_out
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote
from pbem.judge.sitting import STALE, Sitting, line_of, mistake_to_json
from pbem.orders import check, run, write
from pbem.orders.mistake import Mistake, Note
from pbem.orders.normal import normal_form
from pbem.orders.plan import Plan
from pbem.orders.sheet import Mode
from pbem.rules.position import SETUP
from pbem.rules.seat import Seat
from pbem.rules.state import Played
from pbem.rules.view import view
from pbem.store.tables import InboxStatus, Source


def answer(mail: Sitting) -> Outcome:
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


def answer_kept(mail: Sitting) -> Outcome:
    """A plan that was kept for the turn that has begun: it runs whole, or the call says why not."""
    progress, state = mail.progress, mail.progress.state
    now = (progress.game.turn, progress.game.step, state.on_turn)
    if (mail.turn, mail.step, mail.seat.letter) != now:
        return Outcome(InboxStatus.IGNORED, "moved")
    mail.sheet = plans.with_standing_trade(mail.sheet, view(state, state.on_turn), mail.standing)
    checked = check.check(mail.sheet, view(state, state.on_turn), terms(mail))
    if checked.plan is None or checked.mistakes:
        turn_end.call(progress, 1, [mistake_to_json(found) for found in checked.mistakes])
        return Outcome(InboxStatus.IGNORED, "dropped")
    return _run(mail, checked.plan, [Note("kept-until-now"), *checked.notes])


def _setup_list(mail: Sitting) -> Outcome:
    progress = mail.progress
    checked = check.check(mail.sheet, view(progress.state, Seat(mail.seat.letter)))
    if checked.mistakes:
        return _mistaken(mail, checked)
    mail.remember()
    if not (setup_lists.wishes_nothing(mail.sheet) and setup_lists.has_list(progress, mail.seat)):
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


def _turn(mail: Sitting) -> Outcome:
    state = mail.progress.state
    mail.sheet = plans.with_standing_trade(mail.sheet, view(state, state.on_turn), mail.standing)
    checked = check.check(mail.sheet, view(state, state.on_turn), terms(mail))
    if checked.plan is not None and not checked.mistakes:
        return _run(mail, checked.plan, checked.notes)
    if mail.standing.runs_before_mistake:
        return _run_before(mail, checked)
    return _mistaken(mail, checked)


def terms(mail: Sitting) -> check.Terms:
    """What its plan is checked against beside the position."""
    return plans.terms(mail.progress.session, mail.seat, mail.progress.options)


def _run_before(mail: Sitting, checked: check.Checked) -> Outcome:
    """SET ON MISTAKE RUN BEFORE IT: the lines above the first mistake are played."""
    numbers = [mistake.line for mistake in checked.mistakes]
    first = 0 if None in numbers else min(number for number in numbers if number is not None)
    above = tuple(line for line in mail.sheet.lines if line.number < first)
    state = mail.progress.state
    part = replace(mail.sheet, lines=above, mistakes=())
    alone = check.check(part, view(state, state.on_turn), terms(mail))
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
    waiting = [Note("plan-waits")] if terms(mail).kept else []
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
