"""The dice of a game's row: which secret belongs to which turn, and when it may be shown."""

from collections.abc import Callable

from pbem.judge import branches
from pbem.rules import fair
from pbem.rules.dice import Chance
from pbem.store import games, tables

ChanceOf = Callable[[tables.Game, int], Chance]
"""The chance for a game's turn with that link; tests and cases give their own."""


def chance(game: tables.Game, link: int) -> Chance:
    """The proved dice of one turn."""
    return fair.FairDice(
        game=games.public_id(game.id),
        link=link,
        secret=fair.link_secret(game.chain_last, link),
        luck=game.luck,
        deck_seed=game.deck_seed,
        branch=branches.label(game, link),
    )


def published(game: tables.Game, link: int) -> tuple[int, str]:
    """A link whose turn is closed: its number and its secret in hex."""
    return link, fair.link_secret(game.chain_last, link).hex()
