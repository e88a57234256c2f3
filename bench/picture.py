"""The board's picture: the work and the size over random positions of two to six seats."""

from collections.abc import Sequence
from functools import partial
from random import Random

from bench.figure import Figure
from bench.scale import Scale
from bench.yardstick import fastest, median
from pbem.render.picture.board import draw, prepare
from pbem.render.picture.scene import Attack, Player, Scene
from pbem.rules import board as boards
from pbem.rules.seat import COLOURS, LETTERS
from tests.render.charts import board_of, scene_on

POSITIONS = 50
SEED = 7
CHARTED = (6, 24, 42, 90)
"""Territories of the boards of other makers."""


def measure(scale: Scale) -> list[Figure]:
    """Drawn by a process that has drawn before."""
    chance = Random(SEED)
    prepare("en")
    worlds = [_scene(chance, 2 + number % 5) for number in range(POSITIONS)]
    counts = CHARTED[: scale.repeats]
    charts = [scene_on(board_of(count), seed) for count in counts for seed in range(5)]
    sizes = f"of {', '.join(map(str, counts))} territories"
    return [
        *_figures(scale, "one picture of the board", worlds, f"{POSITIONS} positions, seed {SEED}"),
        *_figures(scale, "one chart of a board of another maker", charts, sizes),
    ]


def _figures(scale: Scale, name: str, scenes: Sequence[Scene], note: str) -> list[Figure]:
    sizes = [len(draw(scene)) for scene in scenes]
    spans = [fastest(partial(draw, scene), min(3, scale.repeats)) for scene in scenes]
    return [
        Figure(name, median(spans).work, "ms", under=40, note=note),
        Figure("the slowest of them", max(span.work for span in spans), "ms"),
        Figure("the largest of them", max(sizes) / 1000, "kB", under=120),
    ]


def _scene(chance: Random, count: int) -> Scene:
    board, seats = boards.load(), LETTERS[:count]
    owner = {code: chance.choice(seats) for code in board.codes}
    attacks = [
        Attack(source, target, captured=chance.random() < 0.6)
        for source in board.codes
        for target in board.neighbours[source]
        if owner[source] != owner[target] and chance.random() < 0.05
    ]
    return Scene(
        board_id=("classic-world", None),
        language="en",
        title="g7 · Turn 23",
        subtitle="On turn: Red (Anna)",
        players=tuple(
            Player(letter, colour, f"Player {letter}", "7 territories · +3", "24 armies · 2 cards")
            for letter, colour in zip(seats, COLOURS, strict=False)
        ),
        owner=owner,
        armies={code: chance.choice((1, 1, 2, 3, 5, 8, 13, 120)) for code in board.codes},
        changed=tuple(attack.target for attack in attacks),
        captured=tuple(attack.target for attack in attacks if attack.captured),
        attacks=tuple(attacks),
    )
