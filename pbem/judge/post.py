"""Writing letters into the outbox: recipes, in the transaction of what they tell.

Nothing is composed here. A recipe names a position by its hash and events by their numbers, so
that the letter shows the game as it stood, however late it is composed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.judge import reply_to, roles, standing
from pbem.judge.house import House
from pbem.mail import address, glance, letter
from pbem.rules import notation
from pbem.rules.state import State
from pbem.store import games, outbox, positions, tables
from pbem.store.engine import Session

PRIORITY = {"done": 1, "mistakes": 1, "paused": 1, "preview": 1, "turn-call": 2, "report": 6}
"""Lower goes first: answers, then calls; 5 for the kinds not named."""

CALLS = frozenset({"turn-call", "setup-call", "invitation"})
"""Letters that begin a thread."""

NEWS = frozenset({"report", "press", "reminder"})
"""Letters that a game goes on without."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One letter to one seat. `n` tells letters of one kind in one turn apart.

    `events` are the first and last sequence numbers that it tells of; `answers` is the mail whose
    Message-ID stands in In-Reply-To. `to` is for who has just left the seat, and `language` that
    person's; else the letter goes to the seat's own address.
    """

    kind: str
    seat: str
    n: int | str
    facts: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[int, int] | None = None
    answers: tables.Inbox | None = None
    expires_at: datetime | None = None
    to: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class GmNote:
    """Something that the game masters must know; `n` tells notes of one kind apart.

    One `of_house` goes to the house's own, once, whichever of its games says it first. `to` is for
    one reader, whose `language` it then is in. What `asks` for a word of its own (a question of
    `mail.gm_address` and its number) is answered to that question's address.
    """

    about: str
    n: int | str
    told: Mapping[str, Any] = field(default_factory=dict)
    to: str | None = None
    answers: tables.Inbox | None = None
    of_house: bool = False
    asks: tuple[str, int] | None = None
    language: str | None = None


def post(
    session: Session,
    house: House,
    game: tables.Game,
    seats: Sequence[tables.Seat],
    state: State,
    recipes: Sequence[Recipe],
    now: datetime,
) -> tuple[int, ...]:
    """Put the letters into the outbox and give their row ids; the computer gets none.

    The address in each letter carries the game's turn and step as they are now.
    """
    by_letter = {seat.letter: seat for seat in seats}
    wanted = [recipe for recipe in recipes if _is_wanted(by_letter[recipe.seat], recipe)]
    if not wanted:
        return ()
    digest = positions.keep(session, game.id, notation.state_to_json(state), now)
    letters = [_letter(house, game, by_letter[r.seat], r, digest) for r in wanted]
    for recipe in wanted:
        seat = by_letter[recipe.seat]
        if recipe.to is not None:
            continue
        seat.last_letter_address = reply_to.seat_address(house, seat, game.turn, game.step)
        if recipe.kind in CALLS:
            seat.thread_message_id = letter_id(house, game, recipe)
        session.add(seat)
    return outbox.enqueue(session, letters, now)


def _is_wanted(seat: tables.Seat, recipe: Recipe) -> bool:
    """Whether anybody reads it: a seat that wants no mail gets answers and the game's end only.

    News do not go where letters come back from: servers take that ill.
    """
    if recipe.to is not None:
        return True
    if seat.address is None:
        return False
    if recipe.answers is not None or recipe.kind == "game-over":
        return True
    if recipe.kind == "press":
        return hears(seat)
    unreached = recipe.kind in NEWS and seat.unreachable_at is not None
    return not (unreached or standing.of(seat).silent)


def hears(seat: tables.Seat) -> bool:
    """Whether messages of others are sent to the seat at present."""
    held = standing.of(seat)
    return seat.unreachable_at is None and not held.silent and not held.quiet


def post_to_gm(
    session: Session,
    house: House,
    game: tables.Game,
    state: State,
    note: GmNote,
    now: datetime,
) -> tuple[int, ...]:
    """A note to the game masters; it shows what the public may see."""
    readers = _readers(session, house, game, note)
    if not readers:
        return ()
    mail = note.answers
    answered = None if mail is None else (mail.reading or {}).get("message_id") or _given_id(mail)
    digest = positions.keep(session, game.id, notation.state_to_json(state), now)
    name = "house" if note.of_house else games.public_id(game.id)
    return outbox.enqueue(
        session,
        [
            outbox.NewLetter(
                key=f"{name}:gm:{to}:{note.about}:{note.n}",
                kind="note",
                message_id=letter.message_id(house.domain, name, "gm", to, note.about, note.n),
                to_address=to,
                game_id=game.id,
                recipe=_note(note),
                position_hash=digest,
                envelope_from=f"postmaster@{house.domain}",
                in_reply_to=answered,
                inbox_id=None if mail is None else mail.id,
            )
            for to in readers
        ],
        now,
    )


def _readers(session: Session, house: House, game: tables.Game, note: GmNote) -> tuple[str, ...]:
    """The one reader, else the house's own game masters and those that this game has besides."""
    if note.to is not None:
        return (note.to,)
    if note.of_house:
        return house.gm
    return roles.watchers(session, house, game.id)


def _note(note: GmNote) -> dict[str, Any]:
    facts: dict[str, Any] = {"about": note.about, "told": dict(note.told)}
    if note.asks is not None:
        facts["asks"] = list(note.asks)
    return {"facts": facts, **({"language": note.language} if note.language else {})}


def _letter(
    house: House, game: tables.Game, seat: tables.Seat, recipe: Recipe, digest: str
) -> outbox.NewLetter:
    to = recipe.to or seat.address
    assert to is not None
    mail = recipe.answers
    answered = None if mail is None else (mail.reading or {}).get("message_id")
    name = games.public_id(game.id)
    issued = address.issue(house.secret, name, seat.letter, game.turn, game.step, seat.key_epoch)
    own_id = letter_id(house, game, recipe)
    thread = [m for m in (seat.thread_message_id, answered) if m is not None and m != own_id]
    return outbox.NewLetter(
        key=f"{name}:{_turn(game)}:{seat.letter}:{recipe.kind}:{recipe.n}",
        kind=recipe.kind,
        message_id=own_id,
        to_address=to,
        game_id=game.id,
        seat=seat.letter,
        recipe={
            "facts": dict(recipe.facts),
            "events": list(recipe.events) if recipe.events else None,
            "turn": game.turn,
            "step": game.step,
            "branch": game.branch,
            "references": thread,
            **({"language": recipe.language} if recipe.language else {}),
        },
        position_hash=digest,
        in_reply_to=answered or _given_id(mail),
        inbox_id=mail.id if mail is not None else None,
        envelope_from=reply_to.bounces_of_errand(house, seat, recipe.facts)
        or address.bounce_address(issued, house.domain),
        priority=PRIORITY.get(recipe.kind, 5),
        expires_at=recipe.expires_at,
    )


def _given_id(mail: tables.Inbox | None) -> str | None:
    """The Message-ID of a mail as it stands there: whoever wrote an odd one looks for that one."""
    return None if mail is None or mail.raw is None else glance.message_id(mail.raw)


def letter_id(house: House, game: tables.Game, recipe: Recipe) -> str:
    """The Message-ID of a letter of the game's current turn."""
    game_id = games.public_id(game.id)
    return letter.message_id(
        house.domain, game_id, _turn(game), recipe.seat, recipe.kind, str(recipe.n)
    )


def _turn(game: tables.Game) -> str:
    """The turn in keys: one that is played again after a rollback has letters of its own."""
    return str(game.turn) if game.branch == 0 else f"{game.turn}b{game.branch}"
