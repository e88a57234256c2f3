"""The arithmetic of deaths and restarts."""

from itertools import accumulate

from pbem.embedded.restart import HOPELESS, Streak


def after(*lives: float) -> Streak:
    return list(accumulate(lives, lambda streak, lived: streak.after(lived), initial=Streak()))[-1]


def test_ten_fast_deaths_in_a_row_are_hopeless() -> None:
    assert HOPELESS == 10
    assert after(*[1.9] * 10).hopeless
    assert not after(*[1.9] * 9).hopeless


def test_one_longer_life_begins_anew() -> None:
    assert not after(*[0.1] * 9, 2.0, *[0.1] * 9).hopeless


def test_every_pause_leaves_room_within_five_seconds() -> None:
    pauses = [after(*[0.0] * deaths).pause for deaths in range(10)]
    assert pauses == sorted(pauses)
    assert pauses[0] < 0.2
    assert max(pauses) <= 2.0
