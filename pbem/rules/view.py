"""The one gate of secrets: what a reader may know of a state and of what happened.

Every letter, page, feed and computer player is fed from here, never from the state. A reader of
None is the public: a spectator, a rival, a closed GM.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from pbem.rules.board import Code
from pbem.rules.card import Card
from pbem.rules.event import CardDrawn, Eliminated, Event, Forsaken, HandSet, MissionDealt, Traded
from pbem.rules.position import Phase, Position
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.trade import FORCED


@dataclass(frozen=True)
class View(Position):
    """A position as one seat sees it: its own hand and mission, of others only how many cards.

    `chosen` is the reader's own capital while the others have still to choose theirs.
    """

    reader: Seat | None = None
    hand: tuple[Card, ...] = ()
    hand_sizes: Mapping[Seat, int] = field(default_factory=dict)
    deck_size: int = 0
    discards_size: int = 0
    mission: str | None = None
    chosen: Code | None = None


_PUBLIC = tuple(f.name for f in fields(Position) if f.name not in ("phase", "mid_turn"))


def view(state: State, reader: Seat | None) -> View:
    """The state as `reader` may see it."""
    phase, mid_turn = _season(state, reader)
    return View(
        **{name: getattr(state, name) for name in _PUBLIC},
        phase=phase,
        mid_turn=mid_turn,
        reader=reader,
        hand=state.hands.get(reader, ()) if reader is not None else (),
        hand_sizes={seat: len(cards) for seat, cards in state.hands.items()},
        deck_size=len(state.deck),
        discards_size=len(state.discards),
        mission=state.missions.get(reader) if reader is not None else None,
        chosen=state.chosen.get(reader) if reader is not None else None,
    )


def _season(state: State, reader: Seat | None) -> tuple[Phase, bool]:
    """The phase, and whether a mid-turn trade is on, without telling what a small hand holds.

    That a trade is open says that the hand of the seat on turn holds a set. Of five cards everybody
    knows that; of up to four a rival sees what would be there without a set.
    """
    if state.on_turn == reader or len(state.hand) >= FORCED:
        return state.phase, state.mid_turn
    placing = state.to_place > 0
    if state.phase is not Phase.TRADE:
        return state.phase, state.mid_turn and placing
    return (Phase.PLACE if placing else Phase.ATTACK), state.mid_turn and placing


def visible(events: Iterable[Event], reader: Seat | None) -> tuple[Event, ...]:
    """The events as `reader` may see them: others' cards and missions are out."""
    return tuple(_redacted(event, reader) for event in events)


def _redacted(event: Event, reader: Seat | None) -> Event:
    match event:
        case MissionDealt(seat=seat) if seat != reader:
            return replace(event, mission=None)
        case CardDrawn(seat=seat) if seat != reader:
            return replace(event, card=None)
        case Traded(seat=seat) if seat != reader:
            return replace(event, cards=())
        case Eliminated(by=by) if by != reader:
            return replace(event, cards=())
        case Forsaken(seat=seat) if seat != reader:
            return replace(event, cards=())
        case HandSet(seat=seat) if seat != reader:
            return replace(event, cards=())
        case _:
            return event
