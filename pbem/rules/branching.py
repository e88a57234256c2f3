"""Rollbacks in the list of what happened: which events still count, and what undid the others."""

from collections.abc import Sequence

from pbem.rules.event import Event, RolledBack


def undone(events: Sequence[Event]) -> tuple[int | None, ...]:
    """For each event the branch that left it out, None for those that count.

    `events` are all of a game's, of all branches. An event stays with the first branch that left
    it out; a rollback goes to an event that counts, so nothing ever counts again.
    """
    marks: list[int | None] = [None] * len(events)
    for place, event in enumerate(events):
        if isinstance(event, RolledBack):
            for left_out in range(event.to, place):
                if marks[left_out] is None:
                    marks[left_out] = event.branch
    return tuple(marks)


def counting(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events that count."""
    return tuple(event for event, mark in zip(events, undone(events), strict=True) if mark is None)
