"""The setup by mail: everybody's list, then the draft at once (orders.md, "Setup by mail")."""

from pbem.judge import closing, people, turn_end
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.orders import reader, wishes
from pbem.orders.sheet import Sheet, Table
from pbem.rules import setup
from pbem.rules.position import SETUP, Phase
from pbem.rules.seat import Seat
from pbem.store import orders, tables


def kind(phase: Phase) -> str:
    """Which lists the game waits for: those for the draft, or the capitals."""
    return "capital" if phase is Phase.CAPITAL else "draft"


def kept(progress: Progress) -> list[tables.SetupList]:
    """The lists that have come so far, of the kind that the game waits for."""
    game = progress.game
    rows = orders.setup_lists(progress.session, game.id, branch=game.branch)
    return [row for row in rows if row.kind == kind(progress.state.phase)]


def has_list(progress: Progress, seat: tables.Seat) -> bool:
    """Whether the seat's list has come."""
    return any(row.seat == seat.letter for row in kept(progress))


def wishes_nothing(sheet: Sheet) -> bool:
    """Whether a list has no wish in it: END alone is one, and takes no earlier one away."""
    return wishes.of(sheet) == setup.Wishes()


def keep(progress: Progress, seat: tables.Seat, lines: tuple[str, ...], normal: str) -> None:
    """Take a seat's list in place of its earlier one; with the last list the draft is played."""
    orders.put_setup_list(
        progress.session,
        progress.game.id,
        seat.letter,
        kind(progress.state.phase),
        progress.now,
        lines=lines,
        normal=[normal],
        inbox_id=progress.cause.id if progress.cause is not None else None,
        branch=progress.game.branch,
    )
    if len(kept(progress)) == len(progress.seats):
        finish_setup(progress)


def finish_setup(progress: Progress) -> None:
    """Play the draft from the lists that are there, and tell everybody what comes next.

    That is turn 1, or the choice of capitals, for which this is called once more.
    """
    before = progress.state
    assert before.phase in SETUP
    table = Table(progress.state.board, people.names(progress.seats))
    lists = {
        Seat(row.seat): wishes.of(reader.read(row.lines, progress.seat(row.seat).language, table))
        for row in kept(progress)
    }
    span = progress.happened(setup.draft(progress.state, lists, progress.chance))
    if progress.state.phase is Phase.CAPITAL:
        _ask_for_capitals(progress)
        return
    assert span is not None
    if progress.state.phase is Phase.OVER:
        closing.finish(progress, before, span)
        return
    progress.close_turn(0)
    turn_end.begin_turn(progress)
    deadline = progress.game.deadline
    facts = {
        "next_seat": progress.state.on_turn,
        "deadline": None if deadline is None else deadline.isoformat(),
    }
    # With capitals the draft was told in two parts. The last event is the start of turn 1.
    first = span[0] if before.phase is not Phase.CAPITAL else 1
    for seat in progress.seats:
        progress.tell(Recipe("setup-result", seat.letter, 1, facts, events=(first, span[1] - 1)))


def _ask_for_capitals(progress: Progress) -> None:
    """The board is full: every seat is asked for its capital, with the pace's time for it."""
    game = progress.game
    game.step += 1
    game.deadline = progress.options.setup_timetable.ends(progress.now)
    facts = {"deadline": game.deadline.isoformat()}
    for seat in progress.seats:
        progress.tell(Recipe("setup-call", seat.letter, 2, facts))
