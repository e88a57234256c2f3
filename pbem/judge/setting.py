"""SET: the keys, what their values must be, and how each takes hold (orders.md, "Keys of SET")."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from pbem.judge import digest, moving, people, standing, turn_end
from pbem.judge.absence import today
from pbem.judge.duration import duration_text, parse_duration
from pbem.judge.invitees import NO_NAMES, clean_name
from pbem.judge.sitting import Sitting
from pbem.orders.service import Defend, Set, Whole
from pbem.orders.sheet import Asked
from pbem.orders.spelling import fold
from pbem.rules.board import Board, Code
from pbem.rules.position import TURN

MOST_TIMES = 5
"""So many reminders a turn may be set."""


def answer(mail: Sitting, asked: Asked) -> None:
    """Keep the value of a key; without a key list them all."""
    order = asked.service
    assert isinstance(order, Set)
    if not order.key:
        mail.pages.append(page(mail))
    else:
        _KEYS[order.key](mail, asked, order.value)


def _keep(mail: Sitting, asked: Asked, key: str, value: str, **facts: str) -> None:
    standing.put(mail.seat, key, value)
    mail.serve(asked, "set", key=key, value=value, **facts)


def _block(mail: Sitting, asked: Asked, value: str) -> None:
    """NONE, or the seats whose messages are not wanted from now on."""
    seats = () if value == "NONE" else _seats(mail, value)
    if seats is None:
        mail.refuse(asked, "block-unknown", value=value)
        return
    standing.put(mail.seat, "BLOCK", " ".join(seats) or "NONE")
    mail.serve(asked, "blocked", to=list(seats))


def _seats(mail: Sitting, written: str) -> tuple[str, ...] | None:
    """The other seats by their letters, names or colours; None if any is none of them."""
    table = people.vocabulary(mail.progress.state.board, mail.progress.seats, mail.seat.language)
    said = {
        fold(word): letter
        for letter, name in table.names.items()
        for word in (*table.nicknames.get(letter, ()), name, letter)
        if letter != mail.seat.letter
    }
    parts = [part for part in re.split(r"[,;\s]+", written.strip(" .")) if part]
    found = [said.get(fold(part)) for part in parts]
    whole = said.get(fold(written.strip(" .")))
    if whole is not None:
        return (whole,)
    return tuple(sorted({one for one in found if one})) if all(found) else None


def _plain(key: str) -> Callable[[Sitting, Asked, str], None]:
    """A key whose values the reader of the mail has checked."""
    return lambda mail, asked, value: _keep(mail, asked, key, value)


def _language(mail: Sitting, asked: Asked, value: str) -> None:
    mail.seat.language = value.lower()
    mail.serve(asked, "set", key="LANGUAGE", value=value)


def _address(mail: Sitting, asked: Asked, value: str) -> None:
    """Nothing is set yet: the old address and the new one are asked, and both must say YES."""
    why_not = moving.ask(mail.progress, mail.seat, value)
    if why_not is not None:
        mail.refuse(asked, why_not, value=value)
    else:
        mail.serve(asked, "address-asked", value=value)


def _zone(mail: Sitting, asked: Asked, value: str) -> None:
    zone = _zones().get(value.casefold().replace(" ", "_").rstrip("."))
    if zone is None:
        mail.refuse(asked, "zone-unknown", value=value)
        return
    mail.seat.zone = zone
    mail.serve(asked, "set", key="ZONE", value=zone)


@cache
def _zones() -> Mapping[str, str]:
    return {zone.casefold(): zone for zone in available_timezones()}


def _name(mail: Sitting, asked: Asked, value: str) -> None:
    """Unique at the table, and nothing that a SAY could read as another seat or as all."""
    name = clean_name(re.sub(r"[,:;|>]", " ", value))
    others = {fold(s.name) for s in mail.progress.seats if s.letter != mail.seat.letter}
    if not any(sign.isalnum() for sign in name):
        mail.refuse(asked, "name-empty")
    elif fold(name) in (others | NO_NAMES) - {mail.seat.colour}:
        mail.refuse(asked, "name-taken", value=name)
    else:
        mail.seat.name = name
        mail.serve(asked, "set", key="NAME", value=name)


def _trade(mail: Sitting, asked: Asked, value: str) -> None:
    standing.put_trade(mail.seat, value, mail.progress.state.turn)
    mail.serve(asked, "set", key="TRADE", value=value)


def _late(mail: Sitting, asked: Asked, value: str) -> None:
    policy, _, place = value.partition(" ")
    if place:
        _keep(mail, asked, "LATE", value, place=place)
    elif policy == "PLACE":
        mail.refuse(asked, "late-place")
    else:
        _keep(mail, asked, "LATE", value)


def _remind(mail: Sitting, asked: Asked, value: str) -> None:
    """ON, OFF or times; a turn that is open is reminded of anew."""
    times = _times(value)
    if times is None:
        mail.refuse(asked, "remind-unreadable", value=value)
        return
    standing.put(mail.seat, "REMIND", times)
    mail.serve(asked, "set", key="REMIND", value=_times_text(times))
    state = mail.progress.state
    if state.on_turn == mail.seat.letter and state.phase in TURN:
        turn_end.set_reminder(mail.progress)


def _times(written: str) -> str | None:
    """ON, OFF, or seconds parted by blanks; None if it is none of these."""
    word = fold(written).strip(" .").upper()
    if word in ("ON", "OFF"):
        return word
    parts = [part for part in re.split(r"[,\s]+", written.strip(" .")) if fold(part) != "and"]
    try:
        seconds = {int(parse_duration(part).total_seconds()) for part in parts}
    except ValueError:
        return None
    fits = len(seconds) <= MOST_TIMES and min(seconds) > 0
    return " ".join(map(str, sorted(seconds, reverse=True))) if fits else None


def _times_text(times: str) -> str:
    if times in ("ON", "OFF"):
        return times
    return ", ".join(duration_text(parse_duration(f"{seconds}s")) for seconds in times.split())


def _news(mail: Sitting, asked: Asked, value: str) -> None:
    if value == "DAILY":
        digest.begin(mail.progress, mail.seat)
    else:
        digest.end(mail.seat)
    if value != "OFF":
        standing.put(mail.seat, standing.QUIET, None)
    _keep(mail, asked, "NEWS", value)


_KEYS: Mapping[str, Callable[[Sitting, Asked, str], None]] = {
    "LANGUAGE": _language,
    "ADDRESS": _address,
    "ZONE": _zone,
    "NAME": _name,
    "TRADE": _trade,
    "LATE": _late,
    "ON FAIL": _plain("ON FAIL"),
    "ON MISTAKE": _plain("ON MISTAKE"),
    "BOARD": _plain("BOARD"),
    "FILE": _plain("FILE"),
    "PICTURE": _plain("PICTURE"),
    "REMIND": _remind,
    "NEWS": _news,
    "BLOCK": _block,
}


def page(mail: Sitting) -> dict[str, Any]:
    """All that holds for the seat, as orders that would set it so."""
    held = standing.of(mail.seat, mail.progress.state.turn)
    return {
        "page": "standing",
        "orders": list(_orders(mail, held)),
        "next_turn": list(held.next_turn),
    }


def _orders(mail: Sitting, held: standing.Standing) -> Iterator[str]:
    seat, board = mail.seat, mail.progress.state.board
    yield f"SET LANGUAGE {seat.language.upper()}"
    yield f"SET ZONE {seat.zone}"
    yield f"SET NAME {seat.name}"
    for key, value in held.values.items():
        shown = _times_text(value) if key == "REMIND" else value
        if key == "BLOCK":
            shown = ", ".join(held.blocked) or value
        if key == "LATE" and held.late_place is not None:
            shown = f"PLACE {_name_of(board, held.late_place, seat.language)}"
        yield f"SET {key} {shown}"
    for order in held.defence:
        yield _defence_text(order, board, seat.language)
    if held.away is not None and held.away.last >= today(mail.progress.now, seat):
        yield f"AWAY {held.away.first} TO {held.away.last}"


def _defence_text(order: Defend, board: Board, language: str) -> str:
    where = str(order.where)
    if not isinstance(order.where, Whole):
        where = _name_of(board, where, language)
    condition = "" if order.at_most is None else f" WHEN AT MOST {order.at_most}"
    return f"DEFEND {where} WITH {order.dice}{condition}"


def _name_of(board: Board, place: str, language: str) -> str:
    named = board.territories.get(Code(place)) or next(
        found for found in board.continents.values() if found.id == place
    )
    return named.names.get(language, named.name)
