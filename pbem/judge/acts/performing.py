"""Doing an act under the game's lock, or only looking at what it would do."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.judge import compose
from pbem.judge.acts import consent, form, terms
from pbem.judge.acts.act import Act
from pbem.judge.choosing import READERS
from pbem.judge.contents.desk import Shelf, gather
from pbem.judge.gm import ActError, Why
from pbem.judge.house import House
from pbem.judge.progress import Progress
from pbem.rules.board import Code
from pbem.rules.overrule import CHANGEABLE
from pbem.rules.position import SETUP
from pbem.rules.view import View, view
from pbem.store import audit, games, outbox, tables
from pbem.store.engine import Engine, Session
from pbem.store.engine import session as open_session

Facts = Mapping[str, Any]
Held = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """A territory that an act changes: its owner and armies before and after; None: free."""

    territory: Code
    before: Held | None
    after: Held | None


@dataclass(frozen=True, slots=True)
class Changed:
    """A fact of the game that an act changes, by name; moments are ISO 8601 in UTC."""

    fact: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Foretold:
    """A letter that would go out: to a seat, or to an address without one."""

    seat: str | None
    to: str
    kind: str
    subject: str


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What an act would do, as the public may see it; `version` is the game's now.

    With `refused` nothing would be done, and `facts` explain why. `asks` says whose consent it
    would wait for, `gm` or `players`; "" for none.
    """

    version: int
    before: View
    after: View
    board: tuple[Difference, ...] = ()
    changed: tuple[Changed, ...] = ()
    letters: tuple[Foretold, ...] = ()
    refused: str | None = None
    facts: Facts | None = None
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Performed:
    """The act is done; `letters` are the outbox ids of what it sends, `undo` what undoes it."""

    game_id: int
    version: int
    letters: tuple[int, ...]
    undo: Act | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """The act waits for consent, by its number; `letters` are the outbox ids of the questions."""

    game_id: int
    number: int
    of: str
    until: datetime
    letters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody changed the game since it was looked at: it is at `version` now."""

    seen: int
    version: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The act makes no sense as the game stands: why, by code, and the facts of it."""

    code: str
    facts: Facts


def preview(
    engine: Engine, house: House, game_id: int, act: Act, why: Why, now: datetime
) -> Foreseen:
    """Do the act in a transaction that is taken back, and tell what it did."""
    with open_session(engine) as session, session.no_autoflush:
        try:
            return _foresee(session, house, game_id, act, why, now)
        finally:
            session.rollback()


def perform(
    engine: Engine,
    house: House,
    game_id: int,
    act: Act,
    why: Why,
    now: datetime,
    version: int | None = None,
) -> Performed | Waiting | Conflict | Refused:
    """Do the act under the game's lock, in one commit with its line in the audit.

    With a `version` only if the game still has it. One that needs consent is not done: who is to
    agree is asked, and `judge.acts.voting` does it. The caller gives the hints: at the letters and
    at the game, which may have rows that can be played now.
    """
    with open_session(engine) as session, session.no_autoflush:
        progress = Progress(session, house, games.lock(session, game_id), now, None)
        found = progress.game.version
        if version is not None and version != found:
            return Conflict(version, found)
        try:
            if (who := consent.panel(progress, act, why)) is not None:
                return _ask(progress, act, why, who)
            undo = play_on(progress, act, why)
        except ActError as error:
            session.rollback()
            return Refused(error.code, error.facts)
        return Performed(game_id, progress.game.version, progress.close(), undo)


def _ask(progress: Progress, act: Act, why: Why, who: consent.Panel) -> Waiting:
    """Ask for consent to what the act would do as things stand. Raises ActError."""
    with tried(progress) as scratch:
        before = view(scratch.state, None)
        act.play(scratch, why)
        board = _differences(before, view(scratch.state, None))
    told = [(str(one.territory), _written(one.before), _written(one.after)) for one in board]
    asked = consent.ask(progress, act, why, who, told)
    letters = progress.close()
    return Waiting(progress.game.id, asked.id, who.of, asked.lapses_at, letters)


def _written(held: Held | None) -> str:
    return "-" if held is None else f"{held[0]} {held[1]}"


@contextmanager
def tried(progress: Progress) -> Iterator[Progress]:
    """A sheet on which acts can be tried: all that is written there is taken back at the end."""
    session, game = progress.session, progress.game
    session.flush()
    trial = session.begin_nested()
    try:
        yield Progress(session, progress.house, game, progress.now, None)
    finally:
        trial.rollback()
        for seat in progress.seats:
            session.refresh(seat)
        session.refresh(game)


def play_on(progress: Progress, act: Act, why: Why, consented: int | None = None) -> Act | None:
    """Do it on a sheet, with its line in the audit; what would undo it. Raises ActError.

    `consented` is the number of the question that was agreed to before.
    """
    before, undo = _facts(progress), _undo(progress, act)
    progress.session.flush()
    act.play(progress, why)
    changed = _changes(before, _facts(progress))
    # A state that is saved raises the version by itself.
    if changed and not progress.has_new_state:
        progress.game.version += 1
    audit.record(
        progress.session,
        progress.now,
        who=why.who,
        what=act.name,
        game_id=progress.game.id,
        reason=why.reason,
        detail={
            "fields": form.texts(act),
            "changed": {one.fact: [one.before, one.after] for one in changed},
            "undo": None if undo is None else {"name": undo.name, "fields": form.texts(undo)},
            **({} if consented is None else {"consent": consented}),
        },
    )
    return undo


def _undo(progress: Progress, act: Act) -> Act | None:
    with suppress(ActError):  # then the act itself says why it cannot be done
        return act.undo(progress)
    return None


def _foresee(
    session: Session, house: House, game_id: int, act: Act, why: Why, now: datetime
) -> Foreseen:
    progress = Progress(session, house, games.lock(session, game_id), now, None)
    version, before, known = progress.game.version, view(progress.state, None), _facts(progress)
    who = consent.panel(progress, act, why)
    try:
        act.play(progress, why)
        letters = progress.close()
    except ActError as error:
        return Foreseen(version, before, before, refused=error.code, facts=error.facts)
    after, shelf = view(progress.state, None), Shelf(session)
    return Foreseen(
        version=version,
        before=before,
        after=after,
        board=_differences(before, after),
        changed=_changes(known, _facts(progress)),
        letters=tuple(_foretell(shelf, house, number) for number in letters),
        asks="" if who is None else who.of,
    )


def _foretell(shelf: Shelf, house: House, outbox_id: int) -> Foretold:
    row = outbox.find(shelf.session, outbox_id)
    assert row is not None
    subject, _ = compose.write(house, row, gather(shelf, row))
    return Foretold(row.seat, row.to_address, row.kind, subject)


def _differences(before: View, after: View) -> tuple[Difference, ...]:
    pairs = ((code, _held(before, code), _held(after, code)) for code in after.board.codes)
    return tuple(Difference(*pair) for pair in pairs if pair[1] != pair[2])


def _held(seen: View, code: Code) -> Held | None:
    return (seen.owner[code], seen.armies[code]) if code in seen.owner else None


def _facts(progress: Progress) -> Facts:
    """What the game master sees of a game beside its board, by name."""
    game, state = progress.game, progress.state
    seats = {key: value for seat in progress.seats for key, value in _seat_facts(seat)}
    rules = {name: getattr(state.ruleset, name) for name in sorted(CHANGEABLE)}
    run = {name: terms.written(progress.options, name) for name in READERS}
    options = {f"option.{n}": v for n, v in {**run, **rules, **state.coming}.items()}
    return {
        "turn": state.turn,
        "on_turn": None if state.phase in SETUP else state.on_turn,
        "phase": view(state, None).phase,
        "deadline": _iso(game.deadline),
        "paused": _iso(game.paused_at),
        "resume_at": _iso(game.resume_at),
        "over": _iso(game.over_at),
        "branch": game.branch,
        **seats,
        **options,
    }


def _seat_facts(seat: tables.Seat) -> list[tuple[str, Any]]:
    shown = ("name", "address", "language", "computer", "status")
    return [(f"{seat.letter}.{name}", getattr(seat, name)) for name in shown]


def _changes(before: Facts, after: Facts) -> tuple[Changed, ...]:
    return tuple(
        Changed(fact, before.get(fact), after.get(fact))
        for fact in {**before, **after}
        if before.get(fact) != after.get(fact)
    )


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
