"""A seat's move to another address, which the old and the new one agree to, each by a letter of
its own (screens.md, "address change").

Whoever writes to the address that stands in one of these letters has read the mail of that side:
with From it proves enough for YES and NO, and for nothing else. Until both have said YES nothing
changes. Where the game master asks, only a NO of the old address is waited for.
"""

from datetime import timedelta
from typing import Any

from pbem.judge import sieve, standing, turn_end
from pbem.judge.invitees import read_address
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.judge.sitting import Sitting
from pbem.mail.errand import Errand, Purpose
from pbem.mail.reading import Kind, Reading
from pbem.orders.sheet import Mode
from pbem.rules.position import TURN
from pbem.store import audit, bounces, moves, proposals, tables
from pbem.store.tables import AddressChange, ChangeStatus, InboxStatus

PATIENCE = timedelta(days=7)
"""After this time a change that is not agreed to lapses."""

MOST_A_DAY = 3
"""So many changes a day may a seat ask for: each writes to an address that may be a stranger's."""

SIDES = (Purpose.OLD, Purpose.NEW)


def ask(progress: Progress, seat: tables.Seat, written: str) -> str | None:
    """The seat's player wants to move; the code of why not, or None when both sides are asked."""
    new = read_address(written)
    if new is None:
        return "address-unreadable"
    why_not = _refusal(progress, seat, new)
    if why_not is None and not standing.spend(seat, "move", progress.now, MOST_A_DAY):
        why_not = "address-many"
    if why_not is None:
        _ask_both(progress, seat, new, by_gm=False)
    return why_not


def ask_for(progress: Progress, seat: tables.Seat, written: str) -> str | None:
    """The game master asks for it in place of the old address; the code of why not, or None."""
    new = read_address(written)
    if new is None:
        return "address-unreadable"
    why_not = _refusal(progress, seat, new)
    if why_not is None:
        _ask_both(progress, seat, new, by_gm=True)
    return why_not


def _refusal(progress: Progress, seat: tables.Seat, new: str) -> str | None:
    if seat.address is None:
        return "address-nobody"
    if new.casefold() == seat.address.casefold():
        return "address-same"
    if new.rpartition("@")[2] == progress.house.domain:
        return "address-ours"
    others = [other.address or "" for other in progress.seats if other.letter != seat.letter]
    if new.casefold() in (other.casefold() for other in others):
        return "address-taken"
    return None


def _ask_both(progress: Progress, seat: tables.Seat, new: str, *, by_gm: bool) -> AddressChange:
    assert seat.address is not None
    change = moves.ask(
        progress.session,
        AddressChange(
            game_id=progress.game.id,
            seat=seat.letter,
            old=seat.address,
            new=new,
            by_gm=by_gm,
            asked_at=progress.now,
        ),
    )
    for side in SIDES:
        _tell(progress, change, side, "move-asked")
    return change


def play(
    progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading, errand: Errand
) -> Outcome:
    """What came to the address of one side of a move."""
    change = moves.find(progress.session, errand.number)
    if change is None or (change.game_id, change.seat) != (progress.game.id, seat.letter):
        return Outcome(InboxStatus.IGNORED, "no-move")
    if read.kind is Kind.BOUNCE and "hard-bounce" in read.notes:
        came_back(progress, errand)
        return done("hard-bounce")
    if read.kind not in (Kind.ORDERS, Kind.EMPTY, Kind.ENCRYPTED):
        return Outcome(InboxStatus.IGNORED, read.kind)
    if (read.sender or "").casefold() != _address(change, errand.purpose).casefold():
        return Outcome(InboxStatus.SET_ASIDE, "to-move")
    mail = Sitting(progress, seat, row, read)
    if (stopped := sieve.stop_robot(mail)) is not None:
        return stopped
    return _answer(progress, change, row, errand.purpose, mail.sheet.mode)


def _answer(
    progress: Progress, change: AddressChange, row: tables.Inbox, side: Purpose, mode: Mode
) -> Outcome:
    if change.status is ChangeStatus.OPEN and progress.now - change.asked_at > PATIENCE:
        change.status, change.settled_at = ChangeStatus.LAPSED, progress.now
    if change.status is not ChangeStatus.OPEN:
        _tell(progress, change, side, "move-over", row)
        return done("move-over")
    match mode:
        case Mode.YES:
            return _agree(progress, change, row, side)
        case Mode.NO:
            return _decline(progress, change, row, side)
    _tell(progress, change, side, "move-asked", row)
    return done("move-asked")


def _agree(progress: Progress, change: AddressChange, row: tables.Inbox, side: Purpose) -> Outcome:
    if side is Purpose.OLD:
        change.old_agreed_at = progress.now
    else:
        change.new_agreed_at = progress.now
    progress.session.add(change)
    if change.new_agreed_at is None or not (change.by_gm or change.old_agreed_at):
        _tell(progress, change, side, "move-waits", row)
        return done("move-waits")
    _move(progress, change)
    for told in SIDES:
        _tell(progress, change, told, "moved", row if told is side else None)
    return done("moved")


def _decline(
    progress: Progress, change: AddressChange, row: tables.Inbox, side: Purpose
) -> Outcome:
    change.status, change.settled_at = ChangeStatus.DECLINED, progress.now
    progress.session.add(change)
    _record(progress, change, _address(change, side), "address-declined")
    for told in SIDES:
        _tell(progress, change, told, "move-declined", row if told is side else None)
    _tell_gm(progress, change, "move-declined")
    return done("move-declined")


def came_back(progress: Progress, errand: Errand) -> None:
    """The letter to one side cannot be delivered. That the old one cannot is why somebody moves."""
    change = moves.find(progress.session, errand.number)
    if change is None or change.status is not ChangeStatus.OPEN:
        return
    if errand.purpose is not Purpose.NEW:
        return
    change.status, change.settled_at = ChangeStatus.DECLINED, progress.now
    progress.session.add(change)
    _tell(progress, change, Purpose.OLD, "move-bounced")
    _tell_gm(progress, change, "move-bounced")


def _move(progress: Progress, change: AddressChange) -> None:
    """The seat has its new address and new keys; the letters of before answer no more."""
    seat = progress.seat(change.seat)
    change.status, change.settled_at = ChangeStatus.MOVED, progress.now
    seat.address = change.new
    seat.key_epoch += 1
    seat.unreachable_at = None
    seat.thread_message_id = seat.last_letter_address = None
    bounces.forget(progress.session, progress.game.id, seat.letter)
    proposals.lapse(progress.session, progress.game.id, progress.now, seat=seat.letter)
    progress.session.add(seat)
    _record(progress, change, "game master" if change.by_gm else change.old, "address-moved")
    _tell_gm(progress, change, "moved")
    state = progress.state
    if state.on_turn == seat.letter and state.phase in TURN and progress.game.deadline is not None:
        turn_end.call(progress, f"key{seat.key_epoch}")


def _tell(
    progress: Progress,
    change: AddressChange,
    side: Purpose,
    about: str,
    answers: tables.Inbox | None = None,
) -> None:
    """A note to one side; while the change is open it can be answered there."""
    told = {
        "seat": change.seat,
        "side": side.value,
        "address": change.new,
        "by_gm": change.by_gm,
    }
    facts: dict[str, Any] = {"about": about, "told": told}
    if change.status is ChangeStatus.OPEN:
        facts["errand"] = {"purpose": side.value, "number": change.id}
    n = f"{about}{change.id}{side}" if answers is None else answers.id
    # Once the seat has moved, a letter to its new address is one of its own, with its new key.
    own = side is Purpose.NEW and change.status is ChangeStatus.MOVED
    to = None if own else _address(change, side)
    progress.tell(Recipe("note", change.seat, n, facts, answers=answers, to=to))


def _tell_gm(progress: Progress, change: AddressChange, about: str) -> None:
    told = {"seat": change.seat, "side": "", "address": change.new}
    progress.tell_gm(GmNote(about, change.id, told))


def _record(progress: Progress, change: AddressChange, who: str, what: str) -> None:
    detail = {"seat": change.seat, "old": change.old, "new": change.new}
    audit.record(
        progress.session,
        progress.now,
        who=who,
        what=what,
        game_id=progress.game.id,
        detail=detail,
    )


def _address(change: AddressChange, side: Purpose) -> str:
    return change.old if side is Purpose.OLD else change.new
