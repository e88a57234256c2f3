"""The world in a few lines of text: each territory about where it lies, its owner and armies.

Codes stand in small letters and armies right behind the owner, so that no program that looks for
`CODE Name LETTER ARMIES` finds a territory twice, and no line can be read as an order.
"""

from functools import cache

from pbem.render.picture.world import drawable, world
from pbem.rules.board import Code
from pbem.rules.position import Position

COLUMNS, ROWS = 72, 13
STEEP = 16
"""A row is as high as four columns are wide, so that leaving one's row costs so much more."""

Spot = tuple[int, int]
"""Row and column."""


def minimap(position: Position) -> tuple[str, ...]:
    """The lines, none of them wider than a letter; none for a board that has no map."""
    if not drawable(position.board):
        return ()
    labels = {code: _label(position, code) for code in position.board.codes}
    lines = [bytearray(b" " * COLUMNS) for _ in range(ROWS + 2)]
    for code, (row, column) in _spots(max(map(len, labels.values()))).items():
        text = labels[code].encode()
        lines[row][column : column + len(text)] = text
    drawn = [line.decode().rstrip() for line in lines]
    return tuple(line for line in drawn if line)


def _label(position: Position, code: Code) -> str:
    owner = position.owner.get(code)
    return f"{code.lower()} {owner}{position.armies[code]}" if owner else f"{code.lower()} -"


@cache
def _spots(width: int) -> dict[Code, Spot]:
    """Where labels of this width stand, none touching another: from top to bottom, each as near as
    can be to where the map has its badge."""
    badges = world().badges
    left, right = (f(x for x, _ in badges.values()) for f in (min, max))
    top, bottom = (f(y for _, y in badges.values()) for f in (min, max))
    free = {(r, c) for r in range(ROWS + 2) for c in range(COLUMNS - width + 1)}
    spots: dict[Code, Spot] = {}
    for code, (x, y) in sorted(badges.items(), key=lambda badge: badge[1][::-1]):
        column = (x - left) / (right - left) * (COLUMNS - width)
        row = (y - top) / (bottom - top) * (ROWS - 1)
        spot = min(free, key=lambda s: (STEEP * (s[0] - row) ** 2 + (s[1] - column) ** 2, s))
        spots[code] = spot
        free -= {(spot[0], c) for c in range(spot[1] - width, spot[1] + width + 1)}
    return spots
