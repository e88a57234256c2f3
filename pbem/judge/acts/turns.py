"""Acts on a turn: close it as its deadline would, order for its seat, run it again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pbem.judge import branches, people, plans, reading
from pbem.judge.acts.act import Act, Grade, Lines, Number, SeatLetter
from pbem.judge.acts.notice import mark, named, running, tell_all
from pbem.judge.acts.rollback import Rollback
from pbem.judge.deadline import run_out
from pbem.judge.gm import ActError, Why
from pbem.judge.progress import Progress
from pbem.mail import errand
from pbem.orders import check, reader
from pbem.rules.position import SETUP, TURN
from pbem.rules.seat import Seat
from pbem.rules.view import view
from pbem.store import games, inbox, tables
from pbem.store.tables import Source


@dataclass(frozen=True, slots=True)
class PlayLate(Act):
    """Close the turn now as its deadline would, by the seat's LATE policy."""

    name: ClassVar[str] = "late"
    grade: ClassVar[Grade] = Grade.FAIR

    def play(self, progress: Progress, why: Why) -> None:
        running(progress)
        state = progress.state
        if state.phase not in TURN or state.on_turn is None:
            raise ActError("nobody-on-turn")
        mark(progress, why, self.name, state.on_turn)
        told = {"seat": state.on_turn, "turn": state.turn}
        run_out(progress)
        tell_all(progress, "turn-closed", why, told)


@dataclass(frozen=True, slots=True)
class OrderFor(Act):
    """Give orders in the name of a seat; they are played as a mail of it would be, and answered."""

    name: ClassVar[str] = "orders"
    grade: ClassVar[Grade] = Grade.FAIR
    seat: SeatLetter
    text: Lines

    def play(self, progress: Progress, why: Why) -> None:
        running(progress)
        seat = named(progress, self.seat)
        if progress.state.phase not in SETUP and progress.state.on_turn != seat.letter:
            raise ActError("not-on-turn", seat=self.seat)
        lines = tuple(self.text.splitlines())
        self._refuse_mistakes(progress, seat, lines)
        mark(progress, why, self.name, seat.letter)
        key = f"gm-orders:{games.public_id(progress.game.id)}:{seat.letter}:{progress.now:%s%f}"
        inbox.add(progress.session, [_delivery(progress, seat, key, reading.orders_of(lines))])
        tell_all(progress, "orders-for", why, {"seat": seat.letter})

    def _refuse_mistakes(self, progress: Progress, seat: tables.Seat, lines: Sequence[str]) -> None:
        words = people.vocabulary(progress.state.board, progress.seats, seat.language)
        sheet = reader.read(lines, seat.language, words)
        terms = plans.terms(progress.session, seat, progress.options)
        checked = check.check(sheet, view(progress.state, Seat(seat.letter)), terms)
        codes = [mistake.code for mistake in checked.mistakes]
        if codes or not sheet.lines:
            raise ActError("orders-mistaken", codes=codes or ["-"])


@dataclass(frozen=True, slots=True)
class RunAgain(Act):
    """Take a turn back to its start and play the same orders again, after a fault of ours.

    The dice are the same while the turn is open, else new. Without a number it is this turn.
    """

    name: ClassVar[str] = "rerun"
    grade: ClassVar[Grade] = Grade.DEEP
    turn: Number | None = None

    def play(self, progress: Progress, why: Why) -> None:
        running(progress)
        turn = progress.state.turn if self.turn is None else self.turn
        start = games.first_event(progress.session, progress.game.id, turn)
        if start is None or not turn:
            raise ActError("nothing-to-run")
        mails = _mails(progress, turn, start)
        Rollback(start).play(progress, why)
        first = branches.first_step(progress.game, turn)
        for place, mail in enumerate(mails):
            # The step that the game will be at when those before it are played.
            key = f"rerun:{progress.game.branch}:{mail.id}"
            seat = named(progress, mail.seat or "")
            delivery = _delivery(progress, seat, key, mail.reading or {})
            again = replace(delivery, turn=turn, step=first + place)
            inbox.add(progress.session, [again])


def _mails(progress: Progress, turn: int, start: int) -> list[tables.Inbox]:
    """The mails that did something in the turn, in their order; ActError without any."""
    rows = games.events_of(progress.session, progress.game.id, start + 1)
    ids = dict.fromkeys(row.inbox_id for row in rows if row.turn == turn and row.inbox_id)
    found = [inbox.find(progress.session, number) for number in ids]
    mails = [one for one in found if one is not None and _is_a_players(one)]
    if not mails:
        raise ActError("nothing-to-run")
    return mails


def _is_a_players(row: tables.Inbox) -> bool:
    """Whether a seat's orders stand in it, and not a word on an act that waits."""
    ordered = row.source != Source.DEADLINE and row.seat is not None
    return ordered and errand.parse(row.recipient) is None


def _delivery(
    progress: Progress, seat: tables.Seat, key: str, read: tables.Document
) -> inbox.Delivery:
    return inbox.Delivery(
        source=Source.GM,
        dedupe_key=key,
        received_at=progress.now,
        game_id=progress.game.id,
        seat=seat.letter,
        turn=progress.game.turn,
        step=progress.game.step,
        reading=read,
    )
