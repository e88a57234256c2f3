"""RESIGN: a player leaves, and the seat goes on by the game's choice (option `vacant`)."""

from pbem.judge import substitute, turn_end
from pbem.judge.deadline import run_out
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote, Recipe
from pbem.judge.sitting import RESIGN, Sitting
from pbem.orders.sheet import Asked
from pbem.rules.position import TURN, Phase
from pbem.store import games, proposals, tables
from pbem.store.tables import Source


def ask(mail: Sitting, asked: Asked) -> None:
    """Ask whether it is meant: one YES gives the seat away for good, so it must stand alone."""
    sheet, state = mail.sheet, mail.progress.state
    if len(sheet.services) > 1 or not mail.asks_services_only:
        mail.refuse(asked, "resign-alone")
    elif state.phase in (Phase.INVITED, Phase.OVER) or mail.seat.letter in state.eliminated:
        mail.refuse(asked, "resign-not-now")
    else:
        mail.serve(asked, "resign-asked")
        mail.offer(RESIGN, {})


def resign(mail: Sitting) -> Outcome:
    """The seat is given up: its addresses are closed, and all are told who plays on."""
    progress, seat = mail.progress, mail.seat
    former, heir = seat.address, _heir(mail)
    neutral = _becomes_neutral(mail)
    told = {
        "seat": seat.letter,
        "name": seat.name,
        "how": "neutral" if neutral else progress.options.vacant,
        "game": games.public_id(progress.game.id),
    }
    _pass_on(mail, heir)
    facts = {"about": "resigned", "told": told}
    progress.tell(Recipe("note", seat.letter, mail.row.id, facts, answers=mail.row, to=former))
    for other in progress.seats:
        if other.letter != seat.letter:
            progress.tell(Recipe("note", other.letter, mail.row.id, facts))
    progress.tell_gm(GmNote("resigned", mail.row.id, told))
    if neutral:
        _leave_to_nobody(mail)
    else:
        _go_on(mail, heir)
    return done("resigned")


def _heir(mail: Sitting) -> str | None:
    """The address of who plays on; None is the computer."""
    gm = mail.progress.house.gm
    return gm[0] if mail.progress.options.vacant == "gm" and gm else None


def _becomes_neutral(mail: Sitting) -> bool:
    wanted = mail.progress.options.vacant == "neutral"
    return wanted and substitute.can_be_neutral(mail.progress, mail.seat)


def _leave_to_nobody(mail: Sitting) -> None:
    """The armies become neutral, after the seat's turn if it is on turn."""
    progress, seat = mail.progress, mail.seat
    if progress.state.on_turn == seat.letter:
        run_out(progress)
    if progress.state.phase is not Phase.OVER:
        substitute.make_neutral(progress, seat)


def _pass_on(mail: Sitting, heir: str | None) -> None:
    progress, seat = mail.progress, mail.seat
    proposals.lapse(progress.session, progress.game.id, progress.now, seat=seat.letter)
    seat.address, seat.computer = heir, heir is None
    seat.name = seat.colour.capitalize() if heir is None else "GM"
    seat.key_epoch += 1
    seat.settings, seat.misses, seat.time_saved = {}, [], 0
    seat.news_at = seat.news_from = None
    seat.open_since = progress.now if progress.options.vacant == "replacement" else None
    seat.thread_message_id = seat.last_letter_address = None
    progress.session.add(seat)


def _go_on(mail: Sitting, heir: str | None) -> None:
    """If it is the seat's turn: the computer needs no deadline, a new player needs a call."""
    progress, game = mail.progress, mail.progress.game
    if progress.state.on_turn != mail.seat.letter or progress.state.phase not in TURN:
        return
    if heir is None:
        game.deadline = game.next_reminder_at = game.warning_at = None
    else:
        turn_end.call(progress, f"heir{mail.seat.key_epoch}")


def has_left(seat: tables.Seat, row: tables.Inbox) -> bool:
    """Whether the row is of somebody who gave the seat up while it was on its way.

    That may be the computer too, where the player came back.
    """
    if row.source == Source.COMPUTER:
        return not seat.computer
    return seat.address is None and row.raw is not None
