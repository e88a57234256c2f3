"""Orders read for a seat without playing them: for a page that only says what was understood.

Who has logged in as the seat's player is answered as a TRY would be, from that seat's own view.
Nothing is stored, rolled or counted: a session that only reads is enough.
"""

from collections.abc import Sequence

from pbem.judge import atlas, people, plans, prospects, standing
from pbem.judge.options import Options
from pbem.mail.normalise import order_lines
from pbem.orders import check, reader, tongue, write
from pbem.orders.lexicon import lexicon
from pbem.orders.plan import Line
from pbem.orders.preview import preview, supposed
from pbem.orders.sheet import Mode, Sheet
from pbem.orders.word import Word
from pbem.render import contexts
from pbem.render.checked import Checked
from pbem.rules.position import SETUP, TURN
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import View, view
from pbem.store import games, tables
from pbem.store.engine import Session

_OPENINGS = {Mode.TRY: Word.TRY, Mode.NEXT_TURN: Word.NEXT_TURN}


def understanding(session: Session, game: tables.Game, letter: Seat, text: str) -> Checked:
    """What a mail of these lines from the seat would be understood as, and what may come of it."""
    return _Check(session, game, letter).answer(text)


class _Check:
    """One text for one seat."""

    def __init__(self, session: Session, game: tables.Game, letter: Seat) -> None:
        self.state: State = atlas.state_of(session, game)
        self.seen = view(self.state, letter)
        self.seats: Sequence[tables.Seat] = games.seats(session, game.id)
        self.seat = next(seat for seat in self.seats if seat.letter == letter)
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
        words = people.vocabulary(self.state.board, self.seats, self.language)
        return reader.read(order_lines(text), self.language, words)

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
