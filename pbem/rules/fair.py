"""Dice that anybody can check: the scheme ``dice/1`` (screens.md, "Dice trust"; docs: record.md).

Before a game the server makes a chain of secrets, each the hash of the next, and publishes the
first. Every turn rolls with the next one, which is published when the turn closes: that it hashes
to the one before proves that it was settled before the game began. The deck has its own seed,
shown only at the end, since it would tell the hands. Only hashing happens here: the secrets
themselves are made at the door and are arguments.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pbem.rules.dice import Faces

CHAIN_LENGTH = 4096
NO_WORD = "-"
LONGEST_WORD = 24
_STRIDE = 64


def link_before(secret: bytes) -> bytes:
    """The secret of the link before: ``SHA256("dice/1" || secret)``."""
    return hashlib.sha256(b"dice/1" + secret).digest()


def link_secret(last: bytes, link: int, length: int = CHAIN_LENGTH) -> bytes:
    """The secret of a link, 0 to `length`, from the chain's last one.

    The first call for a chain hashes all of it (about 2 ms), later ones at most 63 links. Raises
    ValueError for a link outside the chain: a new chain is due.
    """
    if not 0 <= link <= length:
        raise ValueError(f"the chain has links 0 to {length}, not {link}")
    behind = length - link
    secret = _milestones(last, length)[behind // _STRIDE]
    for _ in range(behind % _STRIDE):
        secret = link_before(secret)
    return secret


@lru_cache(maxsize=512)
def _milestones(last: bytes, length: int) -> tuple[bytes, ...]:
    """Every 64th secret, from the last one down."""
    milestones = [last]
    secret = last
    for hashed in range(1, length + 1):
        secret = link_before(secret)
        if hashed % _STRIDE == 0:
            milestones.append(secret)
    return tuple(milestones)


def commitment(last: bytes, length: int = CHAIN_LENGTH) -> str:
    """What is published before the game: link 0 in hexadecimal."""
    return link_secret(last, 0, length).hex()


def deck_commitment(seed: bytes) -> str:
    """What is published of the deck's seed before the game: ``SHA256("deck/1" || seed)``."""
    return hashlib.sha256(b"deck/1" + seed).hexdigest()


def is_luck_word(word: str) -> bool:
    """Whether it can stand in the list: 1 to 24 letters and digits of ASCII."""
    return word.isascii() and word.isalnum() and len(word) <= LONGEST_WORD


def luck_list(words: Sequence[str | None]) -> str:
    """The players' words in seat order, joined by commas, ``-`` for none.

    Raises ValueError for a word that is not 1 to 24 letters and digits of ASCII.
    """
    for word in words:
        if word is not None and not is_luck_word(word):
            raise ValueError(f"a word for luck is 1 to 24 letters or digits, not {word!r}")
    return ",".join(word or NO_WORD for word in words)


def link_key(secret: bytes, game: str, link: int, luck: str, branch: int = 0) -> bytes:
    """The key of one link's rolls: HMAC-SHA256 over ``dice/1|GAME|LINK|LUCK``.

    After a rollback the branch stands behind the game, ``g7/b2``; a game's name has no slash.
    """
    label = f"dice/1|{branch_name(game, branch)}|{link}|{luck}"
    return hmac.digest(secret, label.encode("ascii"), "sha256")


def branch_name(game: str, branch: int) -> str:
    """What stands for the game in the key of a link that was taken in a branch."""
    return game if branch == 0 else f"{game}/b{branch}"


def faces(key: bytes, number: int, count: int) -> Faces:
    """The faces of the numbered roll, all dice of the attacker first.

    Each byte of HMAC(key, "number|0"), HMAC(key, "number|1"), ... is a die, modulo 6; the four
    bytes from 252 on are dropped, so that every face is equally likely.
    """
    thrown: list[int] = []
    for byte in _stream(key, f"{number}|"):
        if byte < 252:
            thrown.append(byte % 6 + 1)
        if len(thrown) >= count:
            break
    return tuple(thrown[:count])


def permutation(seed: bytes, game: str, label: str, count: int) -> tuple[int, ...]:
    """The shuffle of that label: Fisher-Yates from the last place down.

    The key is HMAC(seed, "deck/1|GAME|LABEL"); each pick takes four bytes of its blocks, big end
    first, and drops numbers that would favour some places.
    """
    key = hmac.digest(seed, f"deck/1|{game}|{label}".encode("ascii"), "sha256")
    numbers = _words(_stream(key, ""))
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        pick = next(number for number in numbers if number < limit) % (last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)


def _stream(key: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, f"{label}{block}".encode("ascii"), "sha256")
        block += 1


def _words(stream: Iterator[int]) -> Iterator[int]:
    while True:
        yield int.from_bytes([next(stream) for _ in range(4)], "big")


@dataclass(frozen=True)
class FairDice:
    """The chance of one link: its rolls by its secret, shuffles by the deck's seed."""

    game: str
    link: int
    secret: bytes
    luck: str
    deck_seed: bytes
    branch: int = 0

    def roll(self, number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        """The faces of the numbered roll, so many dice for each side."""
        thrown = faces(self._key, number, attacker + defender)
        return thrown[:attacker], thrown[attacker:]

    def order(self, label: str, count: int) -> tuple[int, ...]:
        """The permutation of `range(count)` that the deck's seed gives the label."""
        return permutation(self.deck_seed, self.game, label, count)

    @cached_property
    def _key(self) -> bytes:
        return link_key(self.secret, self.game, self.link, self.luck, self.branch)
