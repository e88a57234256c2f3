"""The setup by mail: everybody's list, then the draft at once (orders.md, "Setup by mail")."""

from pbem.judge import people, turn_end
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.orders import reader, wishes
from pbem.orders.sheet import Table
from pbem.rules import setup
from pbem.rules.position import SETUP, Phase
from pbem.rules.seat import Seat
from pbem.store import orders, tables

KIND = "draft"


def keep(progress: Progress, seat: tables.Seat, lines: tuple[str, ...], normal: str) -> None:
    """Take a seat's list in place of its earlier one; with the last list the draft is played."""
    orders.put_setup_list(
        progress.session,
        progress.game.id,
        seat.letter,
        KIND,
        progress.now,
        lines=lines,
        normal=[normal],
        inbox_id=progress.cause.id if progress.cause is not None else None,
    )
    if len(orders.setup_lists(progress.session, progress.game.id)) == len(progress.seats):
        finish_setup(progress)


def finish_setup(progress: Progress) -> None:
    """Play the draft from the lists that are there, start turn 1 and tell everybody."""
    before = progress.state
    assert before.phase in SETUP
    table = Table(progress.state.board, people.names(progress.seats))
    lists = {
        Seat(row.seat): wishes.of(reader.read(row.lines, progress.seat(row.seat).language, table))
        for row in orders.setup_lists(progress.session, progress.game.id)
    }
    span = progress.happened(setup.draft(progress.state, lists, progress.chance))
    assert span is not None
    if progress.state.phase is Phase.OVER:
        turn_end.finish(progress, before, span)
        return
    progress.closed_turns.append(0)
    turn_end.begin_turn(progress)
    deadline = progress.game.deadline
    facts = {
        "next_seat": progress.state.on_turn,
        "deadline": None if deadline is None else deadline.isoformat(),
    }
    # The last event is the start of turn 1.
    for seat in progress.seats:
        progress.tell(Recipe("setup-result", seat.letter, 1, facts, events=(span[0], span[1] - 1)))
