"""Whether letters keep hands secret: a card of another's hand must never stand by its symbol.

Who held which card when is known from the full record, played again after the game.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pbem.rules.board import load
from pbem.rules.event import CardDrawn, Eliminated, Traded, TurnStarted
from pbem.rules.replay import replay
from pbem.rules.transcript import read
from tests.journey.letter import SYMBOLS, Letter

MAP = load("classic-world")
NAMES = {name: code for code, land in MAP.territories.items() for name in (land.name, code)}
WORDS = {"infantry": "soldier", "cavalry": "horse", "artillery": "cannon"}
"""What letters call the symbols of the cards."""
_TAG = re.compile(r"<[^>]+>")
_GAP = r"[\s:,;=|()\[\]./-]{0,40}"
_LANDS = "|".join(sorted(map(re.escape, NAMES), key=len, reverse=True))
_FACES = "|".join(SYMBOLS)
PAIRS = (
    re.compile(rf"\b(?P<land>{_LANDS})\b{_GAP}\b(?P<symbol>{_FACES})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<symbol>{_FACES})\b{_GAP}\b(?P<land>{_LANDS})\b", re.IGNORECASE),
)

Held = Mapping[tuple[str, int], set[str]]
"""By seat and turn: every card that the seat held at any moment of the turn."""


def held(record: str) -> Held:
    """Who held what in each turn of a full record."""
    hands: dict[str, list[str]] = defaultdict(list)
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    turn = 0
    for event in replay(read(record)).events:
        match event:
            case TurnStarted():
                turn = event.turn
            case CardDrawn() if event.card is not None:
                hands[event.seat].append(event.card)
            case Traded():
                for card in event.cards:
                    hands[event.seat].remove(card)
            case Eliminated():
                hands[event.by] += hands.pop(event.seat, [])
        for seat, cards in hands.items():
            found[seat, turn] |= set(cards)
    return found


def shown(letter: Letter) -> Iterator[str]:
    """The cards whose name stands by their own symbol, in any part of the letter."""
    text = " ".join(_TAG.sub(" ", letter.all_parts).split())
    for pattern in PAIRS:
        for pair in pattern.finditer(text):
            code = next(c for name, c in NAMES.items() if name.lower() == pair["land"].lower())
            if pair["symbol"].lower() == WORDS[MAP.territories[code].symbols["hasbro"]]:
                yield code


def leaks(letters: Iterable[Letter], seat: str, cards: Held) -> list[str]:
    """What letters to a seat tell of cards that it did not hold in that turn or the one before."""
    found = []
    for letter in letters:
        turn = int(letter.state["turn"])
        own = cards.get((seat, turn), set()) | cards.get((seat, turn - 1), set())
        found += [f"{letter.kind} of turn {turn}: {c}" for c in shown(letter) if c not in own]
        if not own and any(re.search(rf"\b{word}s?\b", letter.all_parts) for word in SYMBOLS):
            found.append(f"{letter.kind} of turn {turn}: a symbol without a card")
    return found
