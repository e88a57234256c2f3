"""Secret missions: the decks, the deal, and when one is done (rules.md, "Missions").

Missions are data (`missions.toml`), read once. A state names them by their ids. A board of
another maker may bring its own (`Board.missions`), which then are the whole deck.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, assert_never

from pbem.rules.board import Board
from pbem.rules.dice import Chance
from pbem.rules.event import Event, MissionDealt, TurnStarted
from pbem.rules.mission import Mission, MissionId, mission_from
from pbem.rules.position import Position, changed
from pbem.rules.ruleset import Misfit, Ruleset, RulesetError
from pbem.rules.seat import LETTERS, Seat
from pbem.rules.state import Played, State

BECOMES_24 = "becomes-24"


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
    return {MissionId(entry["id"]): mission_from(entry) for entry in _data()["mission"]}


def mission(name: str, board: Board) -> Mission:
    """The mission of that id on the board; KeyError for any other."""
    return missions_of(board)[MissionId(name)]


def missions_of(board: Board) -> Mapping[MissionId, Mission]:
    """Every mission that there can be on a board: its own, else those of the decks."""
    return {own.id: own for own in board.missions} or all_missions()


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


def deck_of(ruleset: Ruleset, board: Board) -> Deck:
    """The deck that a game is dealt from: the board's own, else the one that is chosen.

    The cards of the Domination program say of a target that another destroyed what the French and
    Italian ones say.
    """
    if not board.missions:
        return deck(ruleset.mission_deck)
    return Deck(
        name=board.title,
        colours=len(LETTERS),
        missions=tuple(own.id for own in board.missions if not own.only_fallback),
        verified=True,
        source="the board's own cards",
        kill_credit=BECOMES_24,
        hold_rounds={},
    )


def check(ruleset: Ruleset, board: Board, seats: Iterable[Seat]) -> None:
    """Raises RulesetError where the missions cannot be played on the board by these seats."""
    playing = tuple(seats)
    about: dict[str, Any] = {"board": board.title, "seats": len(playing)}
    if board.missions and "mission_deck" in ruleset.changes():
        text = f"mission_deck: the board {board.title} has missions of its own"
        raise RulesetError(text, Misfit("mission_deck", "own-missions", about))
    chosen = deck_of(ruleset, board)
    about |= {"deck": chosen.name, "most": chosen.colours}
    if len(playing) > chosen.colours:
        fit = [name for name, cards in _data()["sets"].items() if cards["colours"] >= len(playing)]
        text = (
            f"mission_deck={chosen.name} has colours for {chosen.colours} players,"
            f" not {len(playing)}"
        )
        raise RulesetError(text, Misfit("mission_deck", "deck-colours", {**about, "fit": fit}))
    if strange := [card for card in chosen.missions if not _fits(missions_of(board)[card], board)]:
        text = (
            f"goal=missions: the board {board.title} has no missions of its own, and the deck"
            f" {chosen.name} is not for it: {strange[0]} cannot be done there; choose another"
            f" goal, or a board with missions"
        )
        raise RulesetError(text, Misfit("goal", "missions-unfit", about))
    if (cards := len(in_play(ruleset, playing, board))) < len(playing):
        text = (
            f"goal=missions: the board {board.title} has {cards} missions for these seats,"
            f" {len(playing)} are needed"
        )
        raise RulesetError(text, Misfit("goal", "missions-few", {**about, "cards": cards}))


def _fits(card: Mission, board: Board) -> bool:
    """Whether the board has what the mission asks for."""
    return card.count <= len(board.codes) and {*card.continents} <= {*board.continents}


def kill_credit(ruleset: Ruleset, board: Board) -> str:
    """``anyone`` or ``becomes-24``: what a target destroyed by another means in this game."""
    own = ruleset.kill_credit
    return deck_of(ruleset, board).kill_credit if own == "deck" else own


def rounds_to_hold(ruleset: Ruleset, board: Board, mission: str) -> int:
    """For how many full rounds the mission must be held in this game; 0: for a moment."""
    return deck_of(ruleset, board).hold_rounds.get(MissionId(mission), 0)


def in_play(ruleset: Ruleset, seats: Iterable[Seat], board: Board) -> tuple[MissionId, ...]:
    """The cards to deal from: without those that name a colour which nobody plays."""
    playing = {None, *seats}
    known = missions_of(board)
    missions = deck_of(ruleset, board).missions
    return tuple(card for card in missions if known[card].target in playing)


def deal(state: State, chance: Chance) -> Played:
    """One card to each seat, in the order of the seats; the rest stays unseen."""
    cards = in_play(state.ruleset, state.seats, state.board)
    order = chance.order("missions", len(cards))
    drawn = {seat: cards[place] for seat, place in zip(state.seats, order, strict=False)}
    assignments = {seat: assigned(seat, card, state.board) for seat, card in drawn.items()}
    dealt = changed(state, missions=assignments)
    return Played(dealt, tuple(MissionDealt(seat, card) for seat, card in drawn.items()))


def assigned(seat: Seat, card: str, board: Board) -> MissionId:
    """What a card asks of its seat: who would have to destroy the own colour does the fallback."""
    drawn = mission(card, board)
    return drawn.fallback if drawn.target == seat and drawn.fallback else drawn.id


def accomplished(state: State, seat: Seat) -> str | None:
    """The id of the seat's mission if it is done, and held as long as it must be."""
    own = state.missions.get(seat)
    if own is None or not fulfilled(state, seat, own):
        return None
    rounds = rounds_to_hold(state.ruleset, state.board, own)
    return own if not rounds or state.held_since.get(seat, 0) >= rounds else None


def fulfilled(position: Position, seat: Seat, name: str) -> bool:
    """Whether the position is what the mission of that id asks for."""
    wanted = mission(name, position.board)
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
    known = missions_of(state.board)
    left = {s: known[MissionId(name)] for s, name in state.missions.items() if s != loser}
    becomes_24 = kill_credit(state.ruleset, state.board) == BECOMES_24
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
        if rounds_to_hold(state.ruleset, state.board, own) and fulfilled(state, seat, own)
    }
    return state if held == state.held_since else changed(state, held_since=held)
