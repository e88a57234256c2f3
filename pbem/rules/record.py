"""The record of a game as text, format ``conquest/1``, written from its events.

A record is enough to play the game again (`rules.replay`) and to prove every die (`rules.verify`):
a board of another maker stands in it whole. `rules.transcript` reads it. The public form hides the
faces of cards and missions until the game is over; both forms carry the same checksums.
docs/developers/record.md describes the format.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from pbem.rules.board import is_foreign, load
from pbem.rules.card import Card
from pbem.rules.dice import Faces
from pbem.rules.event import (
    CapitalsRevealed,
    Captured,
    CardDrawn,
    Claimed,
    Dealt,
    Eliminated,
    Event,
    Filled,
    Forsaken,
    Fortified,
    GameClosed,
    MissionDealt,
    Occupied,
    OrderRolled,
    Placed,
    Reshuffled,
    Rolled,
    TakenBack,
    Traded,
    TurnEnded,
    TurnStarted,
    Won,
    kind,
)
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat

FORMAT = "conquest/1"
TAGS = (
    "Record",
    "Game",
    "Board",
    "BoardText",
    "Rules",
    "Seats",
    "DiceCommit",
    "DeckCommit",
    "Luck",
    "DeckSeed",
)
SETUP_LINK = 1
HIDDEN = "?"
_A_LINE = 12
"""Claims and fillings on one line."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat: its letter, the colour of its pieces and the name shown."""

    seat: Seat
    colour: str
    name: str


@dataclass(frozen=True, slots=True)
class Header:
    """The tags of a record. Commitments are hexadecimal, `luck` the closed list of words.

    `deck_seed` is given only when the game is over: it tells every hand. `others` are tags that
    this version does not know.
    """

    game: str
    ruleset: Ruleset
    players: tuple[Player, ...]
    dice_commit: str
    deck_commit: str
    luck: str
    board_id: tuple[str, str | None] = ("classic-world", None)
    deck_seed: bytes | None = None
    others: Mapping[str, str] = field(default_factory=dict)


class Closed(NamedTuple):
    """What ends a turn: the checksum of the position after it, and its dice link, now shown."""

    checksum: str
    secret: bytes


class Roll(NamedTuple):
    """A roll as it stands in a record, ``101:662/43``."""

    number: int
    attacker: Faces
    defender: Faces

    def __str__(self) -> str:
        thrown = f"{self.number}:{_digits(self.attacker)}"
        return f"{thrown}/{_digits(self.defender)}" if self.defender else thrown


def write(
    header: Header, events: Iterable[Event], closed: Mapping[int, Closed], *, public: bool
) -> str:
    """The record of a game from all its events, the setup's first, with their cards' faces.

    `closed` has an entry for the link of every turn that is over (1 is the setup's). The public
    form hides faces as long as the game is not over. Raises KeyError for a closed turn without
    entry.
    """
    happened = tuple(events)
    over = any(isinstance(event, Won | GameClosed) for event in happened)
    lines = body(happened, closed, hidden=public and not over)
    return "\n".join((*_tags(header), "", *lines)) + "\n"


def body(events: Iterable[Event], closed: Mapping[int, Closed], *, hidden: bool) -> Iterator[str]:
    """The lines below the tags: a block for the setup, then one for each turn."""
    link, roll = SETUP_LINK, 1
    yield f"setup link {link}"
    for _, group in groupby(enumerate(events), _together):
        run = [event for _, event in group]
        match run[0]:
            case TurnStarted() as started:
                if link == SETUP_LINK:
                    yield _end(closed[link])
                link = started.link
                yield f"{started.turn} {started.seat} link {link}"
                yield f"  get {started.armies} = {_sum(started)}"
            case OrderRolled() as order:
                yield f"  order {_order(order, roll)}"
                roll += len(order.throws)
            case TurnEnded():
                yield _end(closed[link])
            case (Won() | GameClosed()) as last:
                yield f"  {_last(last)}"
                yield _end(closed[link])
            case MissionDealt(seat=seat, mission=mission):
                yield f"  mission {seat} {HIDDEN if hidden or mission is None else mission}"
            case CapitalsRevealed(capitals=capitals):
                yield f"  capital {' '.join(f'{seat}:{code}' for seat, code in capitals)}"
            case Dealt() | Claimed() | Filled():
                yield from (f"  {line}" for line in _setup_lines(run))
            case _:
                yield f"  {_turn_line(run, hidden=hidden)}"


def _together(numbered: tuple[int, Event]) -> tuple[object, ...]:
    """Events in a row with the same key share a line; all others have one of their own."""
    match numbered:
        case _, (Claimed() | Filled() | Placed()) as event:
            return (kind(event),)
        case _, (Rolled() | Captured() | Occupied()) as event:
            return ("attack", event.source, event.target)
        case number, _:
            return (number,)


def _setup_lines(run: Sequence[Event]) -> Iterator[str]:
    match run[0]:
        case Dealt(seat=seat, territories=territories):
            yield f"deal {seat} {' '.join(territories)}"
        case first:
            word = "claim" if isinstance(first, Claimed) else "fill"
            spots = [f"{e.seat}:{e.territory}" for e in run if isinstance(e, Claimed | Filled)]
            for start in range(0, len(spots), _A_LINE):
                yield f"{word} {' '.join(spots[start : start + _A_LINE])}"


def _turn_line(run: Sequence[Event], *, hidden: bool) -> str:
    match run[0]:
        case Traded() as traded:
            return _trade(traded, hidden=hidden)
        case Placed():
            spots = [f"{e.territory} {e.armies}" for e in run if isinstance(e, Placed)]
            return f"place {' '.join(spots)}"
        case TakenBack(placed=placed):
            return f"back {' '.join(f'{code} {armies}' for code, armies in placed)}"
        case Eliminated(seat=seat, cards=cards):
            return " ".join(("out", seat, *_faces(cards, hidden=hidden)))
        case Forsaken(seat=seat, cards=cards):
            return " ".join(("forsaken", seat, *_faces(cards, hidden=hidden)))
        case Reshuffled(cards=count):
            return f"shuffle {count}"
        case CardDrawn(card=card):
            return f"card {HIDDEN if hidden or card is None else card}"
        case Fortified(source=source, target=target, armies=armies):
            return f"fortify {source} {target} {armies}"
        case _:
            return _attack(run)


def _last(end: Won | GameClosed) -> str:
    match end:
        case Won(seat=seat, goal=goal):
            return f"won {seat} {goal}"
        case GameClosed(how=how, winner=None):
            return f"closed {how}"
        case GameClosed(how=how, winner=winner):
            return f"closed {how} {winner}"


def _sum(started: TurnStarted) -> str:
    parts = (started.armies_for_territories, *(bonus for _, bonus in started.continents))
    return "+".join(map(str, parts))


def _order(order: OrderRolled, first: int) -> str:
    rolls = (
        str(Roll(number, tuple(face for _, face in throws), ()))
        for number, throws in enumerate(order.throws, first)
    )
    return f"{' '.join(rolls)} first {order.first}"


def _trade(traded: Traded, *, hidden: bool) -> str:
    bonus = f" bonus {traded.bonus}" if traded.bonus else ""
    faces = " ".join(_faces(traded.cards, hidden=hidden))
    return f"trade {faces} for {traded.armies}{bonus}"


def _attack(run: Sequence[Event]) -> str:
    words = [word for event in run for word in _attack_words(event)]
    match run[0]:
        case Rolled(source=source, target=target):
            words.insert(0, f"attack {source} {target}")
    return " ".join(words)


def _attack_words(event: Event) -> Iterator[str]:
    match event:
        case Rolled():
            yield str(Roll(event.number, event.attacker, event.defender))
            yield f"{event.attacker_lost}-{event.defender_lost}"
        case Occupied(armies=armies):
            yield f"take {armies}"


def _faces(cards: Sequence[Card], *, hidden: bool) -> Sequence[str]:
    return [HIDDEN] * len(cards) if hidden else cards


def _digits(faces: Faces) -> str:
    return "".join(map(str, faces))


def _end(closed: Closed) -> str:
    return f"  end ={closed.checksum} secret {closed.secret.hex()}"


def _tags(header: Header) -> Iterator[str]:
    board, variant = header.board_id
    options = (f"{key}={value}" for key, value in header.ruleset.changes().items())
    tags = {
        "Record": FORMAT,
        "Game": header.game,
        "Board": board if variant is None else f"{board}/{variant}",
        **({"BoardText": load(board).source} if is_foreign(board) else {}),
        "Rules": " ".join((header.ruleset.name, *options)),
        "Seats": " ".join(f"{p.seat}={p.colour}:{p.name}" for p in header.players),
        "DiceCommit": header.dice_commit,
        "DeckCommit": header.deck_commit,
        "Luck": header.luck,
        **({"DeckSeed": header.deck_seed.hex()} if header.deck_seed else {}),
        **header.others,
    }
    for name, value in tags.items():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{escaped}"]'
