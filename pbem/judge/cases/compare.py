"""What a case expected and what came, as sentences for people who mend rules or cases."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.judge.cases.case import Case
from pbem.judge.cases.play import Course
from pbem.rules.notation import drawing
from pbem.rules.seat import Seat

Check = Callable[[Any, Course, Mapping[str, Seat]], Iterator[str]]


def failures(case: Case, course: Course, seats: Mapping[str, Seat]) -> list[str]:
    """Every expectation that was not met; empty where the case passes."""
    found = [
        line
        for name, check in CHECKS.items()
        if name in case.expect
        for line in check(case.expect[name], course, seats)
    ]
    if course.error is not None:
        found.append(course.error.strip().splitlines()[-1])
    if course.dice_left and "dice_used" not in case.expect:
        found.append(f"dice: {course.dice_left} of the given faces were not rolled")
    return found


def report(case: Case, course: Course, found: list[str]) -> str:
    """A failed case with the position before and after."""
    head = f"{case.id}: {case.title} (rule {case.rule})"
    lines = (f"  - {line}" for line in found)
    before, after = drawing(course.before), drawing(course.after)
    return "\n".join([head, *lines, "before:", before, "after:", after])


def _differs(name: str, expected: Any, came: Any) -> Iterator[str]:
    if expected != came:
        yield f"{name}: expected {expected!r}, came {came!r}"


def _holdings(
    expected: Mapping[str, Mapping[str, int]], course: Course, seats: Mapping[str, Seat]
) -> Iterator[str]:
    after = course.after
    for colour, held in expected.items():
        for code, armies in held.items():
            came = (_colour(after.owner.get(code), seats), after.armies.get(code))  # type: ignore[call-overload]  # codes of a file
            yield from _differs(f"holdings {code}", (colour, armies), came)


def _hands(
    expected: Mapping[str, int | list[str]], course: Course, seats: Mapping[str, Seat]
) -> Iterator[str]:
    for colour, cards in expected.items():
        hand = course.after.hands[seats[colour]]
        came: Any = len(hand) if isinstance(cards, int) else sorted(hand)
        wanted = cards if isinstance(cards, int) else sorted(cards)
        yield from _differs(f"hand of {colour}", wanted, came)


def _colour(seat: Seat | None, seats: Mapping[str, Seat]) -> str:
    return next((colour for colour, letter in seats.items() if letter == seat), "")


def _field(name: str) -> Check:
    def check(expected: Any, course: Course, _seats: Mapping[str, Seat]) -> Iterator[str]:
        came = getattr(course.after, name)
        yield from _differs(name, expected, list(came) if isinstance(expected, list) else came)

    return check


def _seat(name: str, attribute: str) -> Check:
    def check(expected: str, course: Course, seats: Mapping[str, Seat]) -> Iterator[str]:
        yield from _differs(name, expected, _colour(getattr(course.after, attribute), seats))

    return check


def _eliminated(expected: list[str], course: Course, seats: Mapping[str, Seat]) -> Iterator[str]:
    came = [_colour(seat, seats) for seat in course.after.eliminated]
    yield from _differs("eliminated", sorted(expected), sorted(came))


def _reserve(
    expected: Mapping[str, int], course: Course, seats: Mapping[str, Seat]
) -> Iterator[str]:
    for colour, armies in expected.items():
        yield from _differs(f"reserve of {colour}", armies, course.after.reserve[seats[colour]])


def _result(expected: str, course: Course, _seats: Mapping[str, Seat]) -> Iterator[str]:
    yield from _differs("result", expected, course.kind)


def _mistakes(expected: list[str], course: Course, _seats: Mapping[str, Seat]) -> Iterator[str]:
    came = [mistake["code"] for mistake in course.facts.get("mistakes", ())]
    yield from _differs("mistakes", expected, came)


def _skipped(expected: list[int], course: Course, _seats: Mapping[str, Seat]) -> Iterator[str]:
    yield from _differs("skipped", expected, list(course.facts.get("skipped", ())))


def _dice_used(expected: int, course: Course, _seats: Mapping[str, Seat]) -> Iterator[str]:
    yield from _differs("dice_used", expected, course.dice_used)


def _events(expected: list[str], course: Course, _seats: Mapping[str, Seat]) -> Iterator[str]:
    yield from _differs("events", expected, list(course.events))


def _see(
    expected: Mapping[str, Mapping[str, list[str]]], course: Course, seats: Mapping[str, Seat]
) -> Iterator[str]:
    for colour, words in expected.items():
        text = _unwrapped(course.letters[seats[colour]])
        for word in words.get("has", ()):
            if _unwrapped(word) not in text:
                yield f"see: no letter to {colour} says {word!r}"
        for word in words.get("not", ()):
            if _unwrapped(word) in text:
                yield f"see: a letter to {colour} says {word!r}"


def _unwrapped(text: str) -> str:
    """Without the line breaks that a letter has put between two words."""
    return " ".join(text.split())


CHECKS: Mapping[str, Check] = {
    "result": _result,
    "mistakes": _mistakes,
    "skipped": _skipped,
    "holdings": _holdings,
    "hands": _hands,
    "phase": _field("phase"),
    "to_place": _field("to_place"),
    "captured": _field("captured"),
    "sets_traded": _field("sets_traded"),
    "deck": _field("deck"),
    "discards": _field("discards"),
    "turn": _seat("turn", "on_turn"),
    "winner": _seat("winner", "winner"),
    "eliminated": _eliminated,
    "reserve": _reserve,
    "dice_used": _dice_used,
    "events": _events,
    "see": _see,
}
