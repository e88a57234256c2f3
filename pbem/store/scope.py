"""Which games somebody looks at: a condition that every list of the desk is under."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import or_
from sqlmodel import col


@dataclass(frozen=True, slots=True)
class Scope:
    """Which games a list is about: `only` these (None: all), and not those in `but`."""

    only: frozenset[int] | None = None
    but: frozenset[int] = frozenset()

    def holds(self, game_id: int | None) -> bool:
        """Whether a game is in it; what belongs to no game is where all are."""
        if game_id is None:
            return self.only is None
        return game_id not in self.but and (self.only is None or game_id in self.only)

    def where(self, column: Any) -> list[Any]:
        """The same as conditions on a column with the game's id."""
        found: list[Any] = []
        if self.only is not None:
            found.append(col(column).in_(sorted(self.only)))
        if self.but:
            found.append(or_(col(column).is_(None), col(column).not_in(sorted(self.but))))
        return found
