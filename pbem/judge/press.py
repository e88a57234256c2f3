"""SAY: messages among the players of a game. They go through the server, no address is shown."""

import hashlib
import hmac
from collections.abc import Sequence

from pbem.judge import standing
from pbem.judge.post import GmNote, Recipe
from pbem.judge.sitting import Sitting
from pbem.orders.service import Say
from pbem.orders.sheet import Asked
from pbem.store import tables

MOST_A_DAY = 40
MOST_LINES = 60
MOST_LETTERS = 2_000


def say(mail: Sitting, asked: Asked) -> None:
    """Write a letter to each addressee; the answer repeats who gets it."""
    order = asked.service
    assert isinstance(order, Say)
    text, cut = clean(order.text)
    to, deaf = _readers(mail, order)
    why_not = _refusal(mail, order, text, to, deaf)
    if why_not is not None:
        mail.refuse(asked, why_not, most=MOST_A_DAY)
        return
    # To all stays so: whom a hidden sender left out would tell who it is.
    named = [seat.letter for seat in to] if order.to else []
    facts = {"sender": None if order.anonymous else mail.seat.letter, "to": named, "text": text}
    number = _number(mail, order, text)
    for seat in to:
        mail.progress.tell(Recipe("press", seat.letter, number, facts))
    if order.gm:
        told = {"seat": mail.seat.letter, "text": text}
        mail.progress.tell_gm(GmNote("press", f"{mail.progress.game.turn}.{number}", told))
    mail.serve(
        asked,
        "said",
        to=[seat.letter for seat in to],
        text=text,
        anonymous=order.anonymous,
        cut=cut,
        gm=order.gm,
        # Who will not listen to whoever it is would tell an unknown sender's readers who it is.
        deaf=[] if order.anonymous else [seat.letter for seat in deaf],
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


def _readers(mail: Sitting, order: Say) -> tuple[Sequence[tables.Seat], Sequence[tables.Seat]]:
    """Whom it goes to, and who is meant but wants no messages of this seat (SET BLOCK)."""
    if order.gm and not order.to:
        return (), ()
    meant = [
        seat
        for seat in mail.progress.seats
        if seat.address is not None
        and seat.letter != mail.seat.letter
        and (not order.to or seat.letter in order.to)
    ]
    deaf = [seat for seat in meant if mail.seat.letter in standing.of(seat).blocked]
    return [seat for seat in meant if seat not in deaf], deaf


def _refusal(
    mail: Sitting,
    order: Say,
    text: str,
    to: Sequence[tables.Seat],
    deaf: Sequence[tables.Seat],
) -> str | None:
    """Why the message cannot be sent: a code for the letter; a message that can is counted."""
    allowed = mail.progress.options.press
    alone = order.gm and not order.to
    if allowed == "none" and not alone:
        return "press-none"
    if order.gm and not mail.progress.house.gm:
        return "press-nobody"
    if order.anonymous and allowed != "anonymous":
        return "press-named"
    if not text:
        return "press-empty"
    if deaf and not to and not order.anonymous:
        return "press-blocked"
    if not (to or deaf or alone):
        return "press-nobody"
    if not standing.spend(mail.seat, "press", mail.progress.now, MOST_A_DAY):
        return "press-many"
    return None


def _number(mail: Sitting, order: Say, text: str) -> str:
    """The same message to the same seats is one letter a turn, in however many mails it stands.

    Keyed, so that the number tells nobody which seat wrote the message.
    """
    content = "\0".join([mail.seat.letter, *order.to, str(order.anonymous), text])
    return hmac.new(mail.progress.house.secret, content.encode(), hashlib.sha256).hexdigest()[:16]
