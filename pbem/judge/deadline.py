"""The end of the time: for an invitation, for the setup's lists, for a turn (rules.md, "Deadline").

A deadline is a row of the inbox whose received_at is the deadline itself, so that it is played
between the mails before it and those after it. What is done stays; the clock never attacks.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.judge import bank, clock, ladder, outage, people, reached, substitute, turn_end
from pbem.judge.outcome import Outcome
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.judge.setup_lists import finish_setup
from pbem.rules.action import Action, EndTurn, Place
from pbem.rules.adjudicate import Played
from pbem.rules.adjudicate import play as play_action
from pbem.rules.event import Event
from pbem.rules.position import SETUP, Phase
from pbem.rules.refusal import Refusal
from pbem.rules.state import State
from pbem.rules.trade import automatic_set, must_trade
from pbem.store import due, games, inbox, tables
from pbem.store.due import DueGame
from pbem.store.engine import Session
from pbem.store.tables import InboxStatus, SeatStatus, Source

SETTLING = timedelta(seconds=2)
"""How long a deadline waits for mails that came before it and are still being stored."""


def fall_due(session: Session, game: tables.Game) -> None:
    """Put the deadline of the game into its inbox; doing it twice does nothing.

    While the clock is held none falls due.
    """
    assert game.deadline is not None
    if not clock.is_held(session):
        inbox.add(session, [_delivery(game.id, game.branch, game.turn, game.deadline)])


def all_fall_due(session: Session, late: Sequence[DueGame]) -> None:
    """Put many deadlines into their inboxes in one go."""
    inbox.add(session, [_delivery(g.game_id, g.branch, g.turn, g.at) for g in late])
    due.fallen(session, late)


def _delivery(game_id: int, branch: int, turn: int, at: datetime) -> inbox.Delivery:
    return inbox.Delivery(
        source=Source.DEADLINE,
        dedupe_key=f"deadline:{games.public_id(game_id)}:{branch}:{turn}:{at.isoformat()}",
        received_at=at,
        game_id=game_id,
        turn=turn,
        not_before=at + SETTLING,
        reading={},
    )


def play(progress: Progress, row: tables.Inbox) -> Outcome:
    """The deadline's turn to be played; one that was moved or met before does nothing."""
    game = progress.game
    # A worker may be up again before the sweep: what nobody could do must not run out.
    clock.notice(progress.session, progress.house, progress.now)
    outage.catch_up(progress)
    if game.deadline != row.received_at or game.paused_at is not None:
        return Outcome(InboxStatus.IGNORED, "moved")
    if progress.state.phase is Phase.INVITED:
        _ask_again(progress)
    elif progress.state.phase in SETUP:
        finish_setup(progress)
    elif progress.state.phase is not Phase.OVER:
        if _prolonged(progress):
            return Outcome(InboxStatus.DONE, "time-bank")
        run_out(progress)
    return Outcome(InboxStatus.DONE, "deadline")


def _prolonged(progress: Progress) -> bool:
    """Whether the seat on turn has time in its bank, which it gets now and is told of."""
    game, on_turn = progress.game, progress.state.on_turn
    assert on_turn is not None
    assert game.deadline is not None
    saved = bank.spend(progress, progress.seat(on_turn))
    if not saved:
        return False
    game.deadline = progress.options.timetable.opened(game.deadline + saved)
    turn_end.set_reminder(progress)
    told = {"deadline": game.deadline.isoformat()}
    n = f"bank{game.deadline:%Y%m%d%H%M%S}"
    progress.tell(Recipe("note", on_turn, n, {"about": "time-bank", "told": told}))
    return True


def run_out(progress: Progress) -> None:
    """Play the rest of the turn for the seat on it, and close it (orders.md, "Deadline")."""
    state = progress.state
    assert state.on_turn is not None
    late = progress.seat(state.on_turn)
    missed = 0 if late.computer or ladder.has_sent(progress, late) else ladder.miss(progress, late)
    reached.warn(progress, late, late=True)
    span = progress.happened(_play_for(progress.state, progress))
    assert span is not None
    turn_end.settle(progress, state, span, sender=late.letter, automatic=True)
    facts = {"turn": state.turn, "missed": missed, "next_seat": progress.state.on_turn}
    progress.tell(Recipe("late", late.letter, state.turn, facts, events=span))
    substitute.missed(progress, late, missed)


def _play_for(state: State, progress: Progress) -> Played:
    """Forced trades, the armies at hand by the seat's LATE policy, then the end."""
    events: tuple[Event, ...] = ()
    while True:
        action = _next(state, progress)
        played = play_action(state, action, progress.chance)
        assert not isinstance(played, Refusal), played
        state, events = played.state, events + played.events
        if isinstance(action, EndTurn):
            return Played(state, events)


def _next(state: State, progress: Progress) -> Action:
    if must_trade(state, state.hand):
        forced = automatic_set(state, state.hand)
        assert forced is not None
        return forced
    if state.to_place:
        assert state.on_turn is not None
        policy = people.late_policy(progress.seat(state.on_turn))
        if policy.policy == "nothing":
            return EndTurn(forfeit=True)
        own = state.held(state.on_turn)
        if policy.place in own:
            return Place(policy.place, state.to_place)
        return Place(max(own, key=state.threat), state.to_place)
    return EndTurn()


def _ask_again(progress: Progress) -> None:
    """Nobody may wait for ever: the GM is told, and the seats that are silent are asked again."""
    game = progress.game
    silent = [s for s in progress.seats if s.status == SeatStatus.INVITED]
    told = {"seats": [s.letter for s in silent], "names": [s.name for s in silent]}
    game.deadline = progress.now + timedelta(seconds=progress.options.invitation)
    progress.tell_gm(GmNote("unanswered", f"{progress.now:%Y%m%d%H%M%S}", told))
    facts = {"inviter": "", "again": True, "deadline": game.deadline.isoformat()}
    for seat in silent:
        progress.tell(Recipe("invitation", seat.letter, f"{progress.now:%Y%m%d%H%M%S}", facts))
