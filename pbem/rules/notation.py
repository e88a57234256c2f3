"""Text and JSON forms of positions, states and events; each one reads back as what was written.

A position is one line of `key=value` words, defaults left out: the form of logs, failing tests
and the store, and what the checksum is taken over. A state adds its secrets around that line. The
version of all these forms is `VERSION`; it grows when an old text would be read otherwise.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from pbem.rules.board import BoardError, BoardId, Code, Continent
from pbem.rules.card import Card
from pbem.rules.event import KINDS, Event, kind
from pbem.rules.position import Occupation, Phase, Position
from pbem.rules.ruleset import Ruleset, RulesetError, ruleset
from pbem.rules.seat import Seat
from pbem.rules.state import State

VERSION = 1


class NotationError(ValueError):
    """A text or JSON value is not what this version writes; the message names the part."""


@dataclass(frozen=True, slots=True)
class _Word:
    """One `key=value` of the line: `write` gives "" for the default, `read` gives the fields."""

    key: str
    write: Callable[[Position], str]
    read: Callable[[str], Mapping[str, Any]]


def line(position: Position) -> str:
    """The public side of a position in one line, e.g. ``board=classic-world ... roll=101 link=24``.

    Territories come in the board's order, so equal positions give equal lines.
    """
    written = ((word.key, word.write(position)) for word in _WORDS)
    return " ".join(f"{key}={value}" for key, value in written if value)


def position(text: str) -> Position:
    """The position of a line; raises NotationError for a word that is unknown or unreadable."""
    values: dict[str, Any] = {}
    for part in text.split():
        key, _, value = part.partition("=")
        if key not in _BY_KEY:
            raise NotationError(f"a position has no {key!r}")
        try:
            values.update(_BY_KEY[key].read(value))
        except (ValueError, RulesetError) as error:
            raise NotationError(f"{part!r} is not readable: {error}") from error
    try:
        read = Position(**values)
        read.board.codes  # noqa: B018  # a board that is not there must be told here, not later
    except (TypeError, BoardError) as error:
        raise NotationError(f"the position is not whole: {error}") from error
    return read


def checksum(position: Position) -> str:
    """Eight hexadecimal digits over the public position, alike for a state and all its views.

    Whether a hand of three or four cards holds a set is its owner's secret, and it alone parts
    the phase trade from the one after it, in mid-turn too: trade does not count here.
    """
    after_trading = Phase.PLACE if position.to_place else Phase.ATTACK
    phase = after_trading if position.phase is Phase.TRADE else position.phase
    text = line(replace(position, phase=phase, mid_turn=False))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:8]


def _number(key: str, field: str) -> _Word:
    return _Word(
        key,
        lambda position: str(getattr(position, field) or ""),
        lambda text: {field: int(text)},
    )


def _flag(key: str, field: str) -> _Word:
    return _Word(
        key,
        lambda position: "yes" if getattr(position, field) else "",
        lambda text: {field: _yes(text)},
    )


def _seat(key: str, field: str) -> _Word:
    return _Word(
        key,
        lambda position: getattr(position, field) or "",
        lambda text: {field: Seat(text)},
    )


def _seats(key: str, field: str) -> _Word:
    return _Word(
        key,
        lambda position: "".join(getattr(position, field)),
        lambda text: {field: tuple(Seat(letter) for letter in text)},
    )


def _yes(text: str) -> bool:
    if text != "yes":
        raise ValueError("only yes is written, no is left out")
    return True


def _pairs(text: str) -> list[tuple[str, str]]:
    """`SIA:5,IDO:1` as pairs of texts."""
    pairs = [pair.split(":") for pair in text.split(",")]
    return [(key, value) for key, value in pairs]


def _write_board(position: Position) -> str:
    name, variant = position.board_id
    return name if variant is None else f"{name}/{variant}"


def _read_board(text: str) -> Mapping[str, Any]:
    return {"board_id": _board_id(text)}


def _board_id(text: str) -> BoardId:
    name, slash, variant = text.partition("/")
    return name, variant if slash else None


def _write_ruleset(position: Position) -> str:
    options = (f"{key}:{value}" for key, value in position.ruleset.changes().items())
    return ",".join((position.ruleset.name, *options))


def _read_ruleset(text: str) -> Mapping[str, Any]:
    name, _, options = text.partition(",")
    return {"ruleset": ruleset(name, dict(_pairs(options)) if options else None)}


def _write_land(position: Position) -> str:
    return ",".join(
        f"{code}:{position.owner[code]}{position.armies[code]}"
        for code in position.board.codes
        if code in position.owner
    )


def _read_land(text: str) -> Mapping[str, Any]:
    land = _pairs(text)
    return {
        "owner": {Code(code): Seat(held[:1]) for code, held in land},
        "armies": {Code(code): int(held[1:]) for code, held in land},
    }


def _write_reserve(position: Position) -> str:
    return ",".join(f"{seat}:{position.reserve[seat]}" for seat in sorted(position.reserve))


def _read_reserve(text: str) -> Mapping[str, Any]:
    return {"reserve": {Seat(seat): int(armies) for seat, armies in _pairs(text)}}


def _write_placed(position: Position) -> str:
    placed = position.placed
    return ",".join(f"{code}:{placed[code]}" for code in position.board.codes if code in placed)


def _read_placed(text: str) -> Mapping[str, Any]:
    return {"placed": {Code(code): int(armies) for code, armies in _pairs(text)}}


def _write_capitals(position: Position) -> str:
    return ",".join(f"{seat}:{position.capitals[seat]}" for seat in sorted(position.capitals))


def _read_capitals(text: str) -> Mapping[str, Any]:
    return {"capitals": {Seat(seat): Code(code) for seat, code in _pairs(text)}}


def _write_coming(position: Position) -> str:
    return ",".join(f"{option}:{value}" for option, value in sorted(position.coming.items()))


def _write_occupation(position: Position) -> str:
    move = position.occupation
    return f"{move.source}>{move.target}:{move.least}-{move.most}" if move else ""


def _read_occupation(text: str) -> Mapping[str, Any]:
    way, _, limits = text.partition(":")
    source, target = way.split(">")
    least, most = limits.split("-")
    move = Occupation(Code(source), Code(target), least=int(least), most=int(most))
    return {"occupation": move}


def _roll(position: Position) -> str:
    return "" if position.next_roll == 1 else str(position.next_roll)


_WORDS = (
    _Word("board", _write_board, _read_board),
    _Word("rules", _write_ruleset, _read_ruleset),
    _seats("seats", "seats"),
    _Word("phase", lambda p: p.phase.value, lambda text: {"phase": Phase(text)}),
    _number("turn", "turn"),
    _seat("on", "on_turn"),
    _seat("first", "first"),
    _Word("land", _write_land, _read_land),
    _Word("reserve", _write_reserve, _read_reserve),
    _number("to-place", "to_place"),
    _Word("placed", _write_placed, _read_placed),
    _number("sets", "sets_traded"),
    _flag("bonus-taken", "bonus_taken"),
    _flag("mid-turn", "mid_turn"),
    _flag("captured", "captured"),
    _Word("occupation", _write_occupation, _read_occupation),
    _flag("rolled", "rolled"),
    _seats("out", "eliminated"),
    _seat("winner", "winner"),
    _Word("roll", _roll, lambda text: {"next_roll": int(text)}),
    _number("link", "link"),
    _Word("capitals", _write_capitals, _read_capitals),
    _Word("coming", _write_coming, lambda text: {"coming": dict(_pairs(text))}),
)
_BY_KEY = {word.key: word for word in _WORDS}


def drawing(position: Position) -> str:
    """The board for people: a line of the moment, then each continent with owners and armies."""
    moment = line(replace(position, owner={}, armies={}))
    continents = (_continent(position, c) for c in position.board.continents.values())
    return "\n".join((moment, *continents))


def _continent(position: Position, continent: Continent) -> str:
    held = [
        f"{code} {position.owner.get(code, '-')} {position.armies.get(code, 0):<3}"
        for code in continent.territories
    ]
    rows = ["  " + "  ".join(held[start : start + 6]).rstrip() for start in range(0, len(held), 6)]
    return "\n".join((f"{continent.name} {continent.bonus}", *rows))


def state_to_json(state: State) -> dict[str, Any]:
    """A state with its secrets as plain JSON: only for the store, never for a letter."""
    return {
        "v": VERSION,
        "position": line(state),
        "hands": {seat: list(state.hands[seat]) for seat in sorted(state.hands)},
        "deck": list(state.deck),
        "discards": list(state.discards),
        "reshuffles": state.reshuffles,
        "missions": dict(state.missions),
        "held_since": dict(state.held_since),
        "chosen": dict(state.chosen),
        "began_with": dict(state.began_with),
    }


def state_from_json(data: Mapping[str, Any]) -> State:
    """The state that was written; raises NotationError for another version or a broken value."""
    version = data.get("v")
    if version != VERSION:
        raise NotationError(f"the state has version {version!r}, this program reads {VERSION}")
    try:
        public = position(data["position"])
        return State(
            **{field.name: getattr(public, field.name) for field in fields(Position)},
            hands={Seat(seat): _cards(hand) for seat, hand in data["hands"].items()},
            deck=_cards(data["deck"]),
            discards=_cards(data["discards"]),
            reshuffles=int(data["reshuffles"]),
            # States of before there were missions and capitals have none.
            missions={Seat(seat): name for seat, name in data.get("missions", {}).items()},
            held_since={Seat(seat): n for seat, n in data.get("held_since", {}).items()},
            chosen={Seat(seat): Code(code) for seat, code in data.get("chosen", {}).items()},
            began_with=dict(data.get("began_with", {})),
        )
    except KeyError as error:
        raise NotationError(f"the state has no {error}") from error


def board_of(data: Mapping[str, Any]) -> BoardId:
    """The board of a state that was written, without reading the rest; raises NotationError."""
    return _board_id(_word_of(data, "board"))


def ruleset_of(data: Mapping[str, Any]) -> Ruleset:
    """The rules of a state that was written, without reading the rest; raises NotationError."""
    found: Ruleset = _read_ruleset(_word_of(data, "rules"))["ruleset"]
    return found


def _word_of(data: Mapping[str, Any], name: str) -> str:
    for word in str(data.get("position", "")).split():
        if word.startswith(f"{name}="):
            return word.removeprefix(f"{name}=")
    raise NotationError(f"the state has no {name}")


def _cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in names)


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON, its kind first, e.g. ``{"kind": "placed", "seat": "A", ...}``."""
    values = {field.name: _thawed(getattr(event, field.name)) for field in fields(event)}
    return {"kind": kind(event), **values}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event that was written; raises NotationError for an unknown kind or wrong fields."""
    values = {key: _frozen(value) for key, value in data.items() if key != "kind"}
    event = KINDS.get(data.get("kind", ""))
    if event is None:
        raise NotationError(f"there is no event of kind {data.get('kind')!r}")
    try:
        return event(**values)
    except TypeError as error:
        raise NotationError(f"the event {data['kind']!r} is not whole: {error}") from error


def _thawed(value: Any) -> Any:
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
