"""Answering one mail of a player: every mail has one answer, and this is where it is found.

The steps stand in `play`, in their order: who wrote, what was said, whether it may be said now,
and only then the dice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.judge import lobby, people, senders, services, setup_lists, turn_end
from pbem.judge.deadline import run_out
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.mail.reading import Kind, Reading
from pbem.orders import check, reader, run, write
from pbem.orders.mistake import Mistake, Note
from pbem.orders.normal import normal_form
from pbem.orders.plan import Plan
from pbem.orders.sheet import Mode, Sheet, Table
from pbem.rules import notation
from pbem.rules.event import Eliminated
from pbem.rules.position import SETUP, TURN, Phase
from pbem.rules.seat import Seat
from pbem.rules.state import Played
from pbem.rules.view import view
from pbem.store import inbox, orders, proposals, tables
from pbem.store.tables import InboxStatus, ProposalStatus, SeatStatus, Source

CORRECTED, STALE, KEPT = "corrected", "stale", "kept"


def play(progress: Progress, row: tables.Inbox) -> Outcome:
    """Answer the row, whose reading is there; nothing is written before the progress closes."""
    assert row.seat is not None
    seat, read = progress.seat(row.seat), Reading.from_json(row.reading or {})
    if read.kind in senders.MACHINES:
        return Outcome(InboxStatus.IGNORED, read.kind)
    if row.raw is not None and not senders.is_the_players(seat, read):
        return senders.hold(progress, seat, row, read)
    return Sitting(progress, seat, row, read).answer()


class Sitting:
    """One mail of one seat on the desk: what it says, and the answer that it gets."""

    def __init__(
        self, progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading
    ) -> None:
        self.progress = progress
        self.seat = seat
        self.row = row
        self.read = read
        self.sheet = self._read(read.text)
        # The step that the orders were written for; a taken proposal was written for its own.
        self.turn, self.step = row.turn, row.step

    def answer(self) -> Outcome:
        """The one answer of this mail."""
        if self.read.kind is not Kind.ORDERS or (self.sheet.is_empty and not self.read.doubtful):
            return self.not_understood(_reason(self.read))
        if self.progress.state.phase is Phase.INVITED:
            return self._invited()
        match self.sheet.mode:
            case Mode.YES:
                return self._yes()
            case Mode.NO | Mode.CANCEL:
                return self._no()
        if self.sheet.services and not (self.sheet.lines or self.sheet.mistakes):
            return services.answer(self)
        return self.orders()

    def orders(self) -> Outcome:
        """Orders for the game: a list in the setup, or a plan for the turn."""
        state, game = self.progress.state, self.progress.game
        if self.read.doubtful and self._doubts():
            return self.mistakes([Mistake("E40", None, facts={"lines": self.read.doubtful})])
        if state.phase is Phase.OVER:
            return self.not_understood("over")
        if self.row.source != Source.COMPUTER and (before := self._same_before()):
            return self._repeated(before)
        if state.phase in SETUP:
            return self._setup_list()
        if state.on_turn != self.seat.letter:
            return self.mistakes([self._not_your_turn()])
        if (self.turn, self.step) != (game.turn, game.step):
            return self._stale()
        return self._turn()

    # -- what was said ---------------------------------------------------------------------------

    def _read(self, lines: Sequence[str]) -> Sheet:
        table = Table(self.progress.state.board, people.names(self.progress.seats))
        return reader.read(tuple(lines), self.seat.language, table)

    def _doubts(self) -> bool:
        """Whether a line that may be an old quote reads as an order."""
        return bool(self._read(self.read.doubtful).lines)

    def _same_before(self) -> tables.HandledOrders | None:
        return orders.handled(
            self.progress.session,
            self.progress.game.id,
            self.seat.letter,
            self.turn or 0,
            self.step or 0,
            normal_form(self.sheet),
        )

    # -- YES and NO ------------------------------------------------------------------------------

    def _invited(self) -> Outcome:
        if self.sheet.mode is Mode.YES and self.seat.status != SeatStatus.JOINED:
            lobby.join(self.progress, self.seat, self.row)
            return done("joined")
        if self.sheet.mode is Mode.NO and self.seat.status != SeatStatus.DECLINED:
            lobby.decline(self.progress, self.seat, self.row)
            return done("declined")
        return self.not_understood("invited")

    def _proposal(self) -> tables.Proposal | None:
        """The proposal of the letter that is answered, else the newest open one."""
        session, game = self.progress.session, self.progress.game
        if self.read.in_reply_to is not None:
            offered = proposals.offered_by(session, self.read.in_reply_to)
            if offered is not None and (offered.game_id, offered.seat) == (
                game.id,
                self.seat.letter,
            ):
                return offered if offered.status == ProposalStatus.OPEN else None
        newest = proposals.open_for(session, game.id, self.seat.letter)
        return newest[0] if newest else None

    def _yes(self) -> Outcome:
        proposal = self._proposal()
        if proposal is None:
            return self.mistakes([Mistake("E32", None)])
        proposals.settle(
            self.progress.session, proposal.id, ProposalStatus.TAKEN, self.progress.now
        )
        if proposal.kind == senders.CONFIRM:
            self._take_held(proposal.body["inbox_id"])
        else:
            self.turn, self.step = self.progress.game.turn, self.progress.game.step
            self.sheet = self._read(proposal.body["lines"])
        self.read = replace(self.read, doubtful=())
        return (
            self.orders() if self.sheet.mode is Mode.NONE else self.mistakes([Mistake("E32", None)])
        )

    def _take_held(self, inbox_id: int) -> None:
        """The held mail is now this one: for the step that it was written for."""
        held = inbox.find(self.progress.session, inbox_id)
        assert held is not None
        self.turn, self.step = held.turn, held.step
        self.sheet = self._read(Reading.from_json(held.reading or {}).text)
        held.status, held.result = InboxStatus.DONE, "confirmed"
        self.progress.session.add(held)

    def _no(self) -> Outcome:
        proposal = self._proposal()
        if proposal is None:
            return self.mistakes([Mistake("E32", None)])
        proposals.settle(
            self.progress.session, proposal.id, ProposalStatus.DECLINED, self.progress.now
        )
        return self.done(notes=[Note("declined")])

    # -- the turn --------------------------------------------------------------------------------

    def _turn(self) -> Outcome:
        state = self.progress.state
        checked = check.check(self.sheet, view(state, state.on_turn), self._kept())
        if checked.plan is None or checked.mistakes:
            return self.mistakes(checked.mistakes, corrected=checked.corrected)
        return self._run(checked.plan, checked.notes)

    def _kept(self) -> tuple[str, ...]:
        """The plan that waits for a CONTINUE."""
        game, session = self.progress.game, self.progress.session
        open_plans = proposals.open_for(session, game.id, self.seat.letter, KEPT)
        return tuple(open_plans[0].body["lines"]) if open_plans else ()

    def _run(self, plan: Plan, notes: Sequence[Note]) -> Outcome:
        progress, before = self.progress, self.progress.state
        single = progress.options.turns == "single"
        ran = run.run(plan, before, progress.chance, single=single)
        lines = [_line(result) for result in ran.results]
        span = progress.happened(Played(ran.state, ran.events))
        closed = False
        if span is not None:
            self._remember()
            closed = turn_end.settle(progress, before, span, sender=self.seat.letter)
        if ran.paused is not None and not closed:
            return self._paused(ran, ran.paused, lines)
        return self.done(lines=lines, closed=closed, notes=notes, skipped=ran.skipped)

    def _stale(self) -> Outcome:
        """Orders against a board that is no longer the current one wait for a YES."""
        game = self.progress.game
        facts = {"step": self.step or 0, "turn": self.turn or 0, "current": game.step}
        lines = tuple(line for line in self.sheet.source if line.strip())
        return self.mistakes([Mistake("E20", None, facts=facts)], corrected=lines, kind=STALE)

    def _not_your_turn(self) -> Mistake:
        return Mistake("E19", None, facts={"seat": self.progress.state.on_turn or ""})

    def _setup_list(self) -> Outcome:
        state = self.progress.state
        checked = check.check(self.sheet, view(state, Seat(self.seat.letter)))
        if checked.mistakes:
            return self.mistakes(checked.mistakes, corrected=checked.corrected)
        self._remember()
        setup_lists.keep(self.progress, self.seat, self.read.text, normal_form(self.sheet))
        return self.done(lines=self._understood(), notes=checked.notes)

    # -- the answers -----------------------------------------------------------------------------

    def done(
        self,
        *,
        lines: Sequence[Mapping[str, Any]] = (),
        closed: bool | None = None,
        notes: Sequence[Note] = (),
        skipped: Sequence[int] = (),
        repeated: datetime | None = None,
    ) -> Outcome:
        """What was understood and what came of it; without `closed` the state says it."""
        state = self.progress.state
        open_turn = state.on_turn == self.seat.letter and state.phase in TURN
        facts = {
            "closed": not open_turn if closed is None else closed,
            "lines": list(lines),
            "skipped": list(skipped),
            "notes": [_note(note) for note in notes],
            "ignored": self._ignored(),
            "deadline": self._deadline(),
            "next_seat": state.on_turn if state.phase in TURN else None,
            "repeated": None if repeated is None else repeated.isoformat(),
        }
        self._tell("done", facts)
        return done("done")

    def mistakes(
        self,
        found: Sequence[Mistake],
        *,
        corrected: Sequence[str] | None = None,
        kind: str = CORRECTED,
    ) -> Outcome:
        """Nothing was done, and why; with a text that a YES would play if there is one."""
        if self.row.source == Source.COMPUTER:
            return self._computer_failed(found)
        facts = {
            "mistakes": [_mistake(mistake) for mistake in found],
            "lines": self._understood(),
            "ignored": self._ignored(),
            "corrected": None if not corrected else [{"order": order} for order in corrected],
            "deadline": self._deadline(),
            "board": kind == STALE,
        }
        message_id = self._tell("mistakes", facts)
        if corrected:
            self._offer(kind, {"lines": list(corrected)}, message_id)
        return done("mistakes")

    def _paused(
        self, ran: run.Ran, pause: run.Pause, lines: Sequence[Mapping[str, Any]]
    ) -> Outcome:
        out = next((e.seat for e in reversed(ran.events) if isinstance(e, Eliminated)), None)
        facts = {
            "reason": pause.why,
            "lines": list(lines),
            "eliminated": out if pause.why == "trade" else None,
            "kept": list(pause.rest),
            "skipped": list(ran.skipped),
            "deadline": self._deadline(),
        }
        message_id = self._tell("paused", facts)
        if pause.rest:
            self._offer(KEPT, {"lines": list(pause.rest)}, message_id)
        return done("paused")

    def help(self, topic: str) -> Outcome:
        """How to write orders, with examples for the reader's own position."""
        self._tell("help", {"topic": topic})
        return done("help")

    def not_understood(self, reason: str) -> Outcome:
        """A mail that says nothing that we could act on."""
        self._tell("not-understood", {"reason": reason})
        return done("not-understood")

    def _repeated(self, before: tables.HandledOrders) -> Outcome:
        """The same orders again: they were done then, and nothing is rolled now."""
        return self.done(lines=self._understood(), repeated=before.at)

    def _computer_failed(self, found: Sequence[Mistake]) -> Outcome:
        """A computer that makes mistakes must not hold the table: its turn runs out at once."""
        told = {"seat": self.seat.letter, "codes": [mistake.code for mistake in found]}
        self.progress.tell_gm(GmNote("computer-failed", self.row.id, told))
        if self.progress.state.phase in SETUP:
            setup_lists.keep(self.progress, self.seat, (), "")
        elif self.progress.state.on_turn == self.seat.letter:
            run_out(self.progress)
        return done("mistakes")

    # -- small things ----------------------------------------------------------------------------

    def _understood(self) -> list[dict[str, Any]]:
        board = self.progress.state.board
        return [
            {"line": line.number, "orders": [write.line(line, self.seat.language, board)]}
            for line in self.sheet.lines
        ]

    def _remember(self) -> None:
        orders.remember(
            self.progress.session,
            self.progress.game.id,
            self.seat.letter,
            self.turn or 0,
            self.step or 0,
            normal_form(self.sheet),
            self.progress.now,
            self.row.id,
        )

    def _ignored(self) -> list[list[Any]]:
        return [[ignored.line, ignored.text, ignored.why] for ignored in self.sheet.ignored]

    def _tell(self, kind: str, facts: Mapping[str, Any]) -> str:
        recipe = Recipe(kind, self.seat.letter, self.row.id, facts, answers=self.row)
        return self.progress.tell(recipe)

    def _offer(self, kind: str, body: dict[str, Any], message_id: str) -> None:
        proposals.offer(
            self.progress.session,
            tables.Proposal(
                game_id=self.progress.game.id,
                seat=self.seat.letter,
                turn=self.progress.game.turn,
                step=self.progress.game.step,
                kind=kind,
                body=body,
                message_id=message_id,
                created_at=self.progress.now,
            ),
        )

    def _deadline(self) -> str | None:
        at = self.progress.game.deadline
        return None if at is None else at.isoformat()


def _reason(read: Reading) -> str:
    """Why a mail says nothing: a code for the letter."""
    if read.kind is Kind.ENCRYPTED:
        return "encrypted"
    return "unreadable" if {"unreadable", "too-slow", "crashed"} & set(read.notes) else "empty"


def _line(result: run.LineResult) -> dict[str, Any]:
    """A line as understood, with what came of it."""
    return {
        "line": result.line,
        "orders": list(result.orders),
        "events": [notation.event_to_json(event) for event in result.events],
        "notes": [_note(note) for note in result.notes],
    }


def _note(note: Note) -> dict[str, Any]:
    return {"code": note.code, "line": note.line, "facts": dict(note.facts)}


def _mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "code": mistake.code,
        "line": mistake.line,
        "quoted": mistake.quoted,
        "facts": dict(mistake.facts),
    }
