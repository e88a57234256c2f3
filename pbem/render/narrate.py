"""Events gathered into deeds, as people tell them: battles, placements, trades, whole turns.

A deed holds facts only; the sentences stand in `templates/mail/_deeds.j2`, by the deed's `kind`.
What comes in must be the reader's own (`rules.view.visible`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar, assert_never

from pbem.rules.board import Code, ContinentId
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
)
from pbem.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class Started:
    """A turn began with so many armies: for the territories, and for each continent held."""

    kind: ClassVar[str] = "started"
    seat: Seat
    turn: int
    armies: int
    territories: int
    armies_for_territories: int
    continents: tuple[tuple[ContinentId, int], ...]


@dataclass(frozen=True, slots=True)
class Trade:
    """A set was traded; `cards` only if they were the reader's."""

    kind: ClassVar[str] = "trade"
    seat: Seat
    cards: tuple[Card, ...]
    armies: int
    bonus: Code | None


@dataclass(frozen=True, slots=True)
class Placement:
    """Armies that a seat put down in a row, by territory in the order of the first."""

    kind: ClassVar[str] = "placement"
    seat: Seat
    spots: tuple[tuple[Code, int], ...]

    @property
    def armies(self) -> int:
        """All armies of the placement."""
        return sum(armies for _, armies in self.spots)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Armies placed in this turn that the seat took up again, by territory."""

    kind: ClassVar[str] = "withdrawal"
    seat: Seat
    spots: tuple[tuple[Code, int], ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """One numbered roll, each side's faces from the highest down."""

    number: int
    attacker: Faces
    defender: Faces


@dataclass(frozen=True, slots=True)
class Battle:
    """All rolls in a row from one territory against another, and how it ended.

    `loser` is the seat that lost the territory, None if it held; `moved` the armies that went in.
    """

    kind: ClassVar[str] = "battle"
    seat: Seat
    source: Code
    target: Code
    rolls: tuple[Roll, ...] = ()
    lost: int = 0
    killed: int = 0
    loser: Seat | None = None
    moved: int = 0


@dataclass(frozen=True, slots=True)
class Elimination:
    """A seat is out; `cards` went to `seat`, known only if that is the reader."""

    kind: ClassVar[str] = "elimination"
    seat: Seat
    out: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A card was drawn; None: another's."""

    kind: ClassVar[str] = "draw"
    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Move:
    """The fortify of a turn."""

    kind: ClassVar[str] = "move"
    seat: Seat
    source: Code
    target: Code
    armies: int


@dataclass(frozen=True, slots=True)
class Victory:
    """The game ended; `goal` is ``world`` or the id of the mission that was done."""

    kind: ClassVar[str] = "victory"
    seat: Seat
    goal: str


@dataclass(frozen=True, slots=True)
class Share:
    """What a seat got in the setup: territories in their order, armies put on them later."""

    kind: ClassVar[str] = "share"
    seat: Seat
    territories: tuple[Code, ...]
    spots: tuple[tuple[Code, int], ...] = ()


Deed = Started | Trade | Placement | Withdrawal | Battle | Elimination | Draw | Move | Victory


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did in a row; `battled` whether it attacked at all."""

    seat: Seat
    deeds: tuple[Deed, ...]

    @property
    def battled(self) -> bool:
        """Whether a die was thrown."""
        return any(isinstance(deed, Battle) for deed in self.deeds)


def narrate(events: Iterable[Event]) -> tuple[Deed, ...]:
    """The deeds of a turn, or of part of one, in their order. The setup's events tell none."""
    deeds: list[Deed] = []
    for event in events:
        for deed in _deed(event):
            _tell(deeds, deed)
    return tuple(deeds)


def turns(events: Iterable[Event]) -> tuple[Turn, ...]:
    """The deeds seat by seat, as each was on turn."""
    return tuple(Turn(seat, tuple(deeds)) for seat, deeds in groupby(narrate(events), key=_acting))


def shares(events: Iterable[Event]) -> tuple[Share, ...]:
    """What the setup gave to each seat, seats in the order in which they first got something."""
    found: dict[Seat, Share] = {}
    for event in events:
        if not isinstance(event, Dealt | Claimed | Filled):
            continue
        share = found.get(event.seat, Share(event.seat, ()))
        match event:
            case Dealt(territories=territories):
                share = replace(share, territories=share.territories + territories)
            case Claimed(territory=territory):
                share = replace(share, territories=(*share.territories, territory))
            case Filled(territory=territory):
                share = replace(share, spots=_added(share.spots, ((territory, 1),)))
        found[event.seat] = share
    return tuple(found.values())


def conquered(events: Iterable[Event]) -> frozenset[Code]:
    """The territories that changed hands."""
    return frozenset(event.target for event in events if isinstance(event, Captured))


def touched(events: Iterable[Event]) -> frozenset[Code]:
    """The territories whose owner or armies changed."""
    return frozenset(code for event in events for code in _touched(event))


def _touched(event: Event) -> tuple[Code, ...]:
    match event:
        case Placed(territory=code) | Claimed(territory=code) | Filled(territory=code):
            return (code,)
        case TakenBack(placed=placed):
            return tuple(code for code, _ in placed)
        case Traded(bonus=code):
            return () if code is None else (code,)
        case Rolled(source=source, target=target):
            lost = ((source, event.attacker_lost), (target, event.defender_lost))
            return tuple(code for code, armies in lost if armies)
        case Captured() | Occupied() | Fortified():
            return (event.source, event.target)
        case TerritorySet(territory=code):
            return (code,)
        case _:
            return ()


def _acting(deed: Deed) -> Seat:
    return deed.seat


def _deed(event: Event) -> Iterator[Deed]:  # noqa: C901, PLR0912  # one arm an event, and no more in it
    match event:
        case TurnStarted():
            yield Started(
                event.seat,
                event.turn,
                event.armies,
                event.territories,
                event.armies_for_territories,
                event.continents,
            )
        case Traded():
            yield Trade(event.seat, event.cards, event.armies, event.bonus)
        case Placed():
            yield Placement(event.seat, ((event.territory, event.armies),))
        case TakenBack():
            yield Withdrawal(event.seat, event.placed)
        case Rolled():
            roll = Roll(event.number, _ranked(event.attacker), _ranked(event.defender))
            yield Battle(
                *(event.seat, event.source, event.target, (roll,)),
                lost=event.attacker_lost,
                killed=event.defender_lost,
            )
        case Captured():
            yield Battle(event.seat, event.source, event.target, loser=event.loser)
        case Occupied():
            yield Battle(event.seat, event.source, event.target, moved=event.armies)
        case Eliminated():
            yield Elimination(event.by, event.seat, event.cards)
        case CardDrawn():
            yield Draw(event.seat, event.card)
        case Fortified():
            yield Move(event.seat, event.source, event.target, event.armies)
        case Won():
            yield Victory(event.seat, event.goal)
        case OrderRolled() | MissionDealt() | Dealt() | Claimed() | Filled() | CapitalsRevealed():
            return
        case Reshuffled() | TurnEnded() | GameClosed():
            return
        case Forsaken() | Overruled() | TerritorySet() | HandSet() | RuleSet():
            # Each was told in a note of its own.
            return
        case RolledBack() | DiceRenewed():
            # Each was told in a note of its own.
            return
        case _:
            assert_never(event)


def _tell(deeds: list[Deed], deed: Deed) -> None:
    """Adds a deed, or joins it to the one that it goes on with.

    The armies move in after the elimination that a capture brought, so that one is looked past.
    """
    for place in range(len(deeds) - 1, -1, -1):
        joined = _joined(deeds[place], deed)
        if joined is not None:
            deeds[place] = joined
            return
        if not isinstance(deeds[place], Elimination):
            break
    deeds.append(deed)


def _joined(one: Deed, other: Deed) -> Deed | None:
    """The two as one deed, None if they are two."""
    match one, other:
        case Placement(), Placement() if one.seat == other.seat:
            return replace(one, spots=_added(one.spots, other.spots))
        case Battle(), Battle() if (one.source, one.target) == (other.source, other.target):
            return replace(
                one,
                rolls=one.rolls + other.rolls,
                lost=one.lost + other.lost,
                killed=one.killed + other.killed,
                loser=one.loser or other.loser,
                moved=max(one.moved, other.moved),
            )
    return None


def _added(
    spots: tuple[tuple[Code, int], ...], more: tuple[tuple[Code, int], ...]
) -> tuple[tuple[Code, int], ...]:
    sums = dict(spots)
    for code, armies in more:
        sums[code] = sums.get(code, 0) + armies
    return tuple(sums.items())


def _ranked(faces: Faces) -> Faces:
    return tuple(sorted(faces, reverse=True))
