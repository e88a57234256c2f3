"""The rollbacks of a game, as its row keeps them: what of dice and steps they have used up."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pbem.store import tables


@dataclass(frozen=True, slots=True)
class Branch:
    """What opened with one rollback.

    `number` counts from 1, `to` is the event that it went back to, `link` the first dice link that
    is taken in it. `steps` are, by turn, how many steps there had been: addresses of before must
    never be current again. `redo` are the orders, by their hash, that were undone in the open turn:
    as long as they come again, their dice stay.
    """

    number: int
    to: int
    link: int
    at: str
    steps: Mapping[str, int] = field(default_factory=dict)
    redo: tuple[str, ...] = ()


def of(game: tables.Game) -> tuple[Branch, ...]:
    """All of them, the oldest first."""
    return tuple(Branch(**{**kept, "redo": tuple(kept["redo"])}) for kept in game.branches)


def open_branch(game: tables.Game, branch: Branch) -> None:
    """Keep one more, which is then the game's."""
    _keep(game, (*of(game), branch))
    game.branch = branch.number


def change_newest(game: tables.Game, **changes: Any) -> None:
    """Change what is known of the newest one."""
    *others, newest = of(game)
    _keep(game, (*others, replace(newest, **changes)))


def label(game: tables.Game, link: int) -> int:
    """The branch in which a dice link was taken; it is a part of the link's key."""
    return max((branch.number for branch in of(game) if branch.link <= link), default=0)


def first_step(game: tables.Game, turn: int) -> int:
    """The step that a turn begins with: after all that it had in branches that are undone."""
    return 1 + max((branch.steps.get(str(turn), 0) for branch in of(game)), default=0)


def is_left(game: tables.Game, turn: int, step: int) -> bool:
    """Whether the step is one that was there before a rollback to its turn or an earlier one."""
    return step < first_step(game, turn)


def _keep(game: tables.Game, branches: tuple[Branch, ...]) -> None:
    # A new list: the store sees a change of the column only in a new value.
    game.branches = [{**asdict(branch), "redo": list(branch.redo)} for branch in branches]
