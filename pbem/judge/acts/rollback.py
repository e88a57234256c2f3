"""Going back: the game goes on from where it stood after one of its events, in a new branch.

Nothing is deleted. What came since is marked as undone, stays in the record with its dice, and all
are told how often that has happened.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from pbem.judge import branches, past, redo, turn_end
from pbem.judge.acts.act import Act, Flag, Grade, Number
from pbem.judge.acts.notice import moment, of_now, tell_all
from pbem.judge.branches import Branch
from pbem.judge.gm import ActError, Why
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.rules import notation, overrule
from pbem.rules.adjudicate import Played
from pbem.rules.branching import newest_link
from pbem.rules.event import Event, RolledBack
from pbem.rules.position import SETUP, TURN, Phase
from pbem.rules.state import State
from pbem.store import games, orders, proposals, tables
from pbem.store.tables import SeatStatus

Rows = Sequence[tables.Event]


@dataclass(frozen=True, slots=True)
class Rollback(Act):
    """Go back to an event; dice that are known come again for the same orders only.

    With `new_dice` not even then. Dice whose link is shown never come again.
    """

    name: ClassVar[str] = "rollback"
    grade: ClassVar[Grade] = Grade.DEEP
    to: Number
    new_dice: Flag = False

    def play(self, progress: Progress, why: Why) -> None:
        game, before = progress.game, progress.state
        seq, state = past.state_after(progress.session, game, self.to)
        undone = games.events_of(progress.session, game.id, seq + 1)
        if not undone:
            raise ActError("nothing-undone")
        same = None if self.new_dice else _orders_again(progress, state, seq, undone)
        steps = _steps(progress, state)
        _go_back(progress, why, seq, state)
        link = newest_link(_events(progress)) + 1
        branch = Branch(game.branch + 1, seq, link, progress.now.isoformat(), steps, same or ())
        branches.open_branch(game, branch)
        if same is None:
            redo.renew(progress)
        _restore(progress, state)
        _tell(progress, why, before, is_new=same is None)


def _events(progress: Progress) -> list[Event]:
    rows = games.whole_history(progress.session, progress.game.id)
    return [notation.event_from_json(row.body) for row in rows]


def _orders_again(
    progress: Progress, state: State, seq: int, undone: Rows
) -> tuple[str, ...] | None:
    """The orders that may have the same dice again, by hash; None if there must be new ones.

    Only in the turn that is open, since its link is not shown; and no mail may be half undone.
    """
    now = progress.state
    if state.link != now.link or now.phase is Phase.OVER:
        return None
    if not any(row.kind in ("rolled", "order-rolled") for row in undone):
        return ()
    (last,) = games.events_of(progress.session, progress.game.id, seq, seq)
    hashes = tuple(_hashes(progress, undone))
    split = last.inbox_id is not None and last.inbox_id == undone[0].inbox_id
    return None if split or not hashes else hashes


def _hashes(progress: Progress, undone: Rows) -> Iterator[str]:
    """What was ordered, as far as all of it were orders."""
    for inbox_id, _ in groupby(undone, key=lambda row: row.inbox_id):
        found = None if inbox_id is None else orders.handled_in(progress.session, inbox_id)
        if found is None:
            return
        yield found


def _steps(progress: Progress, state: State) -> Mapping[str, int]:
    """How many steps each turn has had that will be played again: as many, or a few more."""
    game = progress.game
    rows = [row for row in games.events_of(progress.session, game.id) if row.turn >= state.turn]
    steps = {}
    for turn, group in groupby(rows, key=lambda row: row.turn):
        causes = {row.inbox_id or -row.seq for row in group}
        steps[str(turn)] = branches.first_step(game, turn) + len(causes)
    return {**steps, str(game.turn): game.step}


def _go_back(progress: Progress, why: Why, seq: int, state: State) -> None:
    """What came since is undone, and the mark of it is the first event of the new branch."""
    game = progress.game
    number = game.branch + 1
    games.undo_events(progress.session, game.id, seq, number)
    by, reason = overrule.signature(why.who), overrule.one_line(why.reason)
    progress.state = state
    progress.happened(Played(state, (RolledBack(seq, number, by, reason),)))


def _restore(progress: Progress, state: State) -> None:
    """The rows beside the state: who stands, what is offered, until when, at which step."""
    game = progress.game
    game.step = branches.first_step(game, state.turn)
    proposals.lapse(progress.session, game.id, progress.now, but=turn_end.LASTING)
    if state.phase is not Phase.OVER:
        game.over_at = None
    for seat in progress.seats:
        if seat.status == SeatStatus.ELIMINATED and seat.letter not in state.eliminated:
            seat.status = SeatStatus.STANDING
        seat.misses = [turn for turn in seat.misses if turn < state.turn]
        progress.session.add(seat)


def _tell(progress: Progress, why: Why, before: State, *, is_new: bool) -> None:
    """All are told, and who has to do something is asked for it, with the whole time."""
    game, state = progress.game, progress.state
    _ask(progress)
    told = {
        "turn": state.turn,
        "seat": state.on_turn if state.phase in TURN else None,
        "undone": before.turn,
        "dice": "new" if is_new else "same",
        "times": game.branch,
    }
    tell_all(progress, "rolled-back", why, told)


def _ask(progress: Progress) -> None:
    game, state = progress.game, progress.state
    game.deadline = game.next_reminder_at = game.warning_at = None
    if state.phase in SETUP:
        game.deadline = progress.options.timetable.ends(progress.now)
        n, facts = of_now(progress, "again"), {"deadline": moment(game)}
        for seat in progress.seats:
            progress.tell(Recipe("setup-call", seat.letter, n, facts))
    elif state.phase in TURN and state.on_turn is not None:
        seat = progress.seat(state.on_turn)
        if not seat.computer:
            turn_end.set_deadline(progress, seat)
            turn_end.call(progress, of_now(progress, "again"))
