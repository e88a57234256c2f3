"""Dice after a rollback in an open turn: the same for the same orders, else from a new link.

Rolls that were undone are known. As long as the orders that were undone come again, word for word,
their dice come again too; the first that are others take the next unused link.
"""

from pbem.judge import branches
from pbem.judge.progress import Progress
from pbem.rules import notation
from pbem.rules.action import RenewDice
from pbem.rules.adjudicate import play
from pbem.rules.branching import newest_link, newest_roll
from pbem.rules.refusal import Refusal
from pbem.store import games


def settle(progress: Progress, orders: str) -> None:
    """Before orders are run: whether known dice may come again. `orders` is their hash."""
    game = progress.game
    if not game.branches:
        return
    newest = branches.of(game)[-1]
    if not newest.redo or progress.state.link >= newest.link:
        return
    if newest.redo[0] == orders:
        branches.change_newest(game, redo=newest.redo[1:])
    else:
        branches.change_newest(game, redo=())
        renew(progress)


def renew(progress: Progress) -> None:
    """Go on with the next unused link."""
    rows = games.whole_history(progress.session, progress.game.id)
    events = [notation.event_from_json(row.body) for row in rows]
    roll = max(newest_roll(events) + 1, progress.state.next_roll)
    played = play(progress.state, RenewDice(newest_link(events) + 1, roll), progress.chance)
    assert not isinstance(played, Refusal), played
    progress.happened(played)
