"""Letters that somebody wants no more, by a link, a button of a mail program, or a mail
(screens.md, "Unsubscribing").

Of news the news stop: reports, messages and reminders. Of everything else it means "do not write to
me": the deadline plays for the seat, and the game master is told. It never gives a seat up.
"""

from collections.abc import Mapping
from datetime import datetime

from pbem.judge import standing
from pbem.judge.house import House
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import NEWS, GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.judge.senders import MACHINES, is_the_players
from pbem.mail import errand
from pbem.mail.errand import Errand, Purpose
from pbem.mail.reading import Reading
from pbem.store import games, tables
from pbem.store.engine import Session

UNASKED = frozenset({"confirm", "login"})
"""Kinds that are sent on somebody's own act, as answers are: nothing to unsubscribe from."""


def headers(house: House, seat: tables.Seat, row: tables.Outbox) -> Mapping[str, str]:
    """The headers of a letter that offer to stop such letters; none for an answer."""
    if row.inbox_id is not None or row.kind in UNASKED or "errand" in row.recipe["facts"]:
        return {}
    purpose = Purpose.NEWS if row.kind in NEWS else Purpose.ALL
    name = games.public_id(seat.game_id)
    issued = errand.issue(house.secret, name, seat.letter, purpose, epoch=seat.key_epoch)
    page, mail = f"{house.public_url}/stop/{issued.token}", issued.at(house.domain)
    return {
        "List-Unsubscribe": f"<{page}>, <mailto:{mail}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def find(session: Session, house: House, token: str) -> Errand | None:
    """The genuine errand of a link, or None if it is none or its seat has a new key."""
    named = errand.parse(token)
    if named is None or not named.is_to_stop:
        return None
    seat = games.seat_for_token(session, named.game, named.seat)
    if seat is None or seat.address is None:
        return None
    return named if errand.genuine(named, house.secret, seat.key_epoch) else None


def act(session: Session, house: House, named: Errand, now: datetime) -> tuple[int, ...]:
    """Stop the letters of a genuine errand; the ids of letters to send after the commit."""
    number = games.game_id(named.game)
    assert number is not None, "a genuine errand names a game"
    progress = Progress(session, house, games.lock(session, number), now, None)
    stop(progress, named)
    return progress.close()


def stop(progress: Progress, named: Errand) -> None:
    """Stop the letters; a second time changes nothing."""
    seat = progress.seat(named.seat)
    if named.purpose is Purpose.NEWS:
        for key in ("NEWS", "REMIND"):
            standing.put(seat, key, "OFF")
        standing.put(seat, standing.QUIET, True)
    elif not standing.of(seat).silent:
        standing.put(seat, standing.SILENT, True)
        n = f"stop{progress.now:%Y%m%d%H%M%S%f}"
        progress.tell_gm(GmNote("silenced", n, {"seat": seat.letter}))
    progress.session.add(seat)


def play(
    progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading, named: Errand
) -> Outcome:
    """A mail to the address of a link, as a mail program sends it by itself.

    The address proves what the link would. Whoever wrote it as the seat's player has an answer.
    """
    stop(progress, named)
    if is_the_players(seat, read) and read.kind not in MACHINES:
        told = {"seat": seat.letter, "what": named.purpose.value}
        facts = {"about": "stopped", "told": told}
        progress.tell(Recipe("note", seat.letter, row.id, facts, answers=row))
    return done("stopped")
