"""Scenes of the board to draw: random positions by their seed, and a few chosen ones."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pbem.render.picture.scene import Attack, Player, Scene
from pbem.rules import board as boards
from pbem.rules.board import Code, ContinentId
from pbem.rules.seat import COLOURS, LETTERS, NEUTRAL, Seat

BOARD = boards.load()
NAMES = ("Anna", "Bruno", "Chloé", "Žiga Čačkovič", "Emil", "Fatma")


def players(count: int, on_turn: int = 0) -> tuple[Player, ...]:
    """The first so many seats."""
    return tuple(
        Player(
            letter,
            colour,
            name,
            holds="7 territories · +5",
            has="58 armies · 3 cards",
            on_turn=place == on_turn,
        )
        for place, (letter, colour, name) in enumerate(
            zip(LETTERS[:count], COLOURS, NAMES, strict=False)
        )
    )


def random_scene(seed: int, language: str = "en") -> Scene:
    """Two to six seats anywhere, some attacks, now and then a whole continent."""
    chance = Random(seed)
    count = 2 + seed % 5
    seats = LETTERS[:count]
    owner = {code: chance.choice(seats) for code in BOARD.codes}
    for continent in BOARD.continents.values():
        if chance.random() < 0.3:
            owner |= dict.fromkeys(continent.territories, chance.choice(seats))
    armies = {code: chance.choice((1, 1, 2, 3, 4, 5, 8, 11, 24, 118)) for code in BOARD.codes}
    attacks = tuple(
        Attack(source, target, captured=chance.random() < 0.6)
        for source in BOARD.codes
        for target in BOARD.neighbours[source]
        if owner[source] != owner[target] and chance.random() < 0.05
    )
    captured = tuple(attack.target for attack in attacks if attack.captured)
    return Scene(
        board_id=("classic-world", None),
        language=language,
        title=f"g7 · Turn {seed}",
        subtitle="On turn: Red (Anna)",
        players=players(count),
        owner=owner,
        armies=armies,
        changed=tuple(attack.target for attack in attacks),
        captured=captured,
        attacks=attacks,
    )


def _whole(continent: str, seat: Seat) -> dict[Code, Seat]:
    return dict.fromkeys(BOARD.continents[ContinentId(continent)].territories, seat)


_SIX = random_scene(4)
_BARE = replace(random_scene(1), attacks=(), changed=(), captured=())

CHOSEN: Mapping[str, Scene] = {
    "six": _SIX,
    "two-with-neutral": replace(
        _BARE,
        players=players(2),
        owner={code: (*LETTERS[:2], NEUTRAL)[place % 3] for place, code in enumerate(BOARD.codes)},
    ),
    "three-digits": replace(_SIX, armies={code: 100 + n for n, code in enumerate(BOARD.codes)}),
    "continents": replace(
        _SIX,
        owner={**_whole("asia", LETTERS[5]), **_whole("europe", LETTERS[1])}
        | {**_whole("africa", LETTERS[2]), **_whole("australia", LETTERS[3])}
        | {**_whole("north-america", LETTERS[0]), **_whole("south-america", LETTERS[4])},
    ),
    "claiming": replace(
        _BARE,
        title="g7 · Setup",
        players=players(3),
        owner={code: LETTERS[n % 3] for n, code in enumerate(BOARD.codes) if n % 2},
        armies={code: 1 for n, code in enumerate(BOARD.codes) if n % 2},
    ),
}
"""Positions whose pixels are known."""
