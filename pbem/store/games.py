"""Games: their lock, their state, their seats and the list of what happened in them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, insert, or_, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, select

from pbem.store.insertion import core
from pbem.store.tables import Document, Event, Game, Seat, SeatStatus

STATE_COLUMNS = ("state", "phase", "turn", "on_turn", "version")
"""What `save` writes, and nothing else does."""

Name = tuple[str, str]
"""A game's public name and a seat's letter, as an address of ours says them."""

_NO_END = 2**31 - 1
_PUBLIC_ID = re.compile(r"[gG]([1-9][0-9]{0,8})")


# What every mail asks stands here built once: building it takes longer than running it.
_OF_GAME: Any = col(Game.id) == bindparam("game")
_ONE = select(Game).where(_OF_GAME)
_LOCKED = _ONE.with_for_update(key_share=True).execution_options(populate_existing=True)
_SAVE = (
    update(core(Game))
    .where(core(Game).c.id == bindparam("game"), core(Game).c.version == bindparam("read"))
    .values({name: bindparam(f"new_{name}") for name in STATE_COLUMNS})
)
_SEATS = select(Seat).where(Seat.game_id == bindparam("game")).order_by(Seat.letter)
_S, _G, _E = core(Seat).c, core(Game).c, core(Event).c
_DEADLINE: Any = select(_G.deadline).where(_G.id == bindparam("game"))
_TOKEN_SEATS: Any = (
    select(_S.game_id, _S.letter, _S.key_epoch, _S.address, _S.status, _G.over_at)  # type: ignore[call-overload]
    .join_from(core(Seat), core(Game), _G.id == _S.game_id)
    .where(_S.game_id.in_(bindparam("games", expanding=True)))
)
_COMPUTER: Any = (
    select(_S.letter).where(_S.game_id == bindparam("game"), _S.computer.is_(True)).limit(1)
)
_COUNTS: Any = col(Event.undone_in).is_(None)
_EVENTS = select(Event).where(Event.game_id == bindparam("game"))
_WHOLE_SPAN = _EVENTS.where(
    Event.seq >= bindparam("first"), Event.seq <= bindparam("last")
).order_by(col(Event.seq))
_SPAN = _WHOLE_SPAN.where(
    or_(_COUNTS, col(Event.undone_in) > bindparam("branch", type_=Integer)),
)
_BODIES: Any = (
    select(_E.body)
    .where(
        _E.game_id == bindparam("game"),
        _E.seq.between(bindparam("first"), bindparam("last")),
        or_(_E.undone_in.is_(None), _E.undone_in > bindparam("branch")),
    )
    .order_by(_E.seq)
)
_NEWEST: Any = (
    select(_E.seq, _E.body)
    .where(_E.game_id == bindparam("game"), _E.kind == bindparam("kind"), _E.undone_in.is_(None))
    .order_by(_E.seq.desc())
    .limit(bindparam("limit", type_=Integer))
)
_FIRST_OF_TURN: Any = (
    select(_E.seq)
    .where(_E.game_id == bindparam("game"), _E.turn == bindparam("turn"), _E.undone_in.is_(None))
    .order_by(_E.seq)
    .limit(1)
)


class StoreError(Exception):
    """The base of what goes wrong in the store by our own doing."""


class NoSuchGameError(StoreError):
    """No game has this id."""


class StaleGameError(StoreError):
    """The game was changed by somebody else since it was read."""


@dataclass(frozen=True, slots=True)
class TokenSeat:
    """What the mail door has to know of a seat before it takes a mail for it."""

    game_id: int
    letter: str
    key_epoch: int
    address: str | None
    status: SeatStatus
    over_at: datetime | None


class Happened(NamedTuple):
    """An event's number and what it tells."""

    seq: int
    body: Document


def public_id(game_id: int) -> str:
    """The game's name for people, e.g. `g7`."""
    return f"g{game_id}"


def game_id(public: str) -> int | None:
    """The id behind a public name, or None if it is none."""
    found = _PUBLIC_ID.fullmatch(public.strip())
    return int(found[1]) if found else None


def create(session: Session, game: Game, seats: Iterable[Seat]) -> Game:
    """Stores a new game with its seats, and gives it its id."""
    session.add(game)
    session.flush()
    for seat in seats:
        seat.game_id = game.id
        session.add(seat)
    session.flush()
    return game


def find(session: Session, number: int) -> Game | None:
    """The game with this id, to read; who wants to change it takes `lock`."""
    return session.exec(_ONE, params={"game": number}).one_or_none()


def deadline(session: Session, number: int) -> datetime | None:
    """The end of what the game waits for, without its state."""
    at: datetime | None = session.scalar(_DEADLINE, {"game": number})
    return at


def listing(session: Session, *, over: bool | None = None) -> Sequence[Game]:
    """All games, newest first; only those that are over, or are not, if `over` says so."""
    statement = select(Game).order_by(col(Game.id).desc())
    if over is not None:
        is_over = col(Game.over_at).is_not(None)
        statement = statement.where(is_over if over else ~is_over)
    return session.exec(statement).all()


def lock(session: Session, number: int) -> Game:
    """The game, as it is now, locked until the transaction ends; NoSuchGameError.

    On PostgreSQL the row is locked, yet not its key: mails for the game can still be stored. On
    SQLite the transaction holds the lock of the whole database since its first statement.
    """
    game = session.exec(_LOCKED, params={"game": number}).one_or_none()
    if game is None:
        raise NoSuchGameError(public_id(number))
    return game


def put_off(session: Session, game: Game, by: timedelta) -> None:
    """Moves all that is due in a game to later: its clock stood still for so long."""
    for moment in ("deadline", "next_reminder_at", "warning_at", "stale_at"):
        at = getattr(game, moment)
        if at is not None:
            setattr(game, moment, at + by)
    session.add(game)


def save(
    session: Session,
    game: Game,
    state: Document,
    *,
    phase: str,
    turn: int,
    on_turn: str | None,
) -> None:
    """Puts a new state in the place of the one that `game` was read with; StaleGameError.

    Raises the version. The state itself says phase, turn and seat on turn again, for queries.
    """
    session.flush()
    new: dict[str, Any] = {"state": state, "phase": phase, "turn": turn, "on_turn": on_turn}
    new["version"] = game.version + 1
    facts = {"game": game.id, "read": game.version}
    facts |= {f"new_{name}": value for name, value in new.items()}
    if session.exec(_SAVE, params=facts).rowcount != 1:
        raise StaleGameError(f"{public_id(game.id)} is no longer at version {game.version}")
    for name, value in new.items():
        set_committed_value(game, name, value)


def append_events(
    session: Session,
    game: Game,
    events: Sequence[tuple[int, Document]],
    now: datetime,
    *,
    rules_version: str,
    inbox_id: int | None = None,
) -> range:
    """Appends what happened, as pairs of turn and event; their numbers in the game.

    An event is a JSON object with its `kind`. One inbox row can be given once only: all that it
    led to is one set, and a second one is refused by the database (IntegrityError).
    """
    first = game.last_seq + 1
    rows = [
        {
            "game_id": game.id,
            "seq": first + part,
            "branch": game.branch,
            "turn": turn,
            "kind": body["kind"],
            "body": body,
            "inbox_id": inbox_id,
            "part": part,
            "rules_version": rules_version,
            "at": now,
        }
        for part, (turn, body) in enumerate(events)
    ]
    if rows:
        session.exec(insert(core(Event)), params=rows)
        game.last_seq += len(rows)
    return range(first, first + len(rows))


def events_of(
    session: Session,
    number: int,
    from_seq: int = 1,
    to_seq: int | None = None,
    *,
    branch: int | None = None,
) -> Sequence[Event]:
    """The events from one number to another, both included, in order.

    Those that count: now, or as long as `branch` was the newest. What a rollback left out is in
    `whole_history` too.
    """
    return session.exec(_SPAN, params=_span(number, from_seq, to_seq, branch)).all()


def bodies_of(
    session: Session, number: int, from_seq: int, to_seq: int, *, branch: int | None = None
) -> Sequence[Document]:
    """What the events of `events_of` tell, without their rows: every letter asks it."""
    return session.scalars(_BODIES, _span(number, from_seq, to_seq, branch)).all()


def whole_history(session: Session, number: int) -> Sequence[Event]:
    """All events of all branches, in the order in which they happened."""
    return session.exec(_WHOLE_SPAN, params={"game": number, "first": 1, "last": _NO_END}).all()


def is_undone(session: Session, number: int, inbox_id: int) -> bool | None:
    """Whether a rollback left out what a row of the inbox led to; None if that was no event."""
    statement = select(Event.undone_in).where(Event.game_id == number, Event.inbox_id == inbox_id)
    found = session.exec(statement.limit(1)).all()
    return found[0] is not None if found else None


def undo_events(session: Session, number: int, after: int, branch: int) -> int:
    """Leaves out what counts and came after that event; `branch` opens there. How many it were."""
    statement = (
        update(Event)
        .where(col(Event.game_id) == number, col(Event.seq) > after, _COUNTS)
        .values(undone_in=branch)
    )
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount


def seats(session: Session, number: int) -> Sequence[Seat]:
    """The seats of a game, by letter."""
    return session.exec(_SEATS, params={"game": number}).all()


def seats_of(session: Session, numbers: Iterable[int]) -> Mapping[int, Sequence[Seat]]:
    """The seats of several games, by letter."""
    found: dict[int, list[Seat]] = {number: [] for number in numbers}
    statement = select(Seat).where(col(Seat.game_id).in_(list(found))).order_by(Seat.letter)
    for row in session.exec(statement) if found else ():
        found[row.game_id].append(row)
    return found


def seat(session: Session, number: int, letter: str) -> Seat | None:
    """One seat of a game, or None."""
    return session.get(Seat, (number, letter))


def has_computer(session: Session, number: int) -> bool:
    """Whether the computer plays a seat of the game."""
    return session.scalar(_COMPUTER, {"game": number}) is not None


def seats_at(session: Session, address: str) -> Sequence[Seat]:
    """Every seat that an address holds, newest game first."""
    statement = select(Seat).where(Seat.address == address)
    return session.exec(statement.order_by(col(Seat.game_id).desc(), Seat.letter)).all()


def seats_for_tokens(session: Session, names: Iterable[Name]) -> Mapping[Name, TokenSeat]:
    """The seats that addresses name, without their games' states; of each that there is."""
    numbers = {name: game_id(name[0]) for name in names}
    wanted = sorted({number for number in numbers.values() if number is not None})
    if not wanted:
        return {}
    # Each mail at the door asks this: past the session it takes half of the time.
    rows = session.connection().execute(_TOKEN_SEATS, {"games": wanted})
    seats = {(row[0], row[1]): TokenSeat(*row) for row in rows}
    found = ((name, seats.get((number, name[1].upper()))) for name, number in numbers.items())
    return {name: seat for name, seat in found if seat is not None}


def seat_for_token(session: Session, public: str, letter: str) -> TokenSeat | None:
    """The seat that one address names, or None."""
    name = (public, letter)
    return seats_for_tokens(session, [name]).get(name)


def first_event(session: Session, number: int, turn: int) -> int | None:
    """The number of the first event of a turn; None before it has one."""
    seq: int | None = session.scalar(_FIRST_OF_TURN, {"game": number, "turn": turn})
    return seq


def turn_began(session: Session, number: int, turn: int) -> datetime | None:
    """When the first event of a turn was written; None before it has one."""
    statement = select(Event.at).where(Event.game_id == number, Event.turn == turn, _COUNTS)
    return session.exec(statement.order_by(col(Event.seq)).limit(1)).one_or_none()


def last_events(session: Session, number: int, kind: str, limit: int) -> Sequence[Happened]:
    """The newest events of a kind, newest first."""
    facts = {"game": number, "kind": kind, "limit": limit}
    return [Happened(seq, dict(body)) for seq, body in session.exec(_NEWEST, params=facts)]


def _span(number: int, first: int, last: int | None, branch: int | None) -> dict[str, int]:
    """The facts of `_SPAN` and `_BODIES`; None: to the end, in the newest branch."""
    return {
        "game": number,
        "first": first,
        "last": _NO_END if last is None else last,
        "branch": _NO_END if branch is None else branch,
    }
