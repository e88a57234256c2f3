"""LUCK: a word of each player for the list that the dice hang on (screens.md, "Dice trust").

The chain of secrets was bound before any word was known, and the list is closed before the first
die: so neither side could choose its part after it knew the other's.
"""

from typing import Any

from pbem.judge.progress import Progress
from pbem.judge.sitting import Sitting
from pbem.orders.service import Luck
from pbem.orders.sheet import Asked
from pbem.rules import fair
from pbem.rules.position import Phase
from pbem.store import tables


def answer(mail: Sitting, asked: Asked) -> None:
    """Keep the word of a LUCK line; a later one replaces it, as long as the list is open."""
    order = asked.service
    assert isinstance(order, Luck)
    why_not = refusal(mail.progress, order.word)
    if why_not is not None:
        mail.refuse(asked, why_not, value=order.word[:40])
        return
    put(mail.seat, order.word)
    mail.serve(asked, "luck", word=order.word)


def refusal(progress: Progress, word: str) -> str | None:
    """Why a word is not taken, by code; None if it is."""
    if progress.options.luck != "yes":
        return "luck-none"
    if progress.state.phase is not Phase.INVITED:
        return "luck-late"
    return None if fair.is_luck_word(word) else "luck-unreadable"


def put(seat: tables.Seat, word: str) -> None:
    """The seat's word for the list."""
    seat.luck = word


def bring(progress: Progress, seat: tables.Seat, word: str | None) -> list[dict[str, Any]]:
    """Keep the word that came with a JOIN; what the answer tells of it, as of a service."""
    if word is None:
        return []
    why_not = refusal(progress, word)
    if why_not is not None:
        return [{"code": why_not, "facts": {"value": word[:40]}, "refused": True}]
    put(seat, word)
    return [{"code": "luck", "facts": {"word": word}, "refused": False}]


def close(progress: Progress) -> None:
    """The list stands from now on: no die has been thrown yet, and all are thrown with it."""
    progress.game.luck = fair.luck_list([seat.luck for seat in progress.seats])
