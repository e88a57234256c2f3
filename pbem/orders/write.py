"""Orders in print: the one canonical text of each value, in the player's language.

Reading what is printed gives the same value again.
"""

from typing import cast

from pbem.orders import plan
from pbem.orders.lexicon import Lexicon, lexicon
from pbem.orders.places import Case, in_case
from pbem.orders.plan import (
    Amount,
    Attack,
    Avoid,
    Capital,
    Claim,
    Condition,
    Else,
    Fill,
    Flow,
    Fortify,
    Guard,
    Line,
    Occupy,
    Order,
    Otherwise,
    Place,
    PlaceNeutral,
    Sentence,
    Spot,
    Trade,
    Trading,
    Wish,
)
from pbem.orders.spelling import words
from pbem.orders.unsaid import unsaid
from pbem.orders.word import Word
from pbem.rules.board import Board, Code, ContinentId
from pbem.rules.card import WILD


def write(order: Order, language: str, board: Board) -> str:
    """The canonical text of one order."""
    return Printer(language, board).order(order)


def sentence(said: Sentence, language: str, board: Board) -> str:
    """The canonical text of a sentence with its guard."""
    return Printer(language, board).sentence(said)


def line(read: Line, language: str, board: Board) -> str:
    """The canonical text of a line."""
    return ". ".join(sentence(said, language, board) for said in read.sentences)


def word(said: Word, language: str, board: Board) -> str:
    """The printed word of a class."""
    return Printer(language, board).word(said)


class Printer:
    """Prints orders in one language."""

    def __init__(self, language: str, board: Board) -> None:
        self.words: Lexicon = lexicon(language, board)
        self.board = board

    def name(self, code: Code, case: Case | None = None) -> str:
        """A territory's name; in a case as the language says it, with its preposition if it has."""
        language, territory = self.words.language, self.board.territories[code]
        is_said = code not in unsaid(language, self.board)
        name = territory.names.get(language, territory.name) if is_said else code
        known = code if self.board.is_classic and is_said else None
        return name if case is None else in_case(language, case, known, name)

    def continent(self, key: ContinentId, case: Case | None = None) -> str:
        """A continent's name; in a case as the language says it."""
        language, continent = self.words.language, self.board.continents[key]
        name = continent.names.get(language, continent.name)
        known = key if self.board.is_classic else None
        return name if case is None else in_case(language, case, known, name)

    def place(self, what: Code | ContinentId, case: Case | None = None) -> str:
        """The name of a territory or a continent."""
        if what in self.board.territories:
            return self.name(Code(what), case)
        return self.continent(ContinentId(what), case)

    def word(self, word: Word) -> str:
        """The printed word of a class."""
        return self.words.printed[word]

    def form(self, name: str, **parts: str | int) -> str:
        """A phrase of the language's table, filled in."""
        return self.words.form[name].format(**parts)

    def sentence(self, said: Sentence) -> str:
        """Guard and orders."""
        orders = "; ".join(self.order(order) for order in said.orders)
        match said.guard:
            case None:
                return orders
            case Else():
                return f"{self.word(Word.ELSE)} {orders}"
            case Guard(conditions, unless):
                joint = f" {self.word(Word.AND)} "
                spoken = joint.join(self.condition(c) for c in conditions)
                return f"{self._opening(conditions, unless=unless)} {spoken}: {orders}"

    def _opening(self, conditions: tuple[Condition, ...], *, unless: bool) -> str:
        """IF or UNLESS; a colon behind it says that a NOT denies where it would be idle."""
        said = self.word(Word.UNLESS if unless else Word.IF)
        denies = unless and any(getattr(one, "negated", False) for one in conditions)
        return f"{said}:" if denies and words(said) in self.words.idle_not else said

    def order(self, order: Order) -> str:
        """One order."""
        match order:
            case Trade():
                return self._trade(order)
            case Place(spots):
                return f"{self.word(Word.PLACE)} {self._spots(spots)}"
            case Attack():
                return ", ".join([self._path(order), *self._limits(order)])
            case Occupy(armies):
                return f"{self.word(Word.OCCUPY)} {self._amount(armies)}"
            case Fortify():
                return self._fortify(order)
            case Claim() | Fill() | Avoid() | PlaceNeutral() | Capital():
                return self._wish(order)
            case Flow():
                return self.word(_FLOW[order])

    def _wish(self, order: Claim | Fill | Avoid | PlaceNeutral | Capital) -> str:
        match order:
            case Claim(wants):
                return f"{self.word(Word.CLAIM)} {', '.join(map(self._want, wants))}"
            case Fill(spots):
                stocks = (self._stock(spot) for spot in spots)
                return f"{self.word(Word.FILL)} {', '.join(stocks)}"
            case PlaceNeutral(spots):
                return f"{self.word(Word.PLACE)} {self.word(Word.NEUTRAL)} {self._spots(spots)}"
            case Capital(territory):
                return f"{self.word(Word.CAPITAL)} {self.name(territory)}"
            case Avoid(continents):
                avoided = (self.continent(key, "avoided") for key in continents)
                return f"{self.word(Word.AVOID)} {', '.join(avoided)}"

    def condition(self, condition: Condition) -> str:
        """One condition of a guard."""
        match condition:
            case plan.Captured(None, negated):
                return self._denied(Word.CAPTURED, negated)
            case plan.Captured(territory, negated):
                return self._of("not_captured" if negated else "captured", territory or Code(""))
            case plan.Hold(what, negated):
                return self._of("not_hold" if negated else "hold", what)
            case plan.Armies(territory, count, at_most):
                form = "at_most" if at_most else "at_least"
                return self.form(form, territory=self.name(territory), count=count)
            case plan.Chance(percent, at_most):
                form = "odds_at_most" if at_most else "odds_at_least"
                return self.form(form, percent=percent)
            case plan.NoCard():
                return self.word(Word.NO_CARD)
            case plan.Eliminated(negated):
                return self._denied(Word.ELIMINATED, negated)

    def _of(self, form: str, what: Code | ContinentId) -> str:
        """A phrase about a place, which the language may make its object."""
        cases: tuple[Case, ...] = ("object", "lacked")
        bent = {case: self.place(what, case) for case in cases}
        return self.form(form, territory=self.place(what), **bent)

    def _denied(self, word: Word, negated: bool) -> str:
        return f"{self.word(Word.NOT)} {self.word(word)}" if negated else self.word(word)

    def _trade(self, order: Trade) -> str:
        text = f"{self.word(Word.TRADE)} {self._cards(order)}"
        if order.bonus is None:
            return text
        return f"{text}, {self.form('bonus', territory=self.name(order.bonus, 'to'))}"

    def _cards(self, order: Trade) -> str:
        if order.cards is Trading.AUTO:
            return self.word(Word.AUTO)
        if order.cards is Trading.NONE:
            return self.word(Word.NONE)
        joint = " " if all(isinstance(card, int) for card in order.cards) else ", "
        return joint.join(self._card(card) for card in order.cards)

    def _card(self, card: plan.CardName) -> str:
        if card == WILD:
            return self.word(Word.WILD)
        return str(card) if isinstance(card, int) else self.name(Code(card))

    def _spots(self, spots: tuple[Spot, ...]) -> str:
        return ", ".join(
            self.form(
                "spot",
                armies=self._amount(spot.armies),
                territory=self.name(spot.territory, "to"),
            )
            for spot in spots
        )

    def _stock(self, spot: Spot) -> str:
        return self.form(
            "stock",
            armies=self._amount(spot.armies),
            territory=self.name(spot.territory, "object"),
        )

    def _amount(self, armies: int | Amount) -> str:
        return str(armies) if isinstance(armies, int) else self.word(_AMOUNT[armies])

    def _path(self, order: Attack) -> str:
        source = self.name(order.source, "from")
        if len(order.targets) == 1:
            target = self.name(order.targets[0], "object")
            return self.form("attack", source=source, target=target)
        form = self.words.form
        case = cast(Case, form["link_case"])
        targets = form["link"].join(self.name(target, case) for target in order.targets)
        return self.form("chain", source=source, targets=targets)

    def _limits(self, order: Attack) -> list[str]:
        limits = order.limits
        said = [
            self._rolls(limits.rolls),
            self._depth(order) if limits.all_in else "",
            self._counted("with_dice", limits.exact_dice),
            self._counted("with_armies", limits.stake),
            self._counted("keep", limits.keep),
            self._counted("lose", limits.lose),
            "" if order.odds is None else self.form("while_odds", percent=order.odds),
            self._until(order),
            self._counted("leave", order.leave),
            "" if order.move is None else self.order(Occupy(order.move)),
            self._otherwise(order.otherwise),
        ]
        return [text for text in said if text]

    def _counted(self, form: str, count: int | None) -> str:
        return "" if count is None else self.form(form, count=count)

    def _rolls(self, rolls: int | None) -> str:
        if rolls == 1:
            return self.word(Word.ONCE)
        return self._counted(_ROLLS.get((rolls or 0) % 100, "rolls"), rolls)

    def _depth(self, order: Attack) -> str:
        return self.word(Word.UNTIL_CAPTURED if order.captured else Word.ALL_IN)

    def _until(self, order: Attack) -> str:
        if order.until is None:
            return ""
        territory, count = order.until
        return self.form("until", territory=self.name(territory), count=count)

    def _otherwise(self, otherwise: Otherwise | None) -> str:
        if otherwise is None:
            return ""
        return f"{self.word(Word.ELSE)} {self.word(_OTHERWISE[otherwise])}"

    def _fortify(self, order: Fortify) -> str:
        return self.form(
            "fortify",
            armies=self._moved(order),
            source=self.name(order.source, "from") if order.source else "?",
            target=self.name(order.target, "to"),
        )

    def _moved(self, order: Fortify) -> str:
        if order.armies is not None:
            return str(order.armies)
        if order.but is None:
            return "?"
        return f"{self.word(Word.ALL)} {self.word(Word.BUT)} {order.but}"

    def _want(self, want: Code | ContinentId | Wish) -> str:
        if isinstance(want, Wish):
            return self.word(Word.NEAREST if want is Wish.NEAREST else Word.ANY)
        return self.place(want, "object")


_ROLLS = {2: "rolls_two", 3: "rolls_few", 4: "rolls_few"}
"""The forms of a language whose nouns have them: Slovenian 2 meta, 3 mete, 5 metov."""

_FLOW = {
    Flow.END: Word.END,
    Flow.STOP: Word.STOP,
    Flow.PAUSE: Word.PAUSE,
    Flow.CONTINUE: Word.CONTINUE,
    Flow.TAKE_BACK: Word.TAKE_BACK,
}
_AMOUNT = {Amount.ALL: Word.ALL, Amount.LEAST: Word.LEAST, Amount.REST: Word.REST}
_OTHERWISE = {
    Otherwise.STOP: Word.STOP,
    Otherwise.PAUSE: Word.PAUSE,
    Otherwise.GO_ON: Word.CONTINUE,
}
