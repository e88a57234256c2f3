"""What needs a game master: of all games on somebody's desk, those with something to mend."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge.roles import May, Person
from pbem.store import consents, desk
from pbem.store.engine import Session

LATE = timedelta(minutes=5)
"""A deadline that passed longer ago than this should have been played by itself."""

RECENT = timedelta(days=14)
"""Letters that failed longer ago than this are nobody's business any more."""


@dataclass(frozen=True, slots=True)
class Need:
    """A game that needs its master; `game_id` None: mails that belong to no game.

    `stray` mails were not played, `failed` letters not sent, letters to the seats `unreachable`
    come back; `overdue` is a deadline that was not played, `declined` an invitation. `asked`: an
    act waits for the person's consent.
    """

    game_id: int | None
    stray: int = 0
    failed: int = 0
    unreachable: tuple[str, ...] = ()
    overdue: bool = False
    declined: bool = False
    asked: bool = False


def needs(session: Session, person: Person, now: datetime) -> tuple[Need, ...]:
    """What the person has to look at, the newest game first."""
    watched = person.watched
    stray = desk.stray_by_game(session, person.scope(May.READ_STRAY))
    failed = desk.failed_by_game(session, watched, now - RECENT)
    silent = desk.unreachable(session, watched)
    overdue = desk.overdue(session, watched, now - LATE)
    declined = desk.declined(session, watched)
    awaited = consents.awaited(session, person.address)
    asked = {number for number in awaited if person.may(number, May.ACT_C)}
    found: set[int | None] = {*stray, *failed, *silent, *overdue, *declined, *asked}
    return tuple(
        Need(
            game_id,
            stray=stray.get(game_id, 0),
            failed=0 if game_id is None else failed.get(game_id, 0),
            unreachable=() if game_id is None else tuple(silent.get(game_id, ())),
            overdue=game_id in overdue,
            declined=game_id in declined,
            asked=game_id in asked,
        )
        for game_id in sorted(found, key=lambda number: -(number or 0))
    )
