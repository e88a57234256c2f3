"""Facts of a recipe as they were before JSON made texts and lists of them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from pbem.orders.mistake import Mistake, Note
from pbem.orders.sheet import Ignored
from pbem.render import contexts
from pbem.rules.seat import Seat


def moment(text: str | None) -> datetime | None:
    """A moment from its ISO form."""
    return None if text is None else datetime.fromisoformat(text)


def seat(letter_or_none: str | None) -> Seat | None:
    """A seat from its letter."""
    return None if letter_or_none is None else Seat(letter_or_none)


def notes(stored: Sequence[Mapping[str, Any]]) -> tuple[Note, ...]:
    """What was noted of the lines of a mail."""
    return tuple(Note(note["code"], note["line"], _frozen(note["facts"])) for note in stored)


def mistake(stored: Mapping[str, Any]) -> Mistake:
    """One mistake."""
    return Mistake(stored["code"], stored["line"], stored["quoted"], _frozen(stored["facts"]))


def ignored(facts: Mapping[str, Any]) -> tuple[Ignored, ...]:
    """The lines that were taken for chatter."""
    return tuple(Ignored(*stored) for stored in facts.get("ignored", ()))


def served(facts: Mapping[str, Any]) -> tuple[contexts.Served, ...]:
    """What the services of a mail did, or why they could not."""
    return tuple(
        contexts.Served(
            one["code"],
            {name: _told(value) for name, value in one["facts"].items()},
            one["refused"],
        )
        for one in facts.get("served", ())
    )


def correction(facts: Mapping[str, Any]) -> contexts.Correction | None:
    """That the answered mail was corrected by the game master."""
    found = facts.get("correction")
    if found is None:
        return None
    return contexts.Correction(date.fromisoformat(found["day"]), found["reason"])


def _told(value: Any) -> contexts.Told:
    """A fact as it was before JSON: days are marked, tuples had become lists."""
    if isinstance(value, dict):
        return date.fromisoformat(value["day"])
    fact: contexts.Told = _tuples(value)
    return fact


def _frozen(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as they were before JSON made lists of tuples."""
    return {name: _tuples(value) for name, value in facts.items()}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
