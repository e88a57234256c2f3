"""Whether a mail may speak for the seat whose address it was sent to (mail.md, decision 4).

The threats that this answers stand in docs/developers/decisions/proof-of-the-sender.md.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pbem.judge.outcome import Outcome
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.mail import address
from pbem.mail.reading import Kind, Reading
from pbem.store import correspondence, proposals, tables
from pbem.store.tables import InboxStatus

MACHINES = frozenset(
    {Kind.AUTO_REPLY, Kind.BOUNCE, Kind.REPORT, Kind.LIST, Kind.CALENDAR, Kind.RECEIPT}
)
"""Kinds of mail that no person wrote for us: neither played nor answered."""

CONFIRM = "confirm"

DAY = timedelta(days=1)
QUESTIONS_OF_A_SENDER = 5
"""So many questions a day about mails of one stranger."""
QUESTIONS_TO_A_SEAT = 20
"""So many questions a day to one player, whoever they are about."""

_PROOF = "proof"


def with_proof(read: Mapping[str, Any], *, proved: bool, why: str) -> Mapping[str, Any]:
    """A stored reading that also says what became of the proof of its sender."""
    return {**read, _PROOF: {"proved": proved, "why": why}}


def is_the_players(seat: tables.Seat, read: Reading) -> bool:
    """Whether From is the seat's registered address, in any capitals."""
    return (
        read.refused is None
        and read.sender is not None
        and seat.address is not None
        and read.sender.casefold() == seat.address.casefold()
    )


def is_proved(progress: Progress, row: tables.Inbox, read: Reading) -> bool:
    """Whether somebody vouches for this mail, where the house wants that.

    A signature holds for ever: a mail that came to an earlier step is not proved for this one.
    """
    if not progress.house.proofs or row.raw is None:
        return True
    if not has_proof(row):
        return False
    known = read.message_id
    return known is None or not correspondence.came_before(progress.session, row, known)


def has_proof(row: tables.Inbox) -> bool:
    """Whether its reading says that somebody vouches for the mail."""
    found = (row.reading or {}).get(_PROOF)
    return found is not None and found["proved"] is True


def question(progress: Progress, row: tables.Inbox) -> tables.Proposal | None:
    """The question that a mail answers by the address that it was sent to, if it has one."""
    named = address.parse_confirm(row.recipient)
    found = None if named is None else proposals.find(progress.session, named.number)
    mine = (progress.game.id, row.seat, CONFIRM)
    if found is None or (found.game_id, found.seat, found.kind) != mine:
        return None
    return found


def hold(progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading) -> Outcome:
    """Keep an unproved mail and ask the registered address, once, whether it counts.

    So many questions a day and no more: who can write in a player's name must not be able to fill
    the player's mailbox. What is kept unasked is the game master's to look at.
    """
    if _is_asked(progress, row):
        return Outcome(InboxStatus.HELD, CONFIRM)
    left = _questions_left(progress, seat, read)
    if left <= 0:
        day = progress.now.date().isoformat()
        progress.tell_gm(GmNote("unasked", f"{seat.letter}.{day}", {"seat": seat.letter}))
        return Outcome(InboxStatus.HELD, "unasked")
    proposal = proposals.offer(
        progress.session,
        tables.Proposal(
            game_id=progress.game.id,
            seat=seat.letter,
            turn=progress.game.turn,
            step=progress.game.step,
            kind=CONFIRM,
            body={"inbox_id": row.id, "sender": _name(read)},
            created_at=progress.now,
        ),
        alone=False,
    )
    facts = {
        "sender": read.sender or "",
        "received": row.received_at.isoformat(),
        "held": list(read.text),
        "question": proposal.id,
        "last": left == 1,
    }
    # A stranger's mail is nothing that the player wrote, so the question answers nothing.
    answers = row if is_the_players(seat, read) else None
    recipe = Recipe(CONFIRM, seat.letter, row.id, facts, answers=answers)
    proposal.message_id = progress.tell(recipe)
    return Outcome(InboxStatus.HELD, CONFIRM)


def _is_asked(progress: Progress, row: tables.Inbox) -> bool:
    """Whether the question about this mail is still open: the game master had it tried again."""
    assert row.seat is not None
    asked = proposals.open_for(progress.session, progress.game.id, row.seat, CONFIRM)
    return any(offered.body.get("inbox_id") == row.id for offered in asked)


def _questions_left(progress: Progress, seat: tables.Seat, read: Reading) -> int:
    """How many more questions may be asked today; a player's own address has no share to itself."""
    asked = proposals.offered_since(
        progress.session, progress.game.id, seat.letter, CONFIRM, progress.now - DAY
    )
    left = QUESTIONS_TO_A_SEAT - len(asked)
    if is_the_players(seat, read):
        return left
    about = [offered for offered in asked if offered.body.get("sender") == _name(read)]
    return min(left, QUESTIONS_OF_A_SENDER - len(about))


def _name(read: Reading) -> str:
    return (read.sender or "").casefold()
