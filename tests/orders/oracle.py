"""A second reader: the grammar of orders.md over word classes, parsed by Earley.

It shares the scanner with the product and nothing behind it. Every way to read a line is found, so
an ambiguous line shows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from lark import Discard, Lark, Token, Transformer, Tree, UnexpectedInput

from pbem.orders import plan
from pbem.orders.lexicon import lexicon
from pbem.orders.plan import (
    Amount,
    Attack,
    Avoid,
    Capital,
    Claim,
    Else,
    Fill,
    Flow,
    Fortify,
    Guard,
    Occupy,
    Otherwise,
    Place,
    PlaceNeutral,
    Sentence,
    Spot,
    Trade,
    Trading,
    Wish,
)
from pbem.orders.scan import Token as Scanned
from pbem.orders.scan import scan
from pbem.orders.word import IDLE, Word
from pbem.rules.card import WILD, Card
from pbem.rules.odds import Limits
from tests.orders.desk import WORLD

GRAMMAR = r"""
start: [guard] order (THEN order)*

guard: (IF | UNLESS) COLON? condition (AND condition)* (COLON | COMMA)? THEN? -> guarded
     | ELSE                                                                    -> otherwise

condition: (NOT | NO)? CAPTURED NAME?           -> captured
         | NAME NOT? CAPTURED                   -> captured
         | NOT? HOLD (NAME | REGION)                       -> hold
         | LACK (NAME | REGION)                 -> lack
         | NAME AT_LEAST NUMBER ARMIES?         -> at_least
         | NAME AT_MOST NUMBER ARMIES?          -> at_most
         | ODDS (AT_LEAST | AT_MOST) share      -> chance
         | NO_CARD                              -> no_card
         | NOT? ELIMINATED                      -> eliminated

share: PERCENT | NUMBER SHARE

?order: trade | place | place_neutral | attack | occupy | fortify | flow
      | claim | fill | avoid | capital

trade: TRADE (AUTO | NONE | card (joint? card)*) (COMMA? BONUS (ON | TO)? NAME)?
card: NUMBER | NAME | WILD

place: PLACE (spot (joint? spot)* | pot (joint? pot)*)
place_neutral: PLACE NEUTRAL (spot (joint? spot)* | pot (joint? pot)*)
joint: COMMA | AND
capital: CAPITAL NAME
spot: (NUMBER ARMIES? | REST) (ON | TO | AND)? NAME
pot: NAME NUMBER

attack: ATTACK path (COMMA? limit)* (COMMA? ELSE (STOP | PAUSE | CONTINUE))?
path: NAME FROM NAME            -> target_first
    | FROM? NAME (TO NAME)+     -> source_first
?limit: ONCE                            -> once
      | NUMBER ROLLS                    -> rolls
      | UNTIL_CAPTURED                  -> until_captured
      | ALL_IN                          -> all_in
      | KEEP NUMBER                     -> keep
      | LOSE NUMBER                     -> lose
      | WHILE ODDS AT_LEAST? share      -> while_odds
      | UNTIL NAME AT_MOST NUMBER       -> until
      | (WITH | FROM) NUMBER DICE       -> with_dice
      | (WITH | FROM) NUMBER ARMIES     -> with_armies
      | OCCUPY amount                   -> move_in
      | LEAVE NUMBER                    -> leave
amount: NUMBER | ALL | LEAST
occupy: OCCUPY amount

fortify: FORTIFY (NUMBER ARMIES? | ALL (BUT NUMBER)?) FROM NAME (TO | ON) NAME
flow: END | STOP | PAUSE | CONTINUE | TAKE_BACK

claim: CLAIM want (joint want)*
want: NAME | REGION | NEAREST | ANY
fill: FILL pot (joint? pot)*
avoid: AVOID REGION (joint REGION)*

%import common.WS
%ignore WS
"""


def _terminals() -> Iterator[str]:
    """Each class is a terminal; its text carries the place of the token in the line."""
    names = ["REGION", "UNSURE", *(word.value for word in Word if word not in IDLE)]
    yield from (rf"{name}: /\b{name}#\d+/" for name in names)


def _terminal(token: Scanned) -> str:
    """The class of a token; a name is a territory, a continent or neither for certain."""
    if token.word is not Word.NAME:
        return token.word.value
    match token.places:
        case (), (_,):
            return "REGION"
        case (_,), ():
            return "NAME"
    return "UNSURE"


@cache
def _parser() -> Lark:
    return Lark("\n".join([GRAMMAR, *_terminals()]), parser="earley", ambiguity="explicit")


def read(line: str, language: str) -> list[Sentence]:
    """Every way to read a line of one sentence; none if the grammar does not have it."""
    tokens = [t for t in scan(line, lexicon(language, WORLD)) if t.word not in IDLE]
    while tokens and tokens[-1].word in (Word.PERIOD, Word.COMMA, Word.THEN):
        tokens.pop()
    text = " ".join(f"{_terminal(token)}#{place}" for place, token in enumerate(tokens))
    try:
        tree = _parser().parse(text)
    except UnexpectedInput:
        return []
    return [_Values(tokens).transform(one) for one in _each(tree)]


def _each(tree: Tree[Token]) -> list[Tree[Token]]:
    """The parses of an ambiguous tree; the ambiguity is at its root, or there is none."""
    if any(found.data == "_ambig" for found in tree.iter_subtrees()):
        return [child for child in tree.children if isinstance(child, Tree)] * 2
    return [tree]


Parts = list[Any]


class _Values(Transformer[Token, Sentence]):
    """From the tree to the values of a plan."""

    def __init__(self, tokens: Sequence[Scanned]) -> None:
        super().__init__()
        self.tokens = tokens

    def __default_token__(self, token: Token) -> Scanned:
        return self.tokens[int(token.split("#")[1])]

    def start(self, parts: Parts) -> Any:
        guard, *orders = parts
        return Sentence(tuple(o for o in orders if not isinstance(o, Scanned)), guard)

    def guarded(self, parts: Parts) -> Any:
        conditions = tuple(part for part in parts if not isinstance(part, Scanned))
        return Guard(conditions, parts[0].word is Word.UNLESS)

    def otherwise(self, _parts: Parts) -> Any:
        return Else()

    def captured(self, parts: Parts) -> Any:
        return plan.Captured(_name(parts), _denied(parts))

    def hold(self, parts: Parts) -> Any:
        return plan.Hold(_any_name(parts[-1]), _denied(parts))

    def lack(self, parts: Parts) -> Any:
        return plan.Hold(_any_name(parts[-1]), negated=True)

    def share(self, parts: Parts) -> Any:
        return parts[0]

    def at_least(self, parts: Parts) -> Any:
        return plan.Armies(_name(parts), _number(parts))

    def at_most(self, parts: Parts) -> Any:
        return plan.Armies(_name(parts), _number(parts), at_most=True)

    def chance(self, parts: Parts) -> Any:
        return plan.Chance(parts[-1].value, parts[1].word is Word.AT_MOST)

    def no_card(self, _parts: Parts) -> Any:
        return plan.NoCard()

    def eliminated(self, parts: Parts) -> Any:
        return plan.Eliminated(_denied(parts))

    def trade(self, parts: Parts) -> Any:
        words = [part.word for part in parts if isinstance(part, Scanned)]
        bonus = _name(parts) if Word.BONUS in words else None
        if Word.AUTO in words or Word.NONE in words:
            return Trade(Trading.AUTO if Word.AUTO in words else Trading.NONE, bonus)
        return Trade(tuple(part for part in parts if not isinstance(part, Scanned)), bonus)

    def card(self, parts: Parts) -> Any:
        (token,) = parts
        if token.word is Word.WILD:
            return WILD
        return token.value if token.word is Word.NUMBER else Card(token.places.territories[0])

    def place(self, parts: Parts) -> Any:
        return Place(tuple(part for part in parts if isinstance(part, Spot)))

    def capital(self, parts: Parts) -> Any:
        return Capital(_name(parts))

    def place_neutral(self, parts: Parts) -> Any:
        return PlaceNeutral(tuple(part for part in parts if isinstance(part, Spot)))

    def joint(self, _parts: Parts) -> Any:
        return Discard

    def pot(self, parts: Parts) -> Any:
        return Spot(_name(parts), _number(parts))

    def spot(self, parts: Parts) -> Any:
        first = parts[0]
        return Spot(_name(parts), first.value if first.word is Word.NUMBER else Amount.REST)

    def target_first(self, parts: Parts) -> Any:
        target, source = _names(parts)
        return (source, target)

    def source_first(self, parts: Parts) -> Any:
        return tuple(_names(parts))

    def attack(self, parts: Parts) -> Any:
        order = Attack(next(part for part in parts if isinstance(part, tuple) and not _is(part)))
        for part in parts:
            if callable(part):
                order = part(order)
        last = {
            Word.STOP: Otherwise.STOP,
            Word.PAUSE: Otherwise.PAUSE,
            Word.CONTINUE: Otherwise.GO_ON,
        }
        ends = [last[p.word] for p in parts if isinstance(p, Scanned) and p.word in last]
        return replace(order, otherwise=ends[0] if ends else None)

    def once(self, _parts: Parts) -> Any:
        return _limited(rolls=1)

    def rolls(self, parts: Parts) -> Any:
        return _limited(rolls=_number(parts))

    def until_captured(self, _parts: Parts) -> Any:
        return lambda order: replace(_limited(all_in=True)(order), captured=True)

    def all_in(self, _parts: Parts) -> Any:
        return _limited(all_in=True)

    def keep(self, parts: Parts) -> Any:
        return _limited(keep=_number(parts))

    def lose(self, parts: Parts) -> Any:
        return _limited(lose=_number(parts))

    def with_dice(self, parts: Parts) -> Any:
        return _limited(exact_dice=_number(parts))

    def with_armies(self, parts: Parts) -> Any:
        return _limited(stake=_number(parts))

    def while_odds(self, parts: Parts) -> Any:
        return lambda order: replace(order, odds=parts[-1].value)

    def until(self, parts: Parts) -> Any:
        return lambda order: replace(order, until=(_name(parts), _number(parts)))

    def move_in(self, parts: Parts) -> Any:
        return lambda order: replace(order, move=parts[-1])

    def leave(self, parts: Parts) -> Any:
        return lambda order: replace(order, leave=_number(parts))

    def amount(self, parts: Parts) -> Any:
        said = {Word.ALL: Amount.ALL, Word.LEAST: Amount.LEAST}
        return said.get(parts[0].word, parts[0].value)

    def occupy(self, parts: Parts) -> Any:
        return Occupy(parts[-1])

    def fortify(self, parts: Parts) -> Any:
        source, target = _names(parts)
        if Word.ALL not in [part.word for part in parts]:
            return Fortify(source, target, _number(parts))
        numbers = [part.value for part in parts if part.word is Word.NUMBER]
        return Fortify(source, target, None, numbers[0] if numbers else 1)

    def flow(self, parts: Parts) -> Any:
        return Flow(parts[0].word.value.lower().replace("_", "-"))

    def claim(self, parts: Parts) -> Any:
        return Claim(tuple(part for part in parts if not isinstance(part, Scanned)))

    def want(self, parts: Parts) -> Any:
        said = {Word.NEAREST: Wish.NEAREST, Word.ANY: Wish.ANY}
        return said.get(parts[0].word) or _any_name(parts[0])

    def fill(self, parts: Parts) -> Any:
        return Fill(tuple(part for part in parts if isinstance(part, Spot)))

    def avoid(self, parts: Parts) -> Any:
        return Avoid(tuple(_any_name(part) for part in parts if part.word is Word.NAME))


def _is(part: object) -> bool:
    return isinstance(part, Scanned)


def _limited(**limits: Any) -> Callable[[Attack], Attack]:
    return lambda order: replace(order, limits=replace(order.limits or Limits(), **limits))


def _names(parts: Parts) -> Any:
    return [p.places.territories[0] for p in parts if _is(p) and p.word is Word.NAME]


def _name(parts: Parts) -> Any:
    names = _names(parts)
    return names[0] if names else None


def _any_name(token: Scanned) -> Any:
    return token.places.continents[0] if token.places.continents else token.places.territories[0]


def _number(parts: Parts) -> Any:
    return next(p.value for p in parts if _is(p) and p.word is Word.NUMBER)


def _denied(parts: Parts) -> Any:
    return any(_is(p) and p.word in (Word.NOT, Word.NO) for p in parts)
