"""Sample order mails: written from plans, then bent as people and their phones bend them.

A sample knows what was meant, so that reading it can be judged. The same seed gives the same mails.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pbem.orders import plan, write
from pbem.orders.lexicon import lexicon
from pbem.orders.plan import (
    Amount,
    Attack,
    Avoid,
    Claim,
    Else,
    Fill,
    Flow,
    Fortify,
    Guard,
    Otherwise,
    Place,
    Sentence,
    Spot,
    Trade,
    Trading,
    Wish,
)
from pbem.orders.reader import read
from pbem.orders.sheet import Sheet, Table
from pbem.orders.spelling import fold, words
from pbem.orders.word import Word
from pbem.rules import board as boards
from pbem.rules.board import Board, Code, ContinentId
from pbem.rules.card import WILD, Card
from pbem.rules.odds import Limits

BOARD: Board = boards.load()
CODES = BOARD.codes

EXCHANGED = (
    Word.PLACE,
    Word.FORTIFY,
    Word.END,
    Word.TRADE,
    Word.ONCE,
    Word.ALL_IN,
    Word.UNTIL_CAPTURED,
    Word.REST,
    Word.STOP,
    Word.PAUSE,
    Word.ELSE,
    Word.ROLLS,
    Word.ARMIES,
)
"""Classes whose printed word may be exchanged for another word of the class where it stands."""

GREETINGS = {
    "en": ("Hi, here are my orders:", "Hello!", "Good luck to all"),
    "it": ("Ciao a tutti!", "Buongiorno,", "Saluti"),
    "nl": ("Hallo allemaal,", "Goedemorgen!", "Groeten"),
    "sl": ("Živjo!", "Pozdravljeni,", "Lep pozdrav"),
}


COURTESY = {
    "en": ("please", "thanks", "I want to", "I'd like to", "Now", "then", "And", "OK,"),
    "it": ("per favore", "grazie", "vorrei", "adesso", "poi", "e poi", "Ok,"),
    "nl": ("alsjeblieft", "bedankt", "graag", "nu", "dan", "en dan", "Oké,"),
    "sl": ("prosim", "hvala", "rad bi", "zdaj", "potem", "in potem", "V redu,"),
}
"""Please, thanks, and what people begin a wish with."""

AUTOCORRECT = {
    "en": (
        ("Siam", "Sam"),
        ("Peru", "Per"),
        ("Ural", "Rural"),
        ("Egypt", "Crypt"),
        ("once", "one"),
        ("leave", "leaf"),
        ("fortify", "forty"),
        ("place", "please"),
        ("keep", "kept"),
        ("attack", "attach"),
        ("from", "form"),
        ("rolls", "roles"),
        ("Congo", "Conga"),
        ("in", "on"),
        ("end", "and"),
        ("China", "chin"),
        ("if", "of"),
    ),
    "it": (
        ("Siam", "siamo"),
        ("Cina", "cima"),
        ("Urali", "orali"),
        ("metti", "mette"),
        ("tieni", "tiene"),
        ("lascia", "lascio"),
        ("verso", "verde"),
        ("una volta", "una svolta"),
        ("sposta", "posta"),
        ("dal", "del"),
        ("fine", "fino"),
        ("Egitto", "affitto"),
        ("se", "sé"),
    ),
    "nl": (
        ("Japan", "Jaap"),
        ("houd", "goud"),
        ("plaats", "plaat"),
        ("val", "van"),
        ("klaar", "klaas"),
        ("naar", "naast"),
        ("laat", "last"),
        ("een keer", "een meer"),
        ("aan", "an"),
        ("met", "mee"),
        ("op", "of"),
        ("als", "ald"),
        ("Peru", "per"),
    ),
    "sl": (
        ("Siam", "sam"),
        ("Ural", "vral"),
        ("postavi", "postava"),
        ("obdrži", "obrazi"),
        ("pusti", "puste"),
        ("enkrat", "enkraten"),
        ("napadi", "napade"),
        ("v", "b"),
        ("iz", "is"),
        ("če", "ce"),
        ("sicer", "sicet"),
        ("na", "ba"),
        ("Peru", "pero"),
    ),
}
"""Words as they stand in orders, and what a phone puts in their place."""


class Outcome(StrEnum):
    """What reading made of a sample."""

    MEANT = "meant"
    ASKED = "asked"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Sample:
    """A mail of a player who writes in that language, and what is meant by it."""

    language: str
    lines: tuple[str, ...]
    meant: tuple[Sentence, ...]

    def read(self) -> Sheet:
        """The mail as it is read."""
        return read(self.lines, self.language, Table(BOARD))

    def judge(self) -> Outcome:
        """Whether it was read as meant; a mail with a mistake is asked about, and nothing done."""
        sheet = self.read()
        if sheet.mistakes or not sheet.lines or _asks_for_three(sheet):
            return Outcome.ASKED
        said = tuple(sentence for line in sheet.lines for sentence in line.sentences)
        return Outcome.MEANT if said == self.meant else Outcome.OTHER


def _asks_for_three(sheet: Sheet) -> bool:
    """A trade of fewer than three cards is read, and no position lets it be played (E12)."""
    said = (sentence for line in sheet.lines for sentence in line.sentences)
    trades = (order for sentence in said for order in sentence.orders if isinstance(order, Trade))
    return any(not isinstance(t.cards, Trading) and len(t.cards) != 3 for t in trades)


def samples(language: str, count: int, seed: int) -> Iterator[Sample]:
    """So many mails of one language."""
    rng = random.Random(f"{seed}/{language}")
    for _ in range(count):
        yield _sample(language, rng)


def _sample(language: str, rng: random.Random) -> Sample:
    meant = tuple(_setup(rng) if rng.random() < 0.1 else _turn(rng))
    clean = [write.sentence(said, language, BOARD) for said in meant]
    lines = [_bent(line, language, rng) if rng.random() < 0.7 else line for line in clean]
    if rng.random() < 0.3:
        lines = [*_framed(lines, language, rng)]
    return Sample(language, tuple(lines), meant)


def _framed(lines: Sequence[str], language: str, rng: random.Random) -> Iterator[str]:
    """With a greeting above, or a signature below."""
    greeting, *_, closing = GREETINGS[language]
    yield from (greeting, "") if rng.random() < 0.6 else ()
    yield from lines
    yield from ("", closing, "Anna") if rng.random() < 0.6 else ()


# -- what is meant ---------------------------------------------------------------------------------


def _turn(rng: random.Random) -> Iterator[Sentence]:
    if rng.random() < 0.25:
        yield Sentence((_trade(rng),))
    if rng.random() < 0.7:
        yield Sentence((_place(rng),))
    for _ in range(rng.randint(1, 3)):
        yield Sentence((_attack(rng),))
        if rng.random() < 0.35:
            yield Sentence((_attack(rng),), _guard(rng))
    if rng.random() < 0.4:
        yield Sentence((_fortify(rng),))
    if rng.random() < 0.6:
        yield Sentence((Flow.END,))


def _setup(rng: random.Random) -> Iterator[Sentence]:
    continents = list(BOARD.continents)
    wants: list[Code | ContinentId | Wish] = [
        *rng.sample(CODES, 2),
        rng.choice(continents),
        Wish.NEAREST,
    ]
    yield Sentence((Claim(tuple(wants[: rng.randint(1, 4)])),))
    yield Sentence((Fill(tuple(Spot(code, rng.randint(1, 9)) for code in rng.sample(CODES, 2))),))
    if rng.random() < 0.5:
        yield Sentence((Avoid((rng.choice(continents),)),))


def _trade(rng: random.Random) -> Trade:
    cards: list[tuple[plan.CardName, ...] | Trading] = [
        (1, 2, 3),
        (2, 4, 5),
        (*(Card(code) for code in rng.sample(CODES, 2)), WILD),
        Trading.AUTO,
        Trading.NONE,
    ]
    chosen = rng.choice(cards)
    bonus = rng.choice(CODES) if chosen is not Trading.NONE and rng.random() < 0.3 else None
    return Trade(chosen, bonus)


def _place(rng: random.Random) -> Place:
    spots = [Spot(code, rng.randint(1, 12)) for code in rng.sample(CODES, rng.randint(1, 3))]
    if rng.random() < 0.3:
        spots[-1] = Spot(spots[-1].territory, Amount.REST)
    return Place(tuple(spots))


def _attack(rng: random.Random) -> Attack:
    count = rng.choice((2, 2, 2, 2, 3, 4))
    move, leave = rng.choice(
        [(None, None), (None, None), (rng.randint(1, 9), None), (Amount.ALL, None), (None, 2)]
    )
    return Attack(
        tuple(rng.sample(CODES, count)),
        limits := _limits(rng),
        captured=limits.all_in and rng.random() < 0.5,
        odds=rng.choice([None] * 5 + [60]),
        until=rng.choice([None] * 6 + [(rng.choice(CODES), 2)]),
        move=move,
        leave=leave,
        otherwise=rng.choice([None, None, None, *Otherwise]),
    )


def _limits(rng: random.Random) -> Limits:
    return rng.choice(
        [
            Limits(),
            Limits(),
            Limits(all_in=True),
            Limits(keep=rng.randint(1, 9)),
            Limits(lose=rng.randint(1, 9)),
            Limits(rolls=rng.choice((1, 2, 3))),
            Limits(stake=rng.randint(2, 9)),
            Limits(exact_dice=rng.randint(1, 3)),
            Limits(keep=rng.randint(2, 9), lose=rng.randint(1, 9)),
        ]
    )


def _fortify(rng: random.Random) -> Fortify:
    source, target = rng.sample(CODES, 2)
    armies, but = rng.choice([(rng.randint(1, 9), None), (None, 1), (None, 3)])
    return Fortify(source, target, armies, but)


def _guard(rng: random.Random) -> Guard | Else:
    code, negated = rng.choice(CODES), rng.random() < 0.3
    conditions: list[plan.Condition] = [
        plan.Captured(None, negated),
        plan.Captured(code, negated),
        plan.Hold(code, negated),
        plan.Hold(rng.choice(list(BOARD.continents)), negated),
        plan.Armies(code, rng.randint(2, 9), rng.random() < 0.5),
        plan.Chance(rng.choice((50, 70)), rng.random() < 0.3),
        plan.NoCard(),
        plan.Eliminated(negated),
    ]
    said = Guard((rng.choice(conditions),), unless=rng.random() < 0.15)
    return Else() if rng.random() < 0.2 else said


# -- how it is written -----------------------------------------------------------------------------

Bend = Callable[[str, str, random.Random], str]


def _bent(line: str, language: str, rng: random.Random) -> str:
    """The line with one or two bends, one of them perhaps a slip of the pen."""
    bends = dict.fromkeys(rng.sample(BENDS, rng.choice((1, 1, 2))))
    if _autocorrect in bends:
        bends.pop(_slip, None)  # a phone that corrects lets no slip stand
    for bend in sorted(bends, key=lambda bend: bend is _bullet):
        line = bend(line, language, rng)
    return line


def _slip(line: str, _language: str, rng: random.Random) -> str:
    """One letter put in, left out, changed, or two neighbours swapped, in a longer word."""
    places = [found.span() for found in re.finditer(r"[^\W\d_]{4,}", line)]
    start, end = rng.choice(places) if places else (0, 0)
    if start == end:
        return line
    at, letter = rng.randrange(start, end - 1), rng.choice("abcdefghijklmnoprstuvz")
    return rng.choice(
        [
            line[:at] + letter + line[at:],
            line[:at] + line[at + 1 :],
            line[:at] + letter + line[at + 1 :],
            line[:at] + line[at + 1] + line[at] + line[at + 2 :],
        ]
    )


def _capitals(line: str, _language: str, rng: random.Random) -> str:
    return rng.choice([line.upper(), line.lower(), line.title(), line[:1].upper() + line[1:]])


def _bullet(line: str, _language: str, rng: random.Random) -> str:
    return rng.choice(["- ", "* ", "• ", "1. ", "2) ", "(a) ", "– "]) + line


def _punctuation(line: str, _language: str, rng: random.Random) -> str:
    return rng.choice(
        [
            f"{line}.",
            f"{line}!",
            f"{line};",
            f"{line},",
            line.replace(", ", ","),
            line.replace(",", " ,"),
            line.replace(", ", "  "),
            line.replace(" ", "  "),
            f"  {line}  ",
            line.replace(" ", "\u00a0"),
        ]
    )


def _phone(line: str, _language: str, rng: random.Random) -> str:
    """Smart signs, a capital and a point that came by themselves, accents that got lost."""
    return rng.choice(
        [
            line.replace("'", "’"),
            line[:1].upper() + line[1:] + ". ",
            line.replace("->", "→").replace("-", "–"),
            fold(line),
            line.replace(" ", "\u2009", 1),
            f"“{line}”",
            line.replace("%", " %"),
            f'"{line}"',
            f"‘{line}’",
            f"{line}…",
        ]
    )


def _courtesy(line: str, language: str, rng: random.Random) -> str:
    please, thanks = COURTESY[language][:2]
    wish = rng.choice(COURTESY[language][2:])
    return rng.choice(
        [
            f"{please} {line}",
            f"{line}, {please}",
            f"{line} {please}",
            f"{line}. {thanks}!",
            f"{line}, {thanks}",
            f"{wish} {line}",
        ]
    )


def _autocorrect(line: str, language: str, rng: random.Random) -> str:
    """One word put in the place of another by a phone that knows better."""
    here = [wrong for wrong in AUTOCORRECT[language] if _stands(wrong[0], line)]
    if not here:
        return line
    written, put = rng.choice(here)
    return re.sub(rf"\b{re.escape(written)}\b", put, line, count=1)


def _left_out(line: str, language: str, rng: random.Random) -> str:
    """A preposition, a comma or an article left out."""
    known = lexicon(language, BOARD)
    small = [
        found.span()
        for found in re.finditer(r"[^\W\d_]{1,8}(?:['’]|\b)|,", line)
        if found[0] == ","
        or known.phrases.get(words(found[0]), (None,))[0]
        in (Word.FROM, Word.TO, Word.ON, Word.WITH)
    ]
    if not small:
        return line
    start, end = rng.choice(small)
    return " ".join((line[:start] + " " + line[end:]).split())


def _arrows(line: str, language: str, rng: random.Random) -> str:
    """Arrows for TO, signs for AND, and what phones put between words."""
    to = lexicon(language, BOARD).printed[Word.TO]
    return rng.choice(
        [
            re.sub(rf" {to} ", rng.choice([" -> ", " → ", "->", " => "]), line),
            f"{line} {rng.choice(['🙂', '💪', '👍', '⚔️', '😀 '])}",
            f"{rng.choice(['⚔️', '👉', '➡️ ', '🎲'])} {line}",
            line.replace(", ", ",\u00a0"),
            line.replace(" ", "\u200b ", 1),
            line.replace(";", "."),
        ]
    )


def _other_word(line: str, language: str, rng: random.Random) -> str:
    """Another word of the same class for one that stands there."""
    known = lexicon(language, BOARD)
    said = [word for word in EXCHANGED if _stands(known.printed[word], line)]
    if not said:
        return line
    word = rng.choice(said)
    others = [" ".join(p) for p, (meaning, _) in known.phrases.items() if meaning is word]
    return re.sub(rf"\b{re.escape(known.printed[word])}\b", rng.choice(others), line, count=1)


def _stands(printed: str, line: str) -> bool:
    return re.search(rf"\b{re.escape(printed)}\b", line) is not None


def _short_name(line: str, language: str, rng: random.Random) -> str:
    """A territory by its code, or by the beginning of its name if no other begins so."""
    printer, known = write.Printer(language, BOARD), lexicon(language, BOARD)
    spelt = {said: code for code in CODES for said in _bent_names(printer, code)}
    here = [name for name in spelt if _stands(name, line)]
    if not here:
        return line
    name = max(here, key=len)
    cut = name[: rng.randint(4, max(4, len(name)))]
    places = known.beginnings.get(words(cut))
    unique = places is not None and places.territories == (spelt[name],) and not places.continents
    is_word = words(cut) in known.phrases
    shorter = cut if unique and not is_word and rng.random() < 0.5 else str(spelt[name])
    return re.sub(rf"\b{re.escape(name)}\b", shorter, line, count=1)


def _bent_names(printer: write.Printer, code: Code) -> Iterator[str]:
    """A territory's name as it stands in orders, without the preposition of its case."""
    name = printer.name(code)
    small = re.compile(r"^(?:[^\W\d_]{1,5}['\s])")
    for case in ("object", "to", "from"):
        said = printer.name(code, case)
        yield said if said.split()[0] == name.split()[0] else small.sub("", said)


def _number_word(line: str, language: str, rng: random.Random) -> str:
    """A number as a word."""
    known = lexicon(language, BOARD)
    numbers = ((p, value) for p, (word, value) in known.phrases.items() if word is Word.NUMBER)
    spelt = {value: " ".join(phrase) for phrase, value in numbers}
    here = [found for found in re.finditer(r"\b\d+\b(?!%)", line) if int(found[0]) in spelt]
    if not here:
        return line
    found = rng.choice(here)
    return line[: found.start()] + spelt[int(found[0])] + line[found.end() :]


BENDS: tuple[Bend, ...] = (
    _slip,
    _slip,
    _capitals,
    _bullet,
    _punctuation,
    _phone,
    _courtesy,
    _autocorrect,
    _left_out,
    _arrows,
    _other_word,
    _short_name,
    _number_word,
)
"""Slips of the pen are twice as likely as the others."""
