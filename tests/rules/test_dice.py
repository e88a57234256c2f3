"""Loaded dice, and the exact counts of all throws (rules.md, "Exact dice")."""

from collections import Counter
from itertools import product

import pytest

from pbem.rules.dice import LoadedDice, OutOfDiceError, losses


@pytest.mark.parametrize(
    ("attacker", "defender", "counts"),
    [
        (1, 1, {(0, 1): 15, (1, 0): 21}),
        (1, 2, {(0, 1): 55, (1, 0): 161}),
        (2, 1, {(0, 1): 125, (1, 0): 91}),
        (2, 2, {(0, 2): 295, (1, 1): 420, (2, 0): 581}),
        (3, 1, {(0, 1): 855, (1, 0): 441}),
        (3, 2, {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}),
    ],
)
def test_all_throws_give_the_exact_counts(
    attacker: int, defender: int, counts: dict[tuple[int, int], int]
) -> None:
    throws = product(range(1, 7), repeat=attacker + defender)
    assert Counter(losses(faces[:attacker], faces[attacker:]) for faces in throws) == counts


def test_loaded_dice_fall_as_given_the_attackers_first() -> None:
    dice = LoadedDice([6, 5, 4, 3, 2])
    assert dice.roll(1, 2, 1) == ((6, 5), (4,))
    assert (dice.used, dice.left) == (3, 2)
    assert dice.roll(2, 1, 1) == ((3,), (2,))


def test_loaded_dice_run_out_rather_than_invent_a_face() -> None:
    dice = LoadedDice([6, 5])
    with pytest.raises(OutOfDiceError, match="roll 9 needs 3 faces, 2 left"):
        dice.roll(9, 2, 1)
    assert dice.left == 2


def test_a_loaded_shuffle_leaves_all_where_it_is() -> None:
    assert LoadedDice([]).order("deck", 4) == (0, 1, 2, 3)
