"""SAY: messages among the players of a game. They go through the server, no address is shown."""

import hashlib
import hmac
from typing import NamedTuple

from pbem.judge import post, roles, standing
from pbem.judge.post import GmNote, Recipe
from pbem.judge.roles import Role
from pbem.judge.sitting import Sitting
from pbem.orders.service import Say
from pbem.orders.sheet import Asked
from pbem.orders.spelling import words
from pbem.store import tables

MOST_A_DAY = 40
MOST_LINES = 60
MOST_LETTERS = 2_000


class Readers(NamedTuple):
    """Who is meant: those it goes to, those who want nothing of this seat (SET BLOCK), those whom
    no message reaches at present; and who runs the game, by address and role, if they are meant."""

    to: tuple[tables.Seat, ...] = ()
    deaf: tuple[tables.Seat, ...] = ()
    away: tuple[tables.Seat, ...] = ()
    masters: tuple[tuple[str, Role], ...] = ()


def say(mail: Sitting, asked: Asked) -> None:
    """Write a letter to each addressee; the answer repeats who gets it."""
    order = asked.service
    assert isinstance(order, Say)
    text, cut = clean(order.text)
    readers = _readers(mail, order)
    why_not = _refusal(mail, order, text, readers)
    if why_not is not None:
        mail.refuse(asked, why_not, most=MOST_A_DAY)
        return
    to = [seat.letter for seat in readers.to]
    # To all stays so: whom a hidden sender left out would tell who it is.
    named = to if order.to else []
    facts = {"sender": None if order.anonymous else mail.seat.letter, "to": named, "text": text}
    number = _number(mail, order, text)
    for letter in to:
        mail.progress.tell(Recipe("press", letter, number, facts))
    for address, _ in readers.masters:
        told = {"seat": mail.seat.letter, "text": text}
        note = GmNote("press", f"{mail.progress.game.turn}.{number}", told, to=address)
        mail.progress.tell_gm(note)
    # Who will not listen to whoever it is would tell an unknown sender's readers who it is.
    shown = Readers() if order.anonymous else readers
    mail.serve(
        asked,
        "said",
        to=to,
        text=text,
        anonymous=order.anonymous,
        cut=cut,
        gm=sorted({role.value for _, role in readers.masters}),
        deaf=[seat.letter for seat in shown.deaf],
        away=[seat.letter for seat in shown.away],
    )


def clean(text: str) -> tuple[str, bool]:
    """The message without quotes, signature and control signs; whether its end was cut."""
    kept: list[str] = []
    for line in text.splitlines():
        if line.strip() == "--":
            break
        if not line.lstrip().startswith(">"):
            kept.append("".join(sign if sign.isprintable() else " " for sign in line).rstrip())
    whole = "\n".join(kept).strip()
    shown = "\n".join(whole.split("\n")[:MOST_LINES])[:MOST_LETTERS].rstrip()
    return shown, len(shown) < len(whole)


def _readers(mail: Sitting, order: Say) -> Readers:
    progress = mail.progress
    masters: tuple[tuple[str, Role], ...] = ()
    if order.gm:
        own = mail.seat.address or ""
        masters = roles.runners(progress.session, progress.house, progress.game.id, but=own)
    if order.gm and not order.to:
        return Readers(masters=masters)
    meant = [
        seat
        for seat in progress.seats
        if seat.address is not None
        and seat.letter != mail.seat.letter
        and (not order.to or seat.letter in order.to)
    ]
    deaf = [seat for seat in meant if mail.seat.letter in standing.of(seat).blocked]
    away = [seat for seat in meant if seat not in deaf and not post.hears(seat)]
    to = [seat for seat in meant if seat not in deaf and seat not in away]
    return Readers(tuple(to), tuple(deaf), tuple(away), masters)


def _refusal(mail: Sitting, order: Say, text: str, readers: Readers) -> str | None:
    """Why the message cannot be sent: a code for the letter; a message that can is counted."""
    allowed = mail.progress.options.press
    alone = order.gm and not order.to
    if allowed == "none" and not alone:
        return "press-none"
    if order.gm and not readers.masters:
        return "press-nobody"
    if order.anonymous and allowed != "anonymous":
        return "press-named"
    if not text:
        return "press-empty"
    if order.anonymous and _names_its_writer(mail.seat, text):
        return "press-signed"
    if not alone and (why_not := _unheard(order, readers)) is not None:
        return why_not
    if not standing.spend(mail.seat, "press", mail.progress.now, MOST_A_DAY):
        return "press-many"
    return None


def _unheard(order: Say, readers: Readers) -> str | None:
    """Why nobody would read it; of whom it is withheld a hidden writer learns nothing."""
    if readers.to:
        return None
    if not (readers.deaf or readers.away):
        return "press-nobody"
    if order.anonymous:
        return None
    return "press-blocked" if readers.deaf else "press-away"


def _names_its_writer(seat: tables.Seat, text: str) -> bool:
    """Whether a signature, say, would tell who wrote what is to bear no name."""
    said = set(words(text))
    address = (seat.address or "").casefold()
    return bool(said & set(words(seat.name))) or (bool(address) and address in text.casefold())


def _number(mail: Sitting, order: Say, text: str) -> str:
    """The same message to the same seats is one letter a turn, in however many mails it stands.

    Keyed, so that the number tells nobody which seat wrote the message.
    """
    content = "\0".join([mail.seat.letter, *order.to, str(order.anonymous), text])
    return hmac.new(mail.progress.house.secret, content.encode(), hashlib.sha256).hexdigest()[:16]
