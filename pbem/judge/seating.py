"""Open seats: who may sit down, and how a seat changes from nobody's to somebody's.

A seat is open (`open_since`) from the making of its game until somebody takes it, or while the
computer plays for a player who is gone for good (option `vacant`: replacement).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.judge import luck, turn_end
from pbem.judge.invitees import NO_NAMES, clean_name
from pbem.judge.lobby import begin_if_full
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.orders.spelling import fold
from pbem.rules.position import SETUP, TURN, Phase
from pbem.store import proposals, tables
from pbem.store.tables import SeatStatus


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who wants to play: `colour` as wished (None: any), `luck` a word for the dice."""

    address: str
    name: str
    language: str
    zone: str = "UTC"
    colour: str | None = None
    luck: str | None = None


@dataclass(frozen=True, slots=True)
class NoSeat:
    """Why nobody sat down, by code, with the colours that are free."""

    code: str
    free: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def open_seats(seats: Sequence[tables.Seat]) -> list[tables.Seat]:
    """Those that whoever comes may take."""
    return [
        seat
        for seat in seats
        if seat.open_since is not None and seat.status != SeatStatus.ELIMINATED
    ]


def take(progress: Progress, comer: Newcomer, answers: tables.Inbox | None) -> tables.Seat | NoSeat:
    """Sit down; the seat, or why not. The letter `joined` answers the mail, if there is one.

    The game's lock is held: of two who want one seat the second sees what is left.
    """
    free = open_seats(progress.seats)
    refused = _refusal(progress, comer, free)
    if refused is not None:
        return refused
    seat = next(seat for seat in free if comer.colour in (None, seat.colour))
    former, former_language = seat.address, seat.language
    served = _sit(progress, seat, comer)
    told = {"seat": seat.letter, "before": seat.colour.capitalize(), "after": seat.name}
    _welcome(progress, seat, answers, served)
    if progress.state.phase is Phase.INVITED:
        begin_if_full(progress)
        return seat
    n = f"replaced{seat.key_epoch}"
    facts = {"about": "replaced", "told": told}
    for other in progress.seats:
        if other.letter != seat.letter:
            progress.tell(Recipe("note", other.letter, n, facts))
    if former is not None:
        left = Recipe("note", seat.letter, f"{n}left", facts, to=former, language=former_language)
        progress.tell(left)
    _call(progress, seat)
    return seat


def _refusal(progress: Progress, comer: Newcomer, free: Sequence[tables.Seat]) -> NoSeat | None:
    colours = tuple(seat.colour for seat in free)
    at_table = [
        seat
        for seat in progress.seats
        if seat.address is not None and seat.address.casefold() == comer.address.casefold()
    ]
    if progress.game.over_at is not None:
        return NoSeat("over")
    if at_table:
        return NoSeat("seated", facts={"colour": at_table[0].colour})
    if not free:
        return NoSeat("full")
    if comer.colour is not None and comer.colour not in colours:
        return NoSeat("taken", colours, {"colour": comer.colour})
    if comer.luck is not None and luck.refusal(progress, comer.luck) == "luck-unreadable":
        return NoSeat("luck", colours, {"word": comer.luck[:40]})
    return None


def _sit(progress: Progress, seat: tables.Seat, comer: Newcomer) -> list[dict[str, Any]]:
    """The seat is the newcomer's; what is told of the word for the dice."""
    seat.address, seat.computer, seat.open_since = comer.address, False, None
    seat.name = free_name(progress.seats, seat, comer.name)
    seat.language, seat.zone = comer.language, comer.zone
    seat.key_epoch += 1
    seat.settings, seat.misses, seat.time_saved = {}, [], 0
    seat.news_at = seat.news_from = None
    seat.thread_message_id = seat.last_letter_address = None
    seat.joined_at = progress.now
    served = luck.bring(progress, seat, comer.luck)
    if progress.state.phase is Phase.INVITED:
        seat.status = SeatStatus.JOINED
    proposals.lapse(progress.session, progress.game.id, progress.now, seat=seat.letter)
    progress.session.add(seat)
    return served


def free_name(seats: Sequence[tables.Seat], seat: tables.Seat, wished: str) -> str:
    """The name that was wished for, else that of the colour, if another seat is called so."""
    name = clean_name("".join(" " if sign in ",:;|>@" else sign for sign in wished))
    others = {fold(other.name) for other in seats if other.letter != seat.letter}
    known = any(sign.isalnum() for sign in name)
    return name if known and fold(name) not in others | NO_NAMES else seat.colour.capitalize()


def _welcome(
    progress: Progress,
    seat: tables.Seat,
    answers: tables.Inbox | None,
    served: Sequence[Mapping[str, Any]],
) -> None:
    waiting = [s.letter for s in progress.seats if s.status == SeatStatus.INVITED]
    facts = {
        "taken": len(progress.seats) - len(waiting),
        "waiting": waiting,
        "running": progress.state.phase is not Phase.INVITED,
        "served": list(served),
    }
    n = f"in{seat.key_epoch}" if answers is None else answers.id
    progress.tell(Recipe("joined", seat.letter, n, facts, answers=answers))


def _call(progress: Progress, seat: tables.Seat) -> None:
    """What the running game waits for comes to the new player at once, with the whole time."""
    game, n = progress.game, f"joined{seat.key_epoch}"
    if game.on_turn == seat.letter and progress.state.phase in TURN:
        turn_end.set_deadline(progress, seat)
        turn_end.call(progress, n)
    elif progress.state.phase in SETUP:
        deadline = None if game.deadline is None else game.deadline.isoformat()
        facts = {"deadline": deadline}
        progress.tell(Recipe("setup-call", seat.letter, n, facts, events=(1, progress.last_seq)))
