"""Orders read for a seat without playing them: for a page that only says what was understood.

Whoever holds the address of the seat's newest letter is answered as a TRY would be, from that
seat's own view. Nothing is stored, rolled or counted: a session that only reads is enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.judge import intake, people, plans, prospects, standing
from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.mail import address
from pbem.mail.normalise import clean, normalise_line
from pbem.orders import check, reader, tongue, write
from pbem.orders.lexicon import lexicon
from pbem.orders.plan import Line
from pbem.orders.preview import preview, supposed
from pbem.orders.sheet import Mode, Sheet
from pbem.orders.word import Word
from pbem.render import contexts
from pbem.render.checked import Checked
from pbem.rules import notation
from pbem.rules.position import SETUP, TURN
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import View, view
from pbem.store import games, tables
from pbem.store.engine import Session

_OPENINGS = {Mode.TRY: Word.TRY, Mode.NEXT_TURN: Word.NEXT_TURN}


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has shown the key of a seat."""

    game_id: int
    seat: str
    language: str


def holder(session: Session, house: House, recipient: str, now: datetime) -> Holder | None:
    """The seat whose newest letter came from that address.

    None for every other address, whatever is wrong with it: one that is no longer the newest could
    stand in a letter that was forwarded long ago, and a hand is not shown for that.
    """
    named = address.parse(recipient)
    if named is None or intake.refuse_recipient(session, house, recipient, now) is not None:
        return None
    number = games.game_id(named.game)
    seat = None if number is None else games.seat(session, number, named.seat)
    if seat is None or seat.last_letter_address is None:
        return None
    if address.parse(seat.last_letter_address) != named:
        return None
    return Holder(seat.game_id, seat.letter, seat.language)


def understanding(session: Session, asker: Holder, text: str) -> Checked:
    """What a mail of these lines would be understood as, and what may come of it.

    Raises NoSuchGameError if the game is gone.
    """
    game = games.find(session, asker.game_id)
    if game is None:
        raise games.NoSuchGameError(games.public_id(asker.game_id))
    return _Check(session, game, asker).answer(text)


class _Check:
    """One text for one seat."""

    def __init__(self, session: Session, game: tables.Game, asker: Holder) -> None:
        self.state: State = notation.state_from_json(game.state)
        self.seen = view(self.state, Seat(asker.seat))
        self.seats: Sequence[tables.Seat] = games.seats(session, game.id)
        self.seat = next(seat for seat in self.seats if seat.letter == asker.seat)
        self.language = self.seat.language
        self.standing = standing.of(self.seat, self.state.turn)
        self.terms = plans.terms(session, self.seat, Options.from_json(game.options))

    def answer(self, text: str) -> Checked:
        """What is to be said of it in this phase of the game."""
        seen, sheet = self.seen, self._sheet(text)
        if seen.phase in SETUP:
            return self._checked(sheet, seen, check.check(sheet, seen))
        if seen.phase not in TURN or seen.reader in seen.eliminated:
            return Checked(table=self._table(), view=seen, awaited=False)
        if sheet.mode is Mode.NEXT_TURN:
            return self._checked(sheet, seen, check.check(sheet, seen))
        return self._of_turn(sheet)

    def _sheet(self, text: str) -> Sheet:
        lines = [normalise_line(line) for line in clean(text).split("\n")]
        words = people.vocabulary(self.state.board, self.seats, self.language)
        return reader.read(lines, self.language, words)

    def _of_turn(self, sheet: Sheet) -> Checked:
        """A plan with its chances, read as if the turn began now where it is somebody else's."""
        waits = self.seen.on_turn != self.seen.reader
        board = supposed(self.seen) if waits else self.seen
        sheet = plans.with_standing_trade(sheet, board, self.standing)
        return self._checked(
            sheet, board, check.check(sheet, board, self.terms), supposed=waits, reckoned=True
        )

    def _checked(
        self,
        sheet: Sheet,
        board: View,
        found: check.Checked,
        *,
        supposed: bool = False,
        reckoned: bool = False,
    ) -> Checked:
        plan = found.plan if reckoned and found.plan is not None and found.plan.lines else None
        wrong = bool(found.mistakes)
        return Checked(
            table=self._table(),
            view=board,
            awaited=True,
            supposed=supposed,
            understood=self._understood(sheet, found),
            mistakes=found.mistakes,
            corrected=self._corrected(sheet.mode, found.corrected or (), board),
            notes=found.notes,
            ignored=sheet.ignored,
            services=tuple(asked.text for asked in sheet.services),
            forecast=None if plan is None else preview(plan, board, self.standing.on_fail),
            tongue=tongue.other(sheet.source, self.language, board.board) if wrong else None,
        )

    def _understood(self, sheet: Sheet, found: check.Checked) -> tuple[contexts.Understood, ...]:
        """The lines without a mistake; with all defaults where nothing is wrong."""
        wrong = {mistake.line for mistake in found.mistakes}
        lines: Sequence[Line] = sheet.lines if found.plan is None else found.plan.lines
        board, language = self.state.board, self.language
        return tuple(
            contexts.Understood(line.number, (write.line(line, language, board),))
            for line in lines
            if line.number not in wrong
        )

    def _corrected(
        self, mode: Mode, orders: Sequence[str], board: View
    ) -> tuple[contexts.Proposed, ...]:
        """The mended text, each attack with its chance; tried or kept if the text was to be."""
        words = lexicon(self.language, self.state.board).printed
        opening = [words[_OPENINGS[mode]].upper()] if orders and mode in _OPENINGS else []
        chances = prospects.of_mended(orders, board, self.language, self.standing.on_fail)
        return (
            *map(contexts.Proposed, opening),
            *(
                contexts.Proposed(order)
                if line is None
                else contexts.Proposed(order, line.capture, full_dice=line.full_dice)
                for order, line in zip(orders, chances, strict=True)
            ),
        )

    def _table(self) -> contexts.Table:
        seat, rules = self.seat, self.state.ruleset
        letter = Seat(seat.letter)
        return people.table(seat.game_id, self.seats, rules, letter, self.language)
