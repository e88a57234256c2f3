"""The static check: which orders cannot be meant in this position, all of them at once.

Lines that depend on dice are looked at as far as they are certain. A plan that passes has its
defaults filled in; one that does not may have a corrected text, if every mistake has one repair.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.orders import defaults, moves, reader, truth, write
from pbem.orders.checks import attack, fortify, place, setup, trade
from pbem.orders.checks.outlook import Outlook, Said
from pbem.orders.correct import help_with, repaired
from pbem.orders.mistake import PRECEDENCE, Mistake, Note, Repair, in_order
from pbem.orders.plan import (
    Attack,
    Avoid,
    Capital,
    Captured,
    Claim,
    Eliminated,
    Else,
    Fill,
    Flow,
    Fortify,
    Guard,
    Hold,
    Line,
    Occupy,
    Order,
    Place,
    PlaceNeutral,
    Plan,
    Sentence,
    Trade,
    Trading,
)
from pbem.orders.sheet import Mode, Sheet
from pbem.orders.word import Word
from pbem.rules.board import Code
from pbem.rules.position import SETUP
from pbem.rules.trade import must_trade
from pbem.rules.view import View

MOST_REPAIRS = 4
"""Rounds of repairing: one repair may bring another mistake to light."""


_TOPS = {Mode.TRY: Word.TRY, Mode.NEXT_TURN: Word.NEXT_TURN}

TRADE_FAULTS = frozenset({"E11", "E12", "E13", "E23", "E28", "E33"})
"""With one of these nobody can say how many armies there are to place."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A plan ready to run, or the mistakes that keep it from running.

    `corrected` are canonical lines that a YES would play.
    """

    plan: Plan | None
    mistakes: tuple[Mistake, ...] = ()
    corrected: tuple[str, ...] | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What a plan is checked against beside the position.

    `kept` are the lines of a plan that waits: CONTINUE goes on with them. `single`: the end of
    the mail closes the turn.
    """

    kept: tuple[str, ...] = ()
    single: bool = False


OPEN = Terms()


def check(sheet: Sheet, view: View, terms: Terms = OPEN) -> Checked:
    """Checks what was read against the position as its player sees it."""
    checked = _checked(sheet, view, terms)
    if not checked.mistakes:
        return checked
    return replace(checked, corrected=_corrected(sheet, checked.mistakes, view, terms))


def _checked(sheet: Sheet, view: View, terms: Terms) -> Checked:
    read = [help_with(mistake, view, sheet) for mistake in sheet.mistakes]
    if sheet.mode is Mode.NEXT_TURN:
        return _answer(sheet.lines, read, sheet)
    if view.phase in SETUP:
        return _answer(sheet.lines, [*read, *setup.check(sheet.lines, view, sheet.language)], sheet)
    if sheet.lines and view.on_turn != view.reader:
        first = sheet.lines[0]
        seat = {"seat": view.on_turn}
        return _answer((), [*read, Mistake("E19", first.number, first.text, seat)], sheet)
    if view.occupation is None:
        sheet = replace(sheet, lines=moves.joined(sheet.lines))
    checking = _Checking(sheet, view, terms)
    found = checking.mistakes(complete=not read)
    return _answer(defaults.filled(checking.lines), [*read, *found], sheet)


def _answer(lines: Sequence[Line], mistakes: Sequence[Mistake], sheet: Sheet) -> Checked:
    if mistakes:
        return Checked(None, in_order(mistakes), notes=sheet.notes)
    return Checked(Plan(tuple(lines), sheet.language), notes=sheet.notes)


def _corrected(
    sheet: Sheet, mistakes: Sequence[Mistake], view: View, terms: Terms
) -> tuple[str, ...] | None:
    """The canonical lines after every single likely repair; None if one mistake has none.

    Of a mail that was not read to its end nobody knows what it would be.
    """
    if any(note.code == "read-no-further" for note in sheet.notes):
        return None
    for _ in range(MOST_REPAIRS):
        repairs = [m.repair for m in mistakes if m.repair is not None]
        if len(repairs) < len(mistakes):
            return None
        source = repaired(sheet.source, repairs)
        sheet = reader.read(source, sheet.language, sheet.table)
        checked = _checked(sheet, view, terms)
        mistakes = checked.mistakes
        if checked.plan is not None:
            lines = (write.line(line, sheet.language, view.board) for line in checked.plan.lines)
            return (*_on_top(sheet, view), *(line for line in lines if line))
    return None


def _on_top(sheet: Sheet, view: View) -> Iterator[str]:
    """The line that TRY or NEXT TURN is: without it a YES would play what was not to be played."""
    if sheet.mode in _TOPS:
        yield write.word(_TOPS[sheet.mode], sheet.language, view.board).upper()


class _Checking:
    """One walk over the lines of a sheet, with the outlook that they leave behind."""

    def __init__(self, sheet: Sheet, view: View, terms: Terms) -> None:
        if view.reader is None:
            raise ValueError("a plan is checked for a seat")
        self.sheet = sheet
        self.terms = terms
        self.view = view
        self.outlook = Outlook(view, sheet.language, view.reader, original_hand=view.hand)
        self.outlook.hoped.update(_perhaps_meant(sheet.mistakes))
        self.lines: list[Line] = []
        self.found: list[Mistake] = []
        self.guard_was: bool | None = None
        self.guards: list[tuple[Said, Guard | Else | None]] = []
        self.traded = False

    def mistakes(self, *, complete: bool) -> list[Mistake]:
        """All mistakes; sums only if every line was read."""
        self._trade_by_itself()
        for line in self.sheet.lines:
            sentences = tuple(s for said in line.sentences for s in self._sentence(line, said))
            self.lines.append(replace(line, sentences=sentences))
        if self.terms.single and self.lines:
            last = Said(self.lines[-1].number, self.lines[-1].text)
            self.outlook.needs_placing = self.outlook.needs_placing or last
        if complete and not any(mistake.code in TRADE_FAULTS for mistake in self.found):
            self.found += place.sums(self.outlook)
        self.found += self._too_few_trades()
        return self.found

    def _trade_by_itself(self) -> None:
        """A forced trade that no line speaks of: the set that the turn call announced."""
        said = [s for line in self.sheet.lines for s in line.sentences]
        now = [order for s in said if not s.awaits_elimination for order in s.orders]
        self.traded = any(isinstance(order, Trade) for order in now)
        if said and not self.traded and must_trade(self.view, self.view.hand):
            trade.settle(self.outlook, Trade(Trading.AUTO), Said(self.sheet.lines[0].number, ""))

    def _sentence(self, line: Line, said: Sentence) -> Iterator[Sentence]:
        if Flow.CONTINUE in said.orders:
            yield from self._continued(line, said)
            return
        certain = self._certain(said)
        if certain is False:
            yield said
            return
        orders = tuple(
            self._order(order, self._said(line, said, order, sure=certain is True), said)
            for order in said.orders
        )
        yield replace(said, orders=orders)

    def _continued(self, line: Line, said: Sentence) -> Iterator[Sentence]:
        """CONTINUE stands for the lines of the plan that waits; they were checked before."""
        if not self.terms.kept:
            self.found.append(Mistake("E32", line.number, line.text, {"word": "CONTINUE"}))
            return
        before = said.orders[: said.orders.index(Flow.CONTINUE)]
        if before:
            yield from self._sentence(line, replace(said, orders=before))
        rest = reader.read(self.terms.kept, self.sheet.language, self.sheet.table)
        sentences = [kept for line in rest.lines for kept in line.sentences]
        if not any(isinstance(order, Place) for kept in sentences for order in kept.orders):
            quoted = Said(line.number, line.text)
            self.outlook.needs_placing = self.outlook.needs_placing or quoted
        yield from sentences

    def _certain(self, said: Sentence) -> bool | None:
        """Whether the guard is surely true or surely false; None where dice decide."""
        match said.guard:
            case None:
                self.guard_was = None
                return True
            case Else():
                return None if self.guard_was is None else not self.guard_was
            case Guard():
                self.guard_was = truth.before(said.guard, self.outlook)
                return self.guard_was

    def _said(self, line: Line, sentence: Sentence, order: Order, *, sure: bool) -> Said:
        alone = len(line.sentences) == 1 and len(sentence.orders) == 1
        mid_turn = sentence.awaits_elimination and not self.view.mid_turn
        quoted = line.text if alone else self.outlook.write(order)
        return Said(line.number, quoted, sure, mid_turn)

    def _order(self, order: Order, said: Said, sentence: Sentence) -> Order:
        """Checks one order and answers it with its defaults; of its faults the first counts."""
        checks = _CHECKS.get(type(order))
        faults = [*self._after_fortify(order, said), *self._flow(order, said)]
        if checks is not None:
            faults += checks[0](self.outlook, order, said)
        if isinstance(order, Fortify):
            faults += self._second_fortify(said, sentence)
        if isinstance(order, Attack | Fortify) or order is Flow.END:
            self.outlook.needs_placing = self.outlook.needs_placing or said
        if faults:
            self.found.append(min(faults, key=lambda m: PRECEDENCE.index(m.code)))
            if not isinstance(order, Place | Attack):
                return order
        return order if checks is None else checks[1](self.outlook, order, said)

    def _flow(self, order: Order, said: Said) -> Iterator[Mistake]:
        if isinstance(order, Claim | Fill | Avoid | PlaceNeutral):
            yield said.mistake("E36")
        elif isinstance(order, Capital):
            yield self._late_capital(said)
        elif order is Flow.TAKE_BACK:
            yield from self._take_back(said)
        elif isinstance(order, Occupy) and self.view.occupation is None:
            last = self.outlook.last_attack
            yield said.mistake(
                "E27",
                word=self.outlook.write(order),
                kind="occupy",
                example=None if last is None else self._moving_in(last, order),
            )

    def _late_capital(self, said: Said) -> Mistake:
        """E35 once they are chosen; a game without capitals does not know the order."""
        if self.view.capitals:
            return said.mistake("E35")
        return said.mistake("E27", word="CAPITAL", unsupported=True)

    def _take_back(self, said: Said) -> Iterator[Mistake]:
        """E31 once dice have rolled, or may have before it; or if nothing was placed."""
        outlook = self.outlook
        if outlook.view.rolled or outlook.first_attack is not None:
            yield said.mistake("E31", rolled=True)
        elif not (outlook.view.placed or outlook.put):
            yield said.mistake("E31", rolled=False)
        elif said.sure:
            outlook.take_back()

    def _moving_in(self, last: Attack, order: Occupy) -> str:
        return self.outlook.write(replace(last, move=order.armies, leave=None))

    def _after_fortify(self, order: Order, said: Said) -> Iterator[Mistake]:
        before = self.outlook.fortified
        if before is None or order is Flow.END or isinstance(order, Fortify):
            return
        repair = Repair(said.line, said.line, (), before.line, (self.outlook.write(order),))
        yield said.mistake("E25", repair, before=before.line)

    def _second_fortify(self, said: Said, sentence: Sentence) -> Iterator[Mistake]:
        """Two fortifies, unless they are the two sides of one guard (E16)."""
        for before, guard in self.guards:
            if not _excludes(guard, sentence.guard):
                yield replace(said, line=before.line).mistake(
                    "E16", first=before.line, second=said.line
                )
                break
        self.guards.append((said, sentence.guard))

    def _too_few_trades(self) -> Iterator[Mistake]:
        """The lines trade, but not as often as they must before the others (E11)."""
        needing = self.outlook.needs_placing or self.outlook.first_place
        view = self.outlook.view
        told = any(mistake.code in TRADE_FAULTS for mistake in self.found)
        if self.traded and needing and not told and must_trade(view, view.hand):
            yield trade.forced(self.outlook, needing)


def _perhaps_meant(mistakes: Iterable[Mistake]) -> Iterator[Code]:
    """Territories that a misread line may try to capture: no later line is blamed for that."""
    for mistake in mistakes:
        candidates = mistake.facts.get("candidates")
        if mistake.code in ("E01", "E02") and isinstance(candidates, tuple):
            yield from (Code(str(code)) for code in candidates)


def _excludes(first: Guard | Else | None, second: Guard | Else | None) -> bool:
    """Whether at most one of two guarded sentences can be done."""
    if isinstance(first, Guard) and isinstance(second, Guard):
        return _plain(first) == _plain(second, opposite=True)
    return isinstance(first, Guard) and isinstance(second, Else)


def _plain(guard: Guard, *, opposite: bool = False) -> Guard:
    """The guard with the NOT of a single condition as an UNLESS; or the opposite of that."""
    unless, conditions = guard.unless is not opposite, guard.conditions
    match conditions:
        case (Captured() | Hold() | Eliminated() as only,) if only.negated:
            return Guard((replace(only, negated=False),), not unless)
    return Guard(conditions, unless)


_Check = Callable[[Outlook, Order, Said], Iterator[Mistake]]
_Settle = Callable[[Outlook, Order, Said], Order]

_CHECKS: Mapping[type, tuple[_Check, _Settle]] = {
    Trade: (trade.check, trade.settle),  # type: ignore[dict-item]  # asked with its key's type
    Place: (place.check, place.settle),  # type: ignore[dict-item]
    Attack: (attack.check, attack.settle),  # type: ignore[dict-item]
    Fortify: (fortify.check, fortify.settle),  # type: ignore[dict-item]
}
