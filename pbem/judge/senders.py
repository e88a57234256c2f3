"""Whether a mail may speak for the seat whose address it was sent to (mail.md, decision 4)."""

from pbem.judge.outcome import Outcome
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.mail.reading import Kind, Reading
from pbem.store import proposals, tables
from pbem.store.tables import InboxStatus

MACHINES = frozenset(
    {Kind.AUTO_REPLY, Kind.BOUNCE, Kind.REPORT, Kind.LIST, Kind.CALENDAR, Kind.RECEIPT}
)
"""Kinds of mail that no person wrote for us: neither played nor answered."""

CONFIRM = "confirm"


def is_the_players(seat: tables.Seat, read: Reading) -> bool:
    """Whether From is the seat's registered address, in any capitals."""
    return (
        read.refused is None
        and read.sender is not None
        and seat.address is not None
        and read.sender.casefold() == seat.address.casefold()
    )


def hold(progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading) -> Outcome:
    """Keep a stranger's mail and ask the registered address whether it counts."""
    proposal = proposals.offer(
        progress.session,
        tables.Proposal(
            game_id=progress.game.id,
            seat=seat.letter,
            turn=progress.game.turn,
            step=progress.game.step,
            kind=CONFIRM,
            body={"inbox_id": row.id},
            created_at=progress.now,
        ),
    )
    facts = {
        "sender": read.sender or "",
        "received": row.received_at.isoformat(),
        "held": list(read.text),
    }
    proposal.message_id = progress.tell(Recipe("confirm", seat.letter, row.id, facts))
    return Outcome(InboxStatus.HELD, "confirm")
