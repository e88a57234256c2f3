"""A game as it stood after one of its events: played again from its beginning, and proved.

The record is written up to there and played by the rules. It has to tell the same events, and the
state that was kept at the last close of a turn has to come out bit by bit.
"""

from collections import defaultdict
from collections.abc import Sequence

from pbem.judge import atlas, export
from pbem.judge.gm import ActError
from pbem.rules import notation, record
from pbem.rules.event import Claimed, Event, Filled
from pbem.rules.position import SETUP, Phase
from pbem.rules.replay import replay
from pbem.rules.state import State
from pbem.rules.transcript import read
from pbem.store import games, snapshots, tables
from pbem.store.engine import Session


def state_after(session: Session, game: tables.Game, seq: int) -> tuple[int, State]:
    """The last event that can be gone back to, at or before this one, and the state behind it.

    Not every event is a place to stand: a capture is one with its roll, the end of a turn with the
    start of the next, the draft is played as a whole. ActError.
    """
    rows = games.whole_history(session, game.id)
    if not any(row.seq == seq and row.undone_in is None for row in rows):
        raise ActError("no-event", seq=seq)
    events = [notation.event_from_json(row.body) for row in rows]
    for count in range(seq, 0, -1):
        state = None if _in_a_draft(events, count) else _replayed(session, game, events[:count])
        if state is None or _is_in_a_draft(state, events[count - 1]):
            continue
        if state.phase is Phase.INVITED:
            break
        _prove(session, game, events, count, state)
        return count, state
    raise ActError("no-way-back")


def _in_a_draft(events: Sequence[Event], count: int) -> bool:
    """Whether the next event is of the same draft: then there is no need to play up to here."""
    drafted = (Claimed, Filled)
    return all(isinstance(event, drafted) for event in events[count - 1 : count + 1])


def _is_in_a_draft(state: State, last: Event) -> bool:
    choosing = state.phase in SETUP and state.phase is not Phase.CAPITAL
    return choosing and isinstance(last, Claimed | Filled)


def _replayed(session: Session, game: tables.Game, events: Sequence[Event]) -> State | None:
    """The state behind these events; None if what happened then was more than they tell."""
    unknown: dict[int, record.Closed] = defaultdict(lambda: record.Closed("0" * 8, bytes(32)))
    header = export.header(session, game, with_deck=True)
    replayed = replay(read(record.write(header, events, unknown, public=False)))
    whole = replayed.stopped is None and replayed.events == tuple(events)
    return replayed.state if whole else None


def _prove(
    session: Session, game: tables.Game, events: Sequence[Event], count: int, state: State
) -> None:
    """The last state that was kept on the way comes out as it was kept; ActError."""
    kept = [one for one in snapshots.of_game(session, game.id) if one.last_seq <= count]
    if not kept:
        return
    last = kept[-1]
    if last.last_seq == count:
        found: State | None = state
    else:
        found = _replayed(session, game, events[: last.last_seq])
    if found != atlas.state_from(session, last.state):
        raise ActError("not-proved", seq=count)
