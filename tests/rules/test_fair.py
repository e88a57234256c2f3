"""The scheme dice/1: what is promised, recomputed from its description with hashlib alone."""

import hashlib
import hmac
from collections import Counter

import numpy as np
import pytest

from pbem.rules.dice import Chance
from pbem.rules.fair import (
    CHAIN_LENGTH,
    FairDice,
    commitment,
    deck_commitment,
    faces,
    link_before,
    link_key,
    link_secret,
    luck_list,
    permutation,
)

LAST = bytes(range(32))
SEED = bytes(range(32, 64))
LUCK = "mango,-,42,-"


def a_chance(link: int = 24, branch: int = 0) -> FairDice:
    return FairDice("g7", link, link_secret(LAST, link), LUCK, SEED, branch)


def test_every_link_is_the_hash_of_the_next() -> None:
    secret = LAST
    for link in range(CHAIN_LENGTH, -1, -1):
        assert link_secret(LAST, link) == secret
        secret = hashlib.sha256(b"dice/1" + secret).digest()


def test_the_commitment_is_link_0() -> None:
    assert commitment(LAST) == link_before(link_secret(LAST, 1)).hex()


@pytest.mark.parametrize("link", [-1, CHAIN_LENGTH + 1])
def test_there_is_no_link_outside_the_chain(link: int) -> None:
    with pytest.raises(ValueError, match="links 0 to 4096"):
        link_secret(LAST, link)


def test_a_roll_is_what_its_description_says() -> None:
    secret = link_secret(LAST, 24)
    key = hmac.new(secret, b"dice/1|g7|24|mango,-,42,-", hashlib.sha256).digest()
    block = hmac.new(key, b"101|0", hashlib.sha256).digest()
    expected = [byte % 6 + 1 for byte in block if byte < 252]
    assert a_chance().roll(101, 3, 2) == (tuple(expected[:3]), tuple(expected[3:5]))


def test_the_attackers_dice_come_first() -> None:
    attacker, defender = a_chance().roll(7, 3, 2)
    assert attacker + defender == a_chance().roll(7, 5, 0)[0]


def test_many_dice_go_on_in_the_next_block() -> None:
    key = link_key(link_secret(LAST, 1), "g7", 1, LUCK)
    blocks = b"".join(hmac.new(key, f"9|{n}".encode(), hashlib.sha256).digest() for n in range(4))
    dropped = [byte for byte in blocks if byte >= 252]
    assert dropped, "choose another roll: this one drops no byte"
    expected = [byte % 6 + 1 for byte in blocks if byte < 252]
    assert faces(key, 9, 100) == tuple(expected[:100])


def test_no_dice_are_no_faces() -> None:
    assert a_chance().roll(5, 0, 0) == ((), ())


def test_the_dice_and_the_deck_never_change() -> None:
    assert a_chance().roll(101, 3, 2) == ((6, 5, 3), (4, 1))
    assert a_chance().order("deck", 8) == (4, 2, 0, 1, 3, 7, 6, 5)
    assert commitment(LAST).startswith("b8046c2f190f0e5a")


@pytest.mark.parametrize(
    "other",
    [
        FairDice("g8", 24, link_secret(LAST, 24), LUCK, SEED),
        FairDice("g7", 25, link_secret(LAST, 24), LUCK, SEED),
        FairDice("g7", 24, link_secret(LAST, 25), LUCK, SEED),
        FairDice("g7", 24, link_secret(LAST, 24), "-,-,-,-", SEED),
        FairDice("g7", 24, link_secret(LAST, 24), LUCK, SEED, branch=2),
    ],
    ids=["game", "link", "secret", "luck", "branch"],
)
def test_everything_in_the_label_changes_the_dice(other: FairDice) -> None:
    rolls = [a_chance().roll(number, 3, 2) for number in range(1, 21)]
    assert [other.roll(number, 3, 2) for number in range(1, 21)] != rolls


def test_the_branch_stands_behind_the_game() -> None:
    assert link_key(LAST, "g7", 3, LUCK, branch=2) == link_key(LAST, "g7/b2", 3, LUCK)


def test_faces_are_equally_likely() -> None:
    """100,000 dice: chi-square with 5 degrees of freedom, 20.5 is passed once in a thousand."""
    key = link_key(LAST, "g7", 1, LUCK)
    counts = Counter(face for number in range(20_000) for face in faces(key, number, 5))
    expected = 100_000 / 6
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 20.5


EXACT = {
    (1, 1): (15, 21),
    (1, 2): (55, 161),
    (2, 1): (125, 91),
    (3, 1): (855, 441),
    (2, 2): (295, 420, 581),
    (3, 2): (2890, 2611, 2275),
}
"""Throws by the armies that the attacker loses, 0, 1 and 2, for each number of dice (rules.md)."""

ONCE_IN_1000 = {2: 10.83, 3: 13.82}
"""Chi-square that fair dice pass once in a thousand runs, by the number of outcomes."""


@pytest.fixture(scope="module")
def million() -> np.ndarray:
    """A million throws of three dice against two, a row each, from 400 numbered rolls."""
    key = link_key(LAST, "g7", 1, LUCK)
    thrown = [np.array(faces(key, number, 12_500)) for number in range(1, 401)]
    return np.concatenate(thrown).reshape(1_000_000, 5)


@pytest.mark.parametrize("dice", EXACT, ids=lambda dice: f"{dice[0]}v{dice[1]}")
def test_a_million_throws_give_the_exact_counts(million: np.ndarray, dice: tuple[int, int]) -> None:
    attacker, defender = dice
    mine = -np.sort(-million[:, :attacker])
    theirs = -np.sort(-million[:, 3 : 3 + defender])
    pairs = min(dice)
    lost = (mine[:, :pairs] <= theirs[:, :pairs]).sum(axis=1)
    counted = np.bincount(lost, minlength=pairs + 1)
    expected = np.array(EXACT[dice]) / sum(EXACT[dice]) * len(million)
    print(f"{dice}: {counted} of {expected.round()}")
    assert ((counted - expected) ** 2 / expected).sum() < ONCE_IN_1000[pairs + 1]


def test_every_order_of_a_small_pile_is_equally_likely() -> None:
    """24 orders, 24,000 shuffles: chi-square with 23 degrees of freedom, 49.7 at one in 1000."""
    counts = Counter(permutation(SEED, "g7", f"deck-{n}", 4) for n in range(24_000))
    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 49.7


def test_a_shuffle_keeps_every_card_once() -> None:
    order = a_chance().order("deck", 44)
    assert sorted(order) == list(range(44))
    assert order != a_chance().order("deck-1", 44)


def test_the_deck_does_not_depend_on_the_link() -> None:
    assert a_chance(link=1).order("deck", 44) == a_chance(link=30).order("deck", 44)


def test_the_deck_has_a_commitment_of_its_own() -> None:
    assert deck_commitment(SEED) == hashlib.sha256(b"deck/1" + SEED).hexdigest()


def test_words_for_luck_are_joined_in_seat_order() -> None:
    assert luck_list(["mango", None, "42", None]) == LUCK


@pytest.mark.parametrize("word", ["", "a,b", "-", "two words", 'x"', "čaj", "x" * 25])
def test_a_word_that_would_blur_the_list_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="luck"):
        luck_list([word])


def test_fair_dice_are_a_chance() -> None:
    chance: Chance = a_chance()
    assert len(chance.roll(1, 1, 0)[0]) == 1
