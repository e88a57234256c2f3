"""The record of a game as text, format ``conquest/1``, written from its events.

A record is enough to play the game again (`rules.replay`) and to prove every die (`rules.verify`):
a board of another maker stands in it whole. `rules.transcript` reads it. The public form hides the
faces of cards and missions until the game is over; both forms carry the same checksums.
docs/developers/record.md describes the format.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from typing import NamedTuple

from pbem.rules.board import is_foreign, load
from pbem.rules.branching import SETUP_LINK, counting, undone
from pbem.rules.card import Card
from pbem.rules.dice import Faces
from pbem.rules.event import (
    CapitalsRevealed,
    Captured,
    CardDrawn,
    Claimed,
    Dealt,
    DiceRenewed,
    Eliminated,
    Event,
    Filled,
    Forsaken,
    Fortified,
    GameClosed,
    HandSet,
    MissionDealt,
    Occupied,
    OrderRolled,
    Overruled,
    Placed,
    Reshuffled,
    Rolled,
    RolledBack,
    RuleSet,
    TakenBack,
    TerritorySet,
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
HIDDEN = "?"
GM = "@gm"
ROLLBACK = "rollback"
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
    form hides faces as long as the game is not over. Events that a rollback left out are there
    too, marked. Raises KeyError for a closed turn without entry.
    """
    happened = tuple(events)
    over = any(isinstance(event, Won | GameClosed) for event in counting(happened))
    lines = body(happened, closed, hidden=public and not over)
    return "\n".join((*_tags(header), "", *lines)) + "\n"


class _Place(NamedTuple):
    """Where the writing stands: the dice link, the number of the setup's next roll."""

    link: int = SETUP_LINK
    roll: int = 1
    in_setup: bool = True


def body(events: Iterable[Event], closed: Mapping[int, Closed], *, hidden: bool) -> Iterator[str]:
    """The lines below the tags: a block for the setup, then one for each turn.

    Lines that a rollback left out begin with ``~`` and the number of the branch that it opened.
    """
    happened = tuple(events)
    # At the end of a game everybody is told all missions, and a rollback does not make them secret.
    hides = _Hides(hidden, hidden and not any(isinstance(event, Won) for event in happened))
    places = [_Place()]
    yield f"setup link {SETUP_LINK}"
    for (mark, *_), group in groupby(zip(undone(happened), count(), happened), _together):
        run = [event for _, _, event in group]
        for line in _lines(run, places[-1], closed, hides):
            yield line if mark is None else f"~{mark} {line}"
        places += [_after(run[0], places)] * len(run)


class _Hides(NamedTuple):
    """What the record leaves out."""

    cards: bool
    missions: bool


def _lines(  # noqa: C901  # one arm an event
    run: Sequence[Event], at: _Place, closed: Mapping[int, Closed], hides: _Hides
) -> Iterator[str]:
    match run[0]:
        case TurnStarted() as started:
            if at.in_setup:
                yield _end(closed[at.link])
            yield f"{started.turn} {started.seat} link {started.link}"
            yield f"  get {started.armies} = {_sum(started)}"
        case OrderRolled() as order:
            yield f"  order {_order(order, at.roll)}"
        case TurnEnded():
            yield _end(closed[at.link])
        case (Won() | GameClosed()) as last:
            yield f"  {_last(last)}"
            yield _end(closed[at.link])
        case MissionDealt(seat=seat, mission=mission):
            yield f"  mission {seat} {HIDDEN if hides.missions or mission is None else mission}"
        case CapitalsRevealed(capitals=capitals):
            yield f"  capital {' '.join(f'{seat}:{code}' for seat, code in capitals)}"
        case Dealt() | Claimed() | Filled():
            yield from (f"  {line}" for line in _setup_lines(run))
        case (Overruled() | RolledBack()) as mark:
            yield _gm_line(mark)
        case (TerritorySet() | HandSet() | RuleSet() | DiceRenewed()) as given:
            yield f"  {_given(given, hidden=hides.cards)}"
        case _:
            yield f"  {_turn_line(run, hidden=hides.cards)}"


def _after(event: Event, places: Sequence[_Place]) -> _Place:
    """Where the writing stands behind the event; `places` are those behind each one before it."""
    at = places[-1]
    match event:
        case TurnStarted(link=link):
            return _Place(link, at.roll, in_setup=False)
        case OrderRolled(throws=throws):
            return at._replace(roll=at.roll + len(throws))
        case DiceRenewed(link=link, roll=roll):
            return at._replace(link=link, roll=roll)
        case RolledBack(to=to):
            return places[to]
        case _:
            return at


def _gm_line(mark: Overruled | RolledBack) -> str:
    match mark:
        case Overruled(act=act, words=words):
            told: tuple[object, ...] = (act, *words)
        case RolledBack(branch=branch):
            told = (ROLLBACK, branch)
    return f"{GM} {' '.join(map(str, told))} by {mark.by} {quoted(mark.reason)}"


def _given(event: TerritorySet | HandSet | RuleSet | DiceRenewed, *, hidden: bool) -> str:
    match event:
        case TerritorySet(territory=code, seat=seat, armies=armies):
            return f"set {code} {seat} {armies}"
        case HandSet(seat=seat, cards=cards, dropped=dropped, drawn=drawn):
            faces = _faces(cards, hidden=hidden)
            return " ".join(("hand", seat, f"-{dropped}", f"+{drawn}", *faces))
        case RuleSet(option=option, value=value):
            return f"rule {option} {value}"
        case DiceRenewed(link=link, roll=roll):
            return f"dice link {link} roll {roll}"


def quoted(text: str) -> str:
    """A text in quotes, as it stands in tags and in the game master's lines."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _together(placed: tuple[int | None, int, Event]) -> tuple[object, ...]:
    """Events in a row with the same key share a line; all others have one of their own."""
    match placed:
        case mark, _, (Claimed() | Filled() | Placed()) as event:
            return (mark, kind(event))
        case mark, _, (Rolled() | Captured() | Occupied()) as event:
            return (mark, "attack", event.source, event.target)
        case mark, number, _:
            return (mark, number)


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
        yield f"[{name} {quoted(value)}]"
