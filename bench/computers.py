"""Games that computer players play among themselves to the end, with a table of what came of them.

    python -m bench.computers [GAMES] [RULESET ...]

Every order goes through the reader, the check and the run, as a mail's would; no database and no
letter is in the way. An order that is refused or a game without an end stops the command.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean, median

from bench.replay import Remembered
from pbem.judge import computer
from pbem.orders import check, reader, run, wishes
from pbem.orders.sheet import Sheet, Table
from pbem.rules.dice import Chance
from pbem.rules.event import Event, Traded
from pbem.rules.position import SETUP, Phase
from pbem.rules.ruleset import RULESETS, Ruleset
from pbem.rules.seat import Seat
from pbem.rules.setup import draft, new_game, open_setup
from pbem.rules.state import State
from pbem.rules.view import view

LONGEST = 4000
"""Turns after which a game counts as one without an end."""


class StuckError(Exception):
    """A computer wrote what cannot be played, or a game did not end; the message says where."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game: how many turns it took, who won by what, and how many sets were traded."""

    seats: int
    turns: int
    winner: Seat
    goal: str
    trades: int


def play(ruleset: Ruleset, seats: int, seed: int) -> Played:
    """A game of computers from that seed to its end; raises StuckError."""
    chance = Remembered(seed)
    state, events = open_setup(new_game(ruleset, seats), chance)
    while state.phase in SETUP:
        lists = {s: wishes.of(_sheet(state, s, 0)) for s in state.seats}
        state, happened = draft(state, lists, chance)
        events += happened
    while state.phase is not Phase.OVER:
        state, happened = _turn(state, chance)
        events += happened
        if state.turn > LONGEST:
            raise StuckError(f"{ruleset.name}, seed {seed}: no end after {LONGEST} turns")
    return _told(state, events)


def _turn(state: State, chance: Chance) -> tuple[State, tuple[Event, ...]]:
    """The texts of one seat until its turn is over."""
    events: tuple[Event, ...] = ()
    turn, texts = state.turn, 0
    while state.turn == turn and state.phase is not Phase.OVER:
        assert state.on_turn is not None
        sheet = _sheet(state, state.on_turn, texts)
        checked = check.check(sheet, view(state, state.on_turn))
        if checked.plan is None:
            raise StuckError(f"turn {turn}: {sheet.source} gives {checked.mistakes}")
        ran = run.run(checked.plan, state, chance)
        state, events, texts = ran.state, events + ran.events, texts + 1
    return state, events


def _sheet(state: State, seat: Seat, texts: int) -> Sheet:
    lines = computer.orders(view(state, seat), texts_before=texts)
    return reader.read(lines, computer.LANGUAGE, Table(state.board))


def _told(state: State, events: tuple[Event, ...]) -> Played:
    assert state.winner is not None
    trades = sum(isinstance(event, Traded) for event in events)
    return Played(len(state.seats), state.turn, state.winner, getattr(events[-1], "goal"), trades)  # noqa: B009  # the last event is the victory


def table(ruleset: Ruleset, games: int) -> Iterator[str]:
    """A line for each number of seats that the ruleset takes."""
    sizes = range(ruleset.min_players, ruleset.max_players + 1)
    share = -(-games // len(sizes))
    for seats in sizes:
        begun = time.perf_counter()
        played = [play(ruleset, seats, seed) for seed in range(share)]
        turns = [game.turns for game in played]
        wins = Counter(game.winner for game in played)
        won = " ".join(f"{seat}{wins[seat]}" for seat in sorted(wins))
        by_world = sum(game.goal == "world" for game in played)
        yield (
            f"{ruleset.name:<16}{seats:>2} seats {share:>4} games  turns {min(turns)}-{max(turns)}"
            f" (median {median(turns):g})  sets {mean(game.trades for game in played):.1f}"
            f"  by the whole board {by_world}  wins {won}"
            f"  {time.perf_counter() - begun:.0f} s"
        )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Let computers play games to the end.")
    parser.add_argument("games", nargs="?", type=int, default=200, help="games a ruleset")
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), help="all if left out")
    asked = parser.parse_args()
    for name in asked.rulesets:
        for line in table(RULESETS[name], asked.games):
            print(line, flush=True)


if __name__ == "__main__":
    main()
