"""A game as somebody asks for it, by mail or on a page: each mistake named with its field."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbem.judge import atlas, invitees, lobby, options, roles
from pbem.judge.house import House
from pbem.judge.lobby import LobbyError, NewSeat
from pbem.judge.options import OptionError, Options
from pbem.rules.ruleset import RULESETS, Ruleset, RulesetError
from pbem.store import appointments, audit, tables
from pbem.store import lobby as callers
from pbem.store.engine import Session
from pbem.store.tables import Office

NEW_GAME = "new-game"
DAY = timedelta(days=1)
MOST_A_DAY = 3
"""So many games a day may somebody make who does not own the house: each writes to strangers."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was written: `seats` as colour and who sits there, as `--seat` writes it."""

    ruleset: str
    options: Mapping[str, str]
    seats: Sequence[tuple[str, str]]
    language: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a field (`ruleset`, `seats`, `seat.red`, or an option); by code."""

    where: str
    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """A game that can be made."""

    rules: Ruleset
    options: Options
    seats: tuple[NewSeat, ...]
    language: str


def plan(session: Session, wanted: Wanted) -> Planned | tuple[Fault, ...]:
    """The game that was asked for, or all that is wrong with it."""
    faults: list[Fault] = []
    if wanted.ruleset not in RULESETS:
        faults.append(Fault("ruleset", "no-ruleset", {"value": wanted.ruleset}))
    if wanted.language not in invitees.LANGUAGES:
        faults.append(Fault("language", "no-language", {"value": wanted.language}))
    changes = {name: value for name, value in wanted.options.items() if value}
    if "board" in changes:
        changes["board"] = atlas.named(session, changes["board"])
    seats = _seats(wanted, faults)
    if faults:
        return tuple(faults)
    try:
        rules, chosen = options.choose(wanted.ruleset, changes, pace=None, remind=())
    except (OptionError, RulesetError) as error:
        return tuple(_blamed(wanted.ruleset, changes, str(error)))
    try:
        lobby.check_seats(seats, rules, allow_same=False)
    except LobbyError:
        return (_seats_fault(seats, rules),)
    return Planned(rules, chosen, tuple(seats), wanted.language)


def _seats(wanted: Wanted, faults: list[Fault]) -> list[NewSeat]:
    seats: list[NewSeat] = []
    for colour, who in wanted.seats:
        try:
            seats.append(invitees.parse_seat(f"{colour}={who}", wanted.language))
        except LobbyError:
            faults.append(Fault(f"seat.{colour}", "no-person", {"value": who}))
    return seats


def _blamed(ruleset: str, changes: Mapping[str, str], told: str) -> list[Fault]:
    """The options that do not do by themselves; else all that was chosen, for it clashes."""
    faults = []
    for name, value in changes.items():
        try:
            options.choose(ruleset, {name: value}, pace=None, remind=())
        except (OptionError, RulesetError):
            faults.append(Fault(name, "bad-option", {"name": name, "value": value}))
    name = told.partition(":")[0]
    clash = Fault(name if name in changes else "options", "clash", {"names": sorted(changes)})
    return faults or [clash]


def _seats_fault(seats: Sequence[NewSeat], rules: Ruleset) -> Fault:
    facts = {"least": rules.min_players, "most": rules.max_players, "count": len(seats)}
    if not rules.min_players <= len(seats) <= rules.max_players:
        return Fault("seats", "seat-count", facts)
    return Fault("seats", "seat-twice", facts)


def may(session: Session, house: House, address: str, now: datetime) -> bool:
    """Whether somebody may make one more game today: game masters as many as they like."""
    if _is_master(session, house, address):
        return True
    since = now - DAY
    return house.is_open and callers.times(session, address, NEW_GAME, since) < MOST_A_DAY


def _is_master(session: Session, house: House, address: str) -> bool:
    """Whether somebody owns the house, or was made a game master in it by another."""
    made = appointments.of_address(session, address)
    by_others = any(held.office is Office.GM and held.by != address for held in made)
    return roles.is_owner(house, address) or by_others


def found(
    session: Session,
    house: House,
    planned: Planned,
    by: str,
    now: datetime,
    entropy: Callable[[int], bytes],
) -> tuple[tables.Game, tuple[int, ...]]:
    """Make the game and send the invitations; the game, and the outbox ids of its letters.

    Whoever makes it and sits in it has joined by that.
    """
    game = lobby.create(
        session,
        now,
        ruleset=planned.rules,
        options=planned.options,
        seats=planned.seats,
        language=planned.language,
        entropy=entropy,
    )
    callers.came(session, by, NEW_GAME, now)
    audit.record(session, now, who=by, what=NEW_GAME, game_id=game.id)
    if not roles.is_owner(house, by):
        appointments.appoint(session, game.id, by, Office.GM, by=by, now=now)
    return game, lobby.open_game(session, house, game, now, inviter="", start=False)
