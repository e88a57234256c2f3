"""Records of games with rollbacks: written, played again and proved, the undone parts too."""

import re
import runpy
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.rules.board import Code
from pbem.rules.branching import closing_links, counting, newest_link, newest_roll, undone
from pbem.rules.event import DiceRenewed, Rolled, RolledBack, TurnEnded, TurnStarted, Won
from pbem.rules.record import write
from pbem.rules.replay import replay
from pbem.rules.seat import Seat
from pbem.rules.transcript import read
from pbem.rules.verify import Check, verify
from tests.rules.rewound_game import Rewound, a_rewound_game

SCRIPT = Path(__file__).parents[2] / "docs" / "developers" / "verify_dice.py"


def text(game: Rewound, *, public: bool = True) -> str:
    return write(game.header, game.events, game.closed, public=public)


@cache
def some_game() -> str:
    """A record with several rollbacks and acts of the game master."""
    game = a_rewound_game(7, 150)
    assert game.branch > 3
    return text(game)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), public=st.booleans())
def test_every_line_of_every_branch_is_proved(seed: int, public: bool) -> None:
    game = a_rewound_game(seed, 80)
    report = verify(text(game, public=public))
    assert report.failures == ()


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_full_record_plays_again_to_all_events_and_the_last_state(seed: int) -> None:
    game = a_rewound_game(seed, 80)
    replayed = replay(read(text(game, public=False)))
    assert replayed.stopped is None
    assert replayed.events == tuple(game.events)
    assert replayed.state is not None
    assert (replayed.state.hands, replayed.state.armies) == (game.state.hands, game.state.armies)


def test_each_turn_of_each_branch_closes_with_the_link_that_was_open() -> None:
    one, other = Seat("A"), Seat("B")
    events = (
        TurnStarted(1, one, 2, 9, 3, ()),
        Rolled(7, one, Code("SIA"), Code("IDA"), (6,), (1,), 0, 1),
        TurnEnded(1, one),
        TurnStarted(2, other, 3, 9, 3, ()),
        DiceRenewed(4, 8),
        TurnEnded(2, other),
        RolledBack(3, 1, "gm", "a wrong board"),
        TurnStarted(2, other, 5, 9, 3, ()),
        TurnEnded(2, other),
        TurnStarted(3, one, 6, 9, 3, ()),
        Won(one, "world"),
    )
    links = {(0, 0): 1, (0, 1): 2, (0, 2): 4, (1, 2): 5, (1, 3): 6}
    assert closing_links(events) == links
    assert (newest_link(events), newest_roll(events)) == (6, 7)


def test_before_the_first_turn_no_roll_and_no_link_but_that_of_the_setup_is_taken() -> None:
    assert (newest_link(()), newest_roll(())) == (1, 0)
    assert closing_links(()) == {}


def test_what_counts_leads_to_the_board_without_what_was_undone() -> None:
    game = a_rewound_game(3, 120)
    marks = undone(game.events)
    assert any(marks)
    assert len(counting(game.events)) == marks.count(None)
    last = max(place for place, event in enumerate(game.events) if isinstance(event, RolledBack))
    assert marks[last] is None


@pytest.mark.parametrize(
    ("honest", "forged", "check"),
    [
        (r"(~\d+   attack .*? \d+:)[1-6]", r"\g<1>0", Check.LINE),
        (r"dice link (\d+)", "dice link 2", Check.LINK),
        (r"@gm rollback 1 ", "@gm rollback 7 ", Check.FORMAT),
        (r"\n~1 ", r"\n", Check.FORMAT),
        (r"\n@gm set by .*", "", Check.LINE),
        (r"(set [A-Z]{3} [ABC]) \d+", r"\1 99", Check.CHECKSUM),
        (r"\n@gm option .*", "", Check.LINE),
        (r"(rule) \w+ \w\S*", r"\1 setup deal", Check.LINE),
        (r"(rule forced_trade_at) none", r"\1 5", Check.CHECKSUM),
    ],
    ids=[
        *("a die", "a used link", "another branch", "not undone", "no mark", "other armies"),
        *("no mark of a rule", "a settled rule", "another rule"),
    ],
)
def test_a_forgery_of_what_was_undone_or_set_is_found(
    honest: str, forged: str, check: Check
) -> None:
    damaged, found = re.subn(honest, forged, some_game(), count=1)
    assert found
    assert check in {failure.check for failure in verify(damaged).failures}


def test_dice_of_an_undone_turn_are_proved_by_a_later_link() -> None:
    record = some_game()
    die = re.search(r"\n~\d+   attack \w+ \w+ (\d+):([1-6])", record)
    assert die is not None
    number, face = die.groups()
    other = "1" if face != "1" else "2"
    forged = record.replace(f" {number}:{face}", f" {number}:{other}", 1)
    assert any(failure.check is Check.DIE for failure in verify(forged).failures)


def test_dice_of_a_link_that_was_shown_are_found_at_the_rollback() -> None:
    lines = some_game().splitlines()
    rollback = lines.index('@gm rollback 2 by dora "wrong map"')
    assert lines[rollback + 1].startswith("  dice link "), "the game has changed"
    lines[rollback + 1] = "  attack GRL VEN 3:646/35 0-2"
    failures = [str(failure) for failure in verify("\n".join(lines)).failures]
    assert f"line {rollback + 1}: link: link 2 was shown before these dice" in failures


def test_the_independent_script_proves_every_roll_of_every_branch() -> None:
    module = runpy.run_path(str(SCRIPT))
    record = some_game()
    rolls = {int(number) for number in re.findall(r" (\d+):[1-6]+/", record)}
    proved, open_turn = 0, 0
    for roll in sorted(rolls):
        try:
            assert module["check"](record, roll).startswith(f"Roll {roll} is true")
            proved += 1
        except ValueError as error:
            assert "is not shown before its turn is over" in str(error)  # noqa: PT017
            open_turn += 1
    assert proved > 10 * max(1, open_turn) or not open_turn
