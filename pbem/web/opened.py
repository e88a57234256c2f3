"""Which letters this browser has opened, kept in a cookie of its own."""

import re
from dataclasses import dataclass

MOST = 200
_WRITTEN = re.compile(rf"\d{{1,12}}(\.\d{{1,12}}){{0,{MOST}}}")


@dataclass(frozen=True, slots=True)
class Opened:
    """Ids of opened letters; all ids up to `floor` count as opened, too."""

    floor: int = 0
    ids: frozenset[int] = frozenset()

    def __contains__(self, letter: int) -> bool:
        return letter <= self.floor or letter in self.ids

    def with_letter(self, letter: int) -> "Opened":
        """The same and one more; beyond `MOST` the oldest become the floor."""
        kept = sorted(self.ids | {letter})
        gone, kept = kept[:-MOST], kept[-MOST:]
        return Opened(max([self.floor, *gone]), frozenset(kept))


def write(opened: Opened) -> str:
    """As the cookie holds it: the floor, then the ids, with dots between them."""
    return ".".join(str(number) for number in (opened.floor, *sorted(opened.ids)))


def read(cookie: str) -> Opened:
    """Back from `write`; anything else counts as nothing opened."""
    if not _WRITTEN.fullmatch(cookie):
        return Opened()
    floor, *ids = (int(number) for number in cookie.split("."))
    return Opened(floor, frozenset(ids))
