"""The end of a game: what is told and shown, and the ends that are no victory.

Those are the draw, the limit of rounds, the dead table, and the game master's word.
"""

from pbem.judge import dice
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.rules.action import CloseGame
from pbem.rules.adjudicate import play
from pbem.rules.branching import SETUP_LINK
from pbem.rules.closing import Ending, leader
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.store import games, proposals
from pbem.store.tables import SeatStatus

Span = tuple[int, int]
"""The numbers of the first and the last event of an act."""


class ClosingError(ValueError):
    """The game cannot end like this; the message says why."""


def close(progress: Progress, how: str, *, winner: str | None = None, reason: str = "") -> None:
    """End the game now; all are told how, with `reason`, and dice and deck are shown.

    `how` is one of `rules.closing.Ending`: ``draw``, ``round-limit``, ``stalled`` or ``gm``. Only
    the GM names a `winner`, the letter of a seat that stands; the round limit's is found here.
    Works in every phase, before the game has begun too. Raises ClosingError.
    """
    before = progress.state
    named = leader(before) if how == Ending.ROUND_LIMIT else winner
    action = CloseGame(how, None if named is None else Seat(named))
    played = play(before, action, progress.chance)
    if isinstance(played, Refusal):
        raise ClosingError(_why(played, action))
    span = progress.happened(played)
    assert span is not None
    finish(progress, before, span, how=how, reason=reason)


def is_at_limit(progress: Progress) -> bool:
    """Whether the last round has been played: as many turns each as there were seats at first."""
    limit, state = progress.options.round_limit, progress.state
    return limit is not None and state.turn > limit * len(state.seats)


def close_at_limit(progress: Progress, before: State, span: Span) -> None:
    """End the game after its last round; `span` are the events of the act that closed it."""
    played = play(progress.state, _at_limit(progress.state), progress.chance)
    assert not isinstance(played, Refusal), played
    last = progress.happened(played)
    assert last is not None
    finish(progress, before, (span[0], last[1]), how=Ending.ROUND_LIMIT)


def _at_limit(state: State) -> CloseGame:
    return CloseGame(Ending.ROUND_LIMIT, leader(state))


def finish(
    progress: Progress, before: State, span: Span, *, how: str = "", reason: str = ""
) -> None:
    """The game is over: everybody is told, and what was secret of it is shown.

    The turn that was won may be the one after `before`: a mission was held until it began. `how`
    is empty where the goal was reached, else one of `rules.closing.Ending`.
    """
    game, state = progress.game, progress.state
    game.over_at = progress.now
    game.deadline = game.next_reminder_at = None
    proposals.lapse(progress.session, game.id, progress.now)
    for turn in range(before.turn, state.turn + 1):
        progress.close_turn(turn)
    first = games.first_event(progress.session, game.id, before.turn) or span[0]
    # A game that ends before it has begun shows the link that its setup would have had.
    links = range(max(before.link, SETUP_LINK), max(state.link, SETUP_LINK) + 1)
    facts = {
        # At the limit of rounds the turn that has begun is nobody's any more.
        "turn": before.turn if how == Ending.ROUND_LIMIT else state.turn,
        "winner": state.winner,
        "how": how,
        "reason": reason,
        "links": [dice.published(game, link) for link in links],
    }
    for seat in progress.seats:
        if seat.status != SeatStatus.DECLINED:
            progress.tell(Recipe("game-over", seat.letter, 1, facts, events=(first, span[1])))


def _why(refusal: Refusal, action: CloseGame) -> str:
    if refusal.reason is Reason.GAME_OVER:
        return "the game is over"
    if action.how not in tuple(Ending):
        return f"a game ends by {', '.join(Ending)}, not by {action.how!r}"
    return f"{action.winner} cannot be named the winner of a game that ends by {action.how}"
