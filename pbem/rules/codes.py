"""Three-letter codes for the territories of a board that has none."""

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product
from string import ascii_uppercase

from pbem.rules.place import Code

SIZE = 3


def codes_for(names: Sequence[str], reserved: Collection[str]) -> tuple[Code, ...]:
    """A code for each name, in their order: of its own letters, all different, always the same.

    `reserved` are words that no code may be, in capitals; nor may it be another's name of three
    letters. Raises ValueError where none is left, which takes more than 17,000 names.
    """
    spelt = [_words(name) for name in names]
    short = {"".join(words) for words in spelt if len("".join(words)) == SIZE}
    # A dict serves as a set that keeps its order.
    made: dict[str, None] = {}
    for words in spelt:
        barred = {*made, *reserved, *(short - {"".join(words)})}
        code = next((code for code in _candidates(words) if code not in barred), None)
        if code is None:
            raise ValueError("no code is left for all territories")
        made[code] = None
    return tuple(Code(code) for code in made)


def _words(name: str) -> list[str]:
    """The words of a name in plain capital letters; none for a script without such."""
    split = unicodedata.normalize("NFKD", name.casefold())
    bare = (sign.upper() for sign in split if not unicodedata.combining(sign) and sign not in "'’")
    return "".join(sign if sign in ascii_uppercase else " " for sign in bare).split()


def _candidates(words: Sequence[str]) -> Iterator[str]:
    """Codes of three letters, the one that says most of the name first."""
    if len(words) > 2:
        yield "".join(word[0] for word in words[:SIZE])
    if len(words) > 1 and len(words[1]) > 1:
        yield words[0][0] + words[1][:2]
    if len(words) > 1 and len(words[0]) > 1:
        yield words[0][:2] + words[1][0]
    joined = "".join(words)
    for rest in combinations(joined[1:], SIZE - 1):
        yield joined[0] + "".join(rest)
    for first in joined[:1] or "X":
        yield from (first + "".join(rest) for rest in product(ascii_uppercase, repeat=SIZE - 1))
    yield from map("".join, product(ascii_uppercase, repeat=SIZE))
