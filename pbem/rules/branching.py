"""Rollbacks in the list of what happened: which events still count, and what undid the others."""

from collections.abc import Mapping, Sequence

from pbem.rules.event import (
    DiceRenewed,
    Event,
    GameClosed,
    Rolled,
    RolledBack,
    TurnEnded,
    TurnStarted,
    Won,
)

SETUP_LINK = 1


def undone(events: Sequence[Event]) -> tuple[int | None, ...]:
    """For each event the branch that left it out, None for those that count.

    `events` are all of a game's, of all branches. An event stays with the first branch that left
    it out; a rollback goes to an event that counts, so nothing ever counts again.
    """
    marks: list[int | None] = [None] * len(events)
    for place, event in enumerate(events):
        if isinstance(event, RolledBack):
            left_out = marks[event.to : place]
            marks[event.to : place] = [event.branch if mark is None else mark for mark in left_out]
    return tuple(marks)


def closing_links(events: Sequence[Event]) -> Mapping[tuple[int, int], int]:
    """The dice link that was open when a turn closed, by branch and turn; the setup is turn 0."""
    found: dict[tuple[int, int], int] = {}
    branch, places = 0, [(SETUP_LINK, 0)]
    for event in events:
        link, turn = places[-1]
        match event:
            case TurnStarted():
                if turn == 0:
                    found[branch, 0] = link
                link, turn = event.link, event.turn
            case TurnEnded() | Won() | GameClosed():
                found[branch, turn] = link
            case DiceRenewed():
                link = event.link
            case RolledBack():
                branch = event.branch
                link, turn = places[event.to]
        places.append((link, turn))
    return found


def newest_link(events: Sequence[Event]) -> int:
    """The last dice link that was taken, in whatever branch."""
    links = (event.link for event in events if isinstance(event, TurnStarted | DiceRenewed))
    return max(links, default=SETUP_LINK)


def newest_roll(events: Sequence[Event]) -> int:
    """The greatest number of a roll in a turn, in whatever branch; 0 before there was one."""
    return max((event.number for event in events if isinstance(event, Rolled)), default=0)


def counting(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events that count."""
    return tuple(event for event, mark in zip(events, undone(events), strict=True) if mark is None)
