"""A game as somebody asks for it, by mail or on a page: each mistake named with its field."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge import atlas, choosing, invitees, lobby, roles
from pbem.judge.house import House
from pbem.judge.lobby import LobbyError, NewSeat
from pbem.judge.options import Options
from pbem.rules import board as boards
from pbem.rules import setup
from pbem.rules.ruleset import RULESETS, Misfit, Ruleset, RulesetError
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
class Planned:
    """A game that can be made."""

    rules: Ruleset
    options: Options
    seats: tuple[NewSeat, ...]
    language: str


def plan(session: Session, wanted: Wanted) -> Planned | tuple[Misfit, ...]:
    """The game that was asked for, or all that is wrong with it.

    Where something is wrong are its fields: `ruleset`, `language`, `seats`, `seat.red`, an option.
    """
    changes = {name: value for name, value in wanted.options.items() if value}
    if "board" in changes:
        changes["board"] = atlas.named(session, changes["board"])
    faults = [*_unknown(wanted)]
    seats = _seats(wanted, faults)
    if wanted.ruleset in RULESETS:
        faults += choosing.misfits(wanted.ruleset, changes)
    if faults:
        return tuple(faults)
    rules, chosen = choosing.choose(wanted.ruleset, changes, pace=None, remind=())
    try:
        setup.check_seats(rules, len(seats), boards.load(*chosen.board_id))
    except RulesetError as error:
        return (_seated(error.misfit),)
    return Planned(rules, chosen, tuple(seats), wanted.language)


def _unknown(wanted: Wanted) -> Iterator[Misfit]:
    if wanted.ruleset not in RULESETS:
        yield Misfit("ruleset", "no-ruleset", {"value": wanted.ruleset})
    if wanted.language not in invitees.LANGUAGES:
        yield Misfit("language", "no-language", {"value": wanted.language})


def _seats(wanted: Wanted, faults: list[Misfit]) -> list[NewSeat]:
    seats: list[NewSeat] = []
    spoken = wanted.language if wanted.language in invitees.LANGUAGES else invitees.LANGUAGES[0]
    for colour, who in wanted.seats:
        field = f"seat.{colour}"
        try:
            seat = invitees.parse_seat(f"{colour}={who}", spoken)
        except LobbyError:
            faults.append(Misfit(field, "no-person", {"value": who}))
            continue
        if any(colour == other.colour for other in seats):
            faults.append(Misfit(field, "seat-twice"))
        elif twin := next((one for one in seats if _same(one, seat)), None):
            faults.append(Misfit(field, "address-twice", {"other": twin.colour}))
        seats.append(seat)
    return seats


def _same(one: NewSeat, other: NewSeat) -> bool:
    return one.address is not None and one.address.lower() == (other.address or "").lower()


def _seated(misfit: Misfit) -> Misfit:
    """For a wrong number of seats also the rulesets that are for so many."""
    if misfit.code != "seat-count":
        return misfit
    count = misfit.facts["count"]
    fit = [name for name, one in RULESETS.items() if one.min_players <= count <= one.max_players]
    return Misfit(misfit.where, misfit.code, {**misfit.facts, "fit": fit})


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

    Whoever makes it looks after it.
    """
    game = make(session, planned, by, now, entropy)
    if not roles.is_owner(house, by):
        appointments.appoint(session, game.id, by, Office.GM, by=by, now=now)
    return game, lobby.open_game(session, house, game, now, inviter="", start=False)


def make(
    session: Session,
    planned: Planned,
    by: str,
    now: datetime,
    entropy: Callable[[int], bytes],
) -> tables.Game:
    """Make the game, which counts as one of those that somebody made today; ask nobody yet."""
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
    return game
