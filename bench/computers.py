"""Games that computer players play among themselves to the end, with a table of what came of them.

    python -m bench computers [GAMES] [RULESET ...] [--option NAME=VALUE ...]

Every order goes through the reader, the check and the run, as a mail's would; no database and no
letter is in the way. An order that is refused or a game without an end stops the command.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median

from bench.replay import Remembered
from pbem.judge import computer
from pbem.orders import check, reader, run, wishes
from pbem.orders.sheet import Sheet, Table
from pbem.rules.dice import Chance
from pbem.rules.event import Event, Traded, TurnStarted, Won
from pbem.rules.goal import WORLD
from pbem.rules.position import SETUP, Phase
from pbem.rules.ruleset import RULESETS, Ruleset, ruleset
from pbem.rules.seat import LETTERS, Seat
from pbem.rules.setup import draft, new_game, open_setup
from pbem.rules.state import State
from pbem.rules.view import view

LONGEST = 4000
"""Turns after which a game counts as one without an end."""


CHANCE = {2: 6.63, 3: 9.21, 4: 11.34, 5: 13.28, 6: 15.09}
"""Chi-square that equal seats pass once in a hundred runs, by their number."""


class StuckError(Exception):
    """A computer wrote what cannot be played, or a game did not end; the message says where."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game: how many turns it took, who won by what, and how many sets were traded.

    `place` is the winner's in the order of play, 1 for the seat that had turn 1.
    """

    turns: int
    winner: Seat
    place: int
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
    first = next(e.seat for e in events if isinstance(e, TurnStarted))
    won = next(e for e in events if isinstance(e, Won))
    trades = sum(isinstance(event, Traded) for event in events)
    seats = state.seats
    place = (seats.index(won.seat) - seats.index(first)) % len(seats) + 1
    return Played(state.turn, won.seat, place, won.goal, trades)


def table(ruleset: Ruleset, games: int) -> Iterator[str]:
    """A line for each number of seats that the ruleset takes, so many games all together."""
    sizes = range(ruleset.min_players, ruleset.max_players + 1)
    share = -(-games // len(sizes))
    for seats in sizes:
        begun = time.perf_counter()
        played = [play(ruleset, seats, seed) for seed in range(share)]
        took = time.perf_counter() - begun
        yield f"{ruleset.name:<16}{seats:>2} seats {row(played, seats)}  {took:.0f} s"


def row(played: Sequence[Played], seats: int) -> str:
    """Lengths, sets, goals and wins of the games.

    Wins are counted by seat, A first, and by the place in the order of play. Behind them stands
    chi-square against equal chances: a seat of equal chances passes `CHANCE` once in a hundred.
    """
    turns = [game.turns for game in played]
    by_goal = sum(game.goal != WORLD for game in played)
    by_seat = Counter(LETTERS.index(game.winner) + 1 for game in played)
    by_place = Counter(game.place for game in played)
    return (
        f"{len(played):>4} games  turns {min(turns)}-{max(turns)} (median {median(turns):g})"
        f"  sets {mean(game.trades for game in played):.1f}  by goal {by_goal}"
        f"  seats {_spread(by_seat, seats)}  order {_spread(by_place, seats)}"
    )


def _spread(wins: Counter[int], seats: int) -> str:
    """The wins and chi-square, marked where chance alone would hardly have made it."""
    equal = wins.total() / seats
    chi_square = sum((wins[place] - equal) ** 2 / equal for place in range(1, seats + 1))
    mark = "!" if chi_square > CHANCE[seats] else ""
    return f"{' '.join(str(wins[place]) for place in range(1, seats + 1))} ({chi_square:.1f}{mark})"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m bench computers", description="Let computers play games to the end."
    )
    parser.add_argument("games", nargs="?", type=int, default=200, help="games a ruleset")
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), help="all if left out")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in asked.option)
    for name in asked.rulesets:
        for line in table(ruleset(name, options), asked.games):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
