"""One mail on the desk: what it says, and the one answer that it gets."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.judge import branches, people, standing
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.judge.reading import CORRECTION
from pbem.mail.reading import Reading
from pbem.orders import reader, run, tongue, write
from pbem.orders.mistake import Mistake, Note
from pbem.orders.normal import normal_form
from pbem.orders.plan import Plan
from pbem.orders.service import Simple
from pbem.orders.sheet import Asked, Mode, Sheet
from pbem.rules import notation
from pbem.rules.event import Eliminated
from pbem.rules.position import TURN, Phase
from pbem.store import games, orders, proposals, tables
from pbem.store.tables import SeatStatus

CORRECTED, STALE, KEPT, AHEAD, RESIGN = "corrected", "stale", "kept", "ahead", "resign"
PRESS = "press"
"""Kinds of proposals: mended orders, orders for an older step, the rest of a plan that paused, and
mended orders that are only to be tried or kept, a seat that is to be given up, messages whose
readers were mended. Other seats' moves make none of the last three void."""


@dataclass(frozen=True, slots=True)
class Served:
    """A service and what came of it, by code; one of None was not asked for by a line."""

    asked: Asked | None
    code: str
    facts: Mapping[str, Any]
    refused: bool


class Sitting:
    """One mail of one seat. `turn` and `step` are those that its orders were written for."""

    def __init__(
        self, progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading
    ) -> None:
        self.progress = progress
        self.seat = seat
        self.row = row
        self.read = read
        self.sheet = self.sheet_of(read.text)
        self.turn, self.step = row.turn or 0, row.step or 0
        # What the mail sets acts on later mails and turns, so its orders see what held before.
        self.standing = standing.of(seat, progress.state.turn)
        self.is_served = False
        self.served: list[Served] = []
        self.pages: list[dict[str, Any]] = []
        self._offers: list[tuple[str, dict[str, Any]]] = []

    def sheet_of(self, lines: Sequence[str]) -> Sheet:
        """Lines read as the player's own: in the player's language and in English."""
        language, board = self.seat.language, self.progress.state.board
        words = people.vocabulary(board, self.progress.seats, language)
        return reader.read(tuple(lines), language, words)

    def same_before(self) -> tables.HandledOrders | None:
        """The note that these very orders were played at this step, unless that was undone."""
        game, session = self.progress.game, self.progress.session
        found = orders.handled(
            session, game.id, self.seat.letter, self.turn, self.step, self.orders_hash
        )
        if found is None or not game.branches or found.inbox_id is None:
            return found
        undone = games.is_undone(session, game.id, found.inbox_id)
        # A list for the setup is no event.
        left = branches.is_left(game, self.turn, self.step) if undone is None else undone
        return None if left else found

    def remember(self) -> None:
        """Note that these orders were played, so that they are never played again."""
        orders.remember(
            self.progress.session,
            self.progress.game.id,
            self.seat.letter,
            self.turn,
            self.step,
            self.orders_hash,
            self.progress.now,
            self.row.id,
        )

    @property
    def orders_hash(self) -> str:
        """What the orders say, however they are written."""
        return hashlib.sha256(normal_form(self.sheet).encode()).hexdigest()

    @property
    def is_unanswered(self) -> bool:
        """Whether the seat's invitation still waits for a YES or NO."""
        invited = self.progress.state.phase is Phase.INVITED
        return invited and self.seat.status == SeatStatus.INVITED

    @property
    def asks_services_only(self) -> bool:
        """Whether the mail has services and nothing that is an order, a mode or a mistake."""
        sheet = self.sheet
        others = sheet.lines or sheet.mistakes or sheet.mode is not Mode.NONE
        return bool(sheet.services) and not others

    def serve(self, asked: Asked | None, code: str, **facts: Any) -> None:
        """Tell in the answer that a service was done; facts are JSON."""
        self.served.append(Served(asked, code, facts, refused=False))

    def refuse(self, asked: Asked, code: str, **facts: Any) -> None:
        """Tell in the answer why a service was not done."""
        self.served.append(Served(asked, code, facts, refused=True))

    def told(self) -> dict[str, Any]:
        """What the services of the mail did, and that it was corrected, for its answer's facts."""
        served = [
            {"code": one.code, "facts": one.facts, "refused": one.refused} for one in self.served
        ]
        corrected = (self.row.reading or {}).get(CORRECTION)
        return {"served": served, "pages": self.pages, CORRECTION: corrected}

    def offer(self, kind: str, body: dict[str, Any]) -> None:
        """Let a YES to the answer take this."""
        self._offers.append((kind, body))

    def done(
        self,
        *,
        lines: Sequence[Mapping[str, Any]] = (),
        closed: bool | None = None,
        notes: Sequence[Note] = (),
        skipped: Sequence[int] = (),
        repeated: datetime | None = None,
        listed: bool = False,
    ) -> Outcome:
        """What was understood and what came of it; without `closed` the state says it.

        `listed`: what was understood is a list for the setup.
        """
        state = self.progress.state
        open_turn = state.on_turn == self.seat.letter and state.phase in TURN
        facts = {
            "closed": not open_turn if closed is None else closed,
            "lines": list(lines),
            "skipped": list(skipped),
            "notes": [_note(note) for note in (*self._of_mail(), *notes)],
            "ignored": self._ignored(),
            "deadline": self._deadline(),
            "next_seat": state.on_turn if state.phase in TURN else None,
            "repeated": None if repeated is None else repeated.isoformat(),
            "listed": listed,
            "unanswered": self.is_unanswered,
            "hand_asked": self._asks(Simple.HAND),
        }
        self._tell("done", facts)
        return done("done")

    def mistakes(
        self,
        found: Sequence[Mistake],
        *,
        corrected: Sequence[str] | None = None,
        kind: str = CORRECTED,
        played: Sequence[Mapping[str, Any]] | None = None,
    ) -> Outcome:
        """Why nothing was done; with a text that a YES would play if there is one.

        `played` are the lines before the mistake, if the seat wants them to be played.
        """
        lines = self.understood(but={mistake.line for mistake in found})
        facts = {
            "mistakes": [mistake_to_json(mistake) for mistake in found],
            "lines": lines if played is None else list(played),
            "played": played is not None,
            "notes": [_note(note) for note in self._of_mail()],
            "ignored": self._ignored(),
            "corrected": None if not corrected else [{"order": order} for order in corrected],
            "language": self._other_language(),
            "deadline": self._deadline(),
            "board": kind == STALE or played is not None or self._asks(Simple.BOARD),
        }
        if self._asks(Simple.HAND):
            self.pages.append({"page": "hand"})
        if corrected:
            ahead = self.sheet.mode in (Mode.TRY, Mode.NEXT_TURN)
            self.offer(AHEAD if ahead else kind, {"lines": list(corrected)})
        self._tell("mistakes", facts)
        return done("mistakes")

    def paused(self, ran: run.Ran, pause: run.Pause, lines: Sequence[Mapping[str, Any]]) -> Outcome:
        """The plan waits for its player, who is asked; what is left of it is kept."""
        out = next((e.seat for e in reversed(ran.events) if isinstance(e, Eliminated)), None)
        facts = {
            "reason": pause.why,
            "lines": list(lines),
            "eliminated": out if pause.why == "trade" else None,
            "kept": list(pause.rest),
            "skipped": list(ran.skipped),
            "deadline": self._deadline(),
        }
        self.keep(pause)
        self._tell("paused", facts)
        return done("paused")

    def tried(self, plan: Plan, *, supposed: bool, notes: Sequence[Note]) -> Outcome:
        """What the plan may come to; reckoned when the letter is composed, outside the lock.

        `supposed`: as if the seat's turn began now.
        """
        board = self.progress.state.board
        facts = {
            "plan": [[line.number, write.line(line, "en", board)] for line in plan.lines],
            "supposed": supposed,
            "lines": self.understood(),
            "notes": [_note(note) for note in (*self._of_mail(), *notes)],
            "ignored": self._ignored(),
            "deadline": self._deadline(),
        }
        self._tell("preview", facts)
        return done("preview")

    def keep(self, pause: run.Pause) -> None:
        """Keep what is left of the plan for a CONTINUE."""
        if pause.rest:
            self.offer(KEPT, {"lines": list(pause.rest)})

    def help(self, topic: str) -> Outcome:
        """How to write orders, with examples for the reader's own position."""
        self._tell("help", {"topic": topic})
        return done("help")

    def page(self, page: Mapping[str, Any]) -> Outcome:
        """A letter that is one page: history or figures."""
        self.pages = [dict(page)]
        self._tell(page["page"], {})
        return done(page["page"])

    def not_understood(self, reason: str) -> Outcome:
        """A mail that says nothing that we could act on."""
        told = {"language": self._other_language()}
        self._tell("not-understood", {"reason": reason, "told": told, "ignored": self._ignored()})
        return done("not-understood")

    def repeated(self, at: datetime) -> Outcome:
        """The same orders again: they were done then, and nothing is rolled now."""
        return self.done(lines=self.understood(), repeated=at)

    def understood(self, but: Collection[int | None] = ()) -> list[dict[str, Any]]:
        """The lines as they were read, in canonical orders; `but` are numbers to leave out."""
        board = self.progress.state.board
        return [
            {"line": line.number, "orders": [write.line(line, self.seat.language, board)]}
            for line in self.sheet.lines
            if line.number not in but
        ]

    def _other_language(self) -> str | None:
        """The language to offer, if the mail seems to be written in one that is not the seat's."""
        return tongue.other(self.sheet.source, self.seat.language, self.progress.state.board)

    def _ignored(self) -> list[list[Any]]:
        return [[ignored.line, ignored.text, ignored.why] for ignored in self.sheet.ignored]

    def _asks(self, service: Simple) -> bool:
        return any(asked.service == service for asked in self.sheet.services)

    def _tell(self, kind: str, facts: Mapping[str, Any]) -> None:
        """The one answer to the mail, with what its services did and what a YES would take."""
        facts = {**facts, **self.told()}
        recipe = Recipe(kind, self.seat.letter, self.row.id, facts, answers=self.row)
        message_id = self.progress.tell(recipe)
        for offered, body in self._offers:
            self._offer(offered, body, message_id)

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

    def _of_mail(self) -> tuple[Note, ...]:
        """What the player should know of how the mail itself was read."""
        notes = (self.row.reading or {}).get("notes", ())
        return (Note("from-attachment"),) if "attachment" in notes else ()

    def _deadline(self) -> str | None:
        at = self.progress.game.deadline
        return None if at is None else at.isoformat()


def line_of(result: run.LineResult) -> dict[str, Any]:
    """A line as understood, with what came of it."""
    return {
        "line": result.line or None,
        "orders": list(result.orders),
        "events": [notation.event_to_json(event) for event in result.events],
        "notes": [_note(note) for note in result.notes],
        "skipped": result.skipped,
    }


def _note(note: Note) -> dict[str, Any]:
    return {"code": note.code, "line": note.line, "facts": dict(note.facts)}


def mistake_to_json(mistake: Mistake) -> dict[str, Any]:
    """A mistake as recipes hold it."""
    return {
        "code": mistake.code,
        "line": mistake.line,
        "quoted": mistake.quoted,
        "facts": dict(mistake.facts),
    }
