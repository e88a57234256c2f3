"""Small boards made at random: few territories bring out what a large one seldom shows.

A whole board in one hand, a neutral army of two territories, a pile that runs empty.
"""

from hypothesis import strategies as st

from pbem.rules import board as boards
from pbem.rules.board import BoardId
from pbem.rules.chart import SYMBOLS


@st.composite
def small_boards(draw: st.DrawFn) -> BoardId:
    """A board of 6 to 14 territories in 1 to 4 continents, known to `load` from now on.

    Each territory has a border with one of those before it, so that the board is in one piece;
    a few more borders close rings.
    """
    size = draw(st.integers(6, 14))
    continents = draw(st.integers(1, 4))
    edges = {(draw(st.integers(0, place - 1)), place) for place in range(1, size)}
    places = st.integers(0, size - 1)
    for one, other in draw(st.lists(st.tuples(places, places), max_size=size)):
        if one != other:
            edges.add((min(one, other), max(one, other)))
    ids = [f"land-{place}" for place in range(size)]
    data = {
        "map": {"id": "small", "name": "Small", "wild_cards": draw(st.integers(0, 3))},
        "continent": [
            {"id": f"part-{n}", "name": f"Part {n}", "bonus": draw(st.integers(0, 4))}
            for n in range(continents)
        ],
        "territory": [
            {
                "code": f"TE{chr(ord('A') + place)}",
                "id": ids[place],
                "name": f"Land {place}",
                "continent": f"part-{place % continents}",
                "card": draw(st.sampled_from(SYMBOLS)),
            }
            for place in range(size)
        ],
        "adjacency": {"edges": [[ids[one], ids[other]] for one, other in sorted(edges)]},
    }
    board = boards.keep(boards.canonical(data))
    return board.id, None


CLASSIC = [(boards.CLASSIC, variant) for variant in (None, *boards.variants())]
BOARDS = st.one_of(st.sampled_from(CLASSIC), small_boards())
"""The classic world with all its variants, and small boards."""
