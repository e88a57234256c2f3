"""Secret missions: the decks, the deal, and when one is done (rules.md, "Missions").

Missions are data (`missions.toml`), read once. A state names them by their ids.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, NewType, assert_never

from pbem.rules.board import ContinentId
from pbem.rules.dice import Chance
from pbem.rules.event import Event, MissionDealt, TurnStarted
from pbem.rules.position import Position, changed
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import LETTERS, Seat
from pbem.rules.state import Played, State

MissionId = NewType("MissionId", str)
"""The data file's name of a mission, e.g. ``asia-africa``."""

BECOMES_24 = "becomes-24"


@dataclass(frozen=True, slots=True)
class Mission:
    """What has to be reached; which fields count hangs on the kind.

    ``occupy``: `count` territories with at least `armies` on each. ``continents``: all of these,
    and `any_extra` more of one's choice. ``destroy``: the seat `target`; who has that seat gets
    the mission `fallback` instead.
    """

    id: MissionId
    kind: Literal["occupy", "continents", "destroy"]
    count: int = 0
    armies: int = 1
    continents: tuple[ContinentId, ...] = ()
    any_extra: int = 0
    target: Seat | None = None
    fallback: MissionId | None = None


@dataclass(frozen=True, slots=True)
class Deck:
    """The mission cards of an edition. `colours` is for how many seats it has cards to destroy.

    `verified`: the list is confirmed by public listings, `source` says by which. `kill_credit` is
    what its cards say of a target that another destroyed; `hold_rounds` for how many full rounds
    a mission must be held.
    """

    name: str
    colours: int
    missions: tuple[MissionId, ...]
    verified: bool
    source: str
    kill_credit: str
    hold_rounds: Mapping[MissionId, int]


@cache
def _data() -> dict[str, Any]:
    source = resources.files(__package__) / "missions.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


@cache
def all_missions() -> Mapping[MissionId, Mission]:
    """Every mission of every deck, by its id."""
    return {MissionId(entry["id"]): _mission(entry) for entry in _data()["mission"]}


def mission(name: str) -> Mission:
    """The mission of that id; KeyError for any other."""
    return all_missions()[MissionId(name)]


def _mission(entry: Mapping[str, Any]) -> Mission:
    slot = entry.get("colour_slot")
    return Mission(
        id=MissionId(entry["id"]),
        kind=entry["kind"],
        count=entry.get("count", 0),
        armies=entry.get("armies", 1),
        continents=tuple(ContinentId(name) for name in entry.get("continents", ())),
        any_extra=entry.get("any_extra", 0),
        target=None if slot is None else LETTERS[slot - 1],
        fallback=MissionId(entry["fallback"]) if "fallback" in entry else None,
    )


@cache
def deck(name: str) -> Deck:
    """The deck of that name, one of the values of the option `mission_deck`."""
    entry = _data()["sets"][name]
    other = entry["killed_by_other"]
    return Deck(
        name=name,
        colours=entry["colours"],
        missions=tuple(MissionId(name) for name in entry["missions"]),
        verified=entry["verified"],
        source=entry["source"],
        kill_credit=BECOMES_24 if other == "becomes-occupy-24" else "anyone",
        hold_rounds={MissionId(m): n for m, n in entry.get("hold_rounds", {}).items()},
    )


def kill_credit(ruleset: Ruleset) -> str:
    """``anyone`` or ``becomes-24``: what a target destroyed by another means in this game."""
    own = ruleset.kill_credit
    return deck(ruleset.mission_deck).kill_credit if own == "deck" else own


def rounds_to_hold(ruleset: Ruleset, mission: str) -> int:
    """For how many full rounds the mission must be held in this game; 0: for a moment."""
    return deck(ruleset.mission_deck).hold_rounds.get(MissionId(mission), 0)


def in_play(ruleset: Ruleset, seats: Iterable[Seat]) -> tuple[MissionId, ...]:
    """The cards to deal from: without those that name a colour which nobody plays."""
    playing = {None, *seats}
    known = all_missions()
    missions = deck(ruleset.mission_deck).missions
    return tuple(card for card in missions if known[card].target in playing)


def deal(state: State, chance: Chance) -> Played:
    """One card to each seat, in the order of the seats; the rest stays unseen."""
    cards = in_play(state.ruleset, state.seats)
    order = chance.order("missions", len(cards))
    drawn = {seat: cards[place] for seat, place in zip(state.seats, order, strict=False)}
    dealt = changed(state, missions={seat: assigned(seat, card) for seat, card in drawn.items()})
    return Played(dealt, tuple(MissionDealt(seat, card) for seat, card in drawn.items()))


def assigned(seat: Seat, card: str) -> MissionId:
    """What a card asks of its seat: who would have to destroy the own colour does the fallback."""
    drawn = mission(card)
    return drawn.fallback if drawn.target == seat and drawn.fallback else drawn.id


def accomplished(state: State, seat: Seat) -> str | None:
    """The id of the seat's mission if it is done, and held as long as it must be."""
    own = state.missions.get(seat)
    if own is None or not fulfilled(state, seat, own):
        return None
    rounds = rounds_to_hold(state.ruleset, own)
    return own if not rounds or state.held_since.get(seat, 0) >= rounds else None


def fulfilled(position: Position, seat: Seat, name: str) -> bool:
    """Whether the position is what the mission of that id asks for."""
    wanted = mission(name)
    match wanted.kind:
        case "occupy":
            held = (position.armies[c] for c, owner in position.owner.items() if owner == seat)
            return sum(armies >= wanted.armies for armies in held) >= wanted.count
        case "continents":
            whole = {c for c in position.board.continents if position.holds(seat, c)}
            listed = set(wanted.continents)
            return listed <= whole and len(whole - listed) >= wanted.any_extra
        case "destroy":
            return wanted.target in position.eliminated
        case _:
            assert_never(wanted.kind)


def after_elimination(state: State, loser: Seat, by: Seat) -> Mapping[Seat, str]:
    """The missions without the loser's; who had to destroy it and did not may get another one."""
    left = {seat: mission(name) for seat, name in state.missions.items() if seat != loser}
    becomes_24 = kill_credit(state.ruleset) == BECOMES_24
    return {
        seat: own.fallback
        if becomes_24 and seat != by and own.target == loser and own.fallback
        else own.id
        for seat, own in left.items()
    }


def timed(state: State, happened: Iterable[Event]) -> State:
    """Counts for how many full rounds each seat has fulfilled a mission that must be held.

    A round is full when the next turn of the seat begins. A seat that does not fulfil its mission,
    or need not hold it, is not counted.
    """
    starting = {event.seat for event in happened if isinstance(event, TurnStarted)}
    held = {
        seat: state.held_since.get(seat, 0) + (seat in starting and seat in state.held_since)
        for seat, own in state.missions.items()
        if rounds_to_hold(state.ruleset, own) and fulfilled(state, seat, own)
    }
    return state if held == state.held_since else changed(state, held_since=held)
