"""The board and the table of players as facts in rows; templates put words and widths to them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pbem.rules.board import Code, Continent, ContinentId
from pbem.rules.position import SETUP, Position
from pbem.rules.reinforce import reinforcements
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.view import View


@dataclass(frozen=True, slots=True)
class Head:
    """A continent, the armies that it brings (rule 3) and who holds it whole."""

    continent: ContinentId
    bonus: int
    holder: Seat | None


@dataclass(frozen=True, slots=True)
class Land:
    """A territory; `owner` None and no armies: still free. `changed` marks it for the reader."""

    code: Code
    owner: Seat | None
    armies: int
    changed: bool


Cell = Head | Land | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What the table shows of a seat; `income` is what its turn would begin with now (rule 3)."""

    seat: Seat
    territories: int
    armies: int
    income: int
    cards: int
    continents: tuple[ContinentId, ...]
    eliminated: bool
    on_turn: bool


@dataclass(frozen=True, slots=True)
class Front:
    """A territory of the reader's with the enemies next to it, the largest first."""

    code: Code
    armies: int
    enemies: tuple[Land, ...]


def rows(position: Position, changed: Collection[Code] = ()) -> tuple[tuple[Cell, Cell], ...]:
    """The whole board in two columns of nearly equal height, continents in the board's order."""
    one, other = _columns(
        [_block(position, c, changed) for c in position.board.continents.values()]
    )
    return tuple(zip_longest(one, other))


def continents(
    position: Position, changed: Collection[Code] = ()
) -> tuple[tuple[Head, tuple[Land, ...]], ...]:
    """The whole board as one list: each continent with its territories."""
    return tuple(
        (_head(position, continent), tuple(_lands(position, continent, changed)))
        for continent in position.board.continents.values()
    )


def standings(view: View) -> tuple[Standing, ...]:
    """All seats in their order, the eliminated too; then the neutral army, if it is there."""
    neutral = (NEUTRAL,) if NEUTRAL in view.owner.values() else ()
    return tuple(_standing(view, seat) for seat in (*view.seats, *neutral))


def fronts(view: View) -> tuple[Front, ...]:
    """The reader's territories that have enemies, where the largest enemy has most to spare first.

    So what may fall stands on top, and what may attack at the end.
    """
    if view.reader is None:
        return ()
    found = [
        Front(code, view.armies[code], _enemies(view, code))
        for code in view.held(view.reader)
        if view.threat(code)
    ]
    return tuple(sorted(found, key=lambda front: front.armies - front.enemies[0].armies))


def _enemies(view: View, code: Code) -> tuple[Land, ...]:
    lands = (
        Land(enemy, view.owner[enemy], view.armies[enemy], changed=False)
        for enemy in view.enemies(code)
        if enemy in view.owner
    )
    return tuple(sorted(lands, key=lambda land: -land.armies))


def _standing(view: View, seat: Seat) -> Standing:
    due = reinforcements(view, seat)
    return Standing(
        seat=seat,
        territories=due.territories,
        armies=sum(view.armies[code] for code, owner in view.owner.items() if owner == seat),
        income=due.armies if due.territories and seat != NEUTRAL else 0,
        cards=view.hand_sizes.get(seat, 0),
        continents=tuple(continent for continent, _ in due.continents),
        eliminated=seat in view.eliminated,
        # All lists of the setup are waited for at once, whoever its steps begin with.
        on_turn=seat == view.on_turn and view.phase not in SETUP,
    )


def _block(position: Position, continent: Continent, changed: Collection[Code]) -> list[Cell]:
    return [_head(position, continent), *_lands(position, continent, changed)]


def _head(position: Position, continent: Continent) -> Head:
    holders = {position.owner.get(code) for code in continent.territories}
    return Head(continent.id, continent.bonus, holders.pop() if len(holders) == 1 else None)


def _lands(position: Position, continent: Continent, changed: Collection[Code]) -> Iterator[Land]:
    for code in continent.territories:
        yield Land(
            code, position.owner.get(code), position.armies.get(code, 0), changed=code in changed
        )


def _columns(blocks: Sequence[list[Cell]]) -> tuple[list[Cell], list[Cell]]:
    """Blocks are kept whole and in order; the cut makes the higher column as low as can be."""
    cuts = ((_stacked(blocks[:cut]), _stacked(blocks[cut:])) for cut in range(1, len(blocks) + 1))
    return min(cuts, key=lambda pair: max(map(len, pair)))


def _stacked(blocks: Sequence[list[Cell]]) -> list[Cell]:
    stack: list[Cell] = []
    for block in blocks:
        stack += [None, *block] if stack else block
    return stack
