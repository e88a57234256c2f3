"""Where the answer to a letter goes: an address that carries the game, the seat and the step."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.judge.house import House
from pbem.mail import address, errand
from pbem.mail import gm_address as masters
from pbem.store import games, tables


def seat_address(house: House, seat: tables.Seat, turn: int, step: int) -> str:
    """Where a seat's answer to a letter of that step goes."""
    issued = address.issue(
        house.secret, games.public_id(seat.game_id), seat.letter, turn, step, seat.key_epoch
    )
    return address.format_address(issued, house.domain)


def gm_address(house: House, game: str, person: str, asks: Sequence[Any] | None = None) -> str:
    """Where a game master answers a letter about a game, or its question and the number of that."""
    question = None if asks is None else masters.Question(asks[0])
    issued = masters.issue(house.secret, game, person, question, 0 if asks is None else asks[1])
    return masters.written(issued, house.domain)


def letter_address(house: House, seat: tables.Seat, row: tables.Outbox) -> str:
    """Where the answer to a letter goes; what asks for a word of its own is answered to itself."""
    if (own := errand_address(house, seat, row.recipe["facts"])) is not None:
        return own
    number = row.recipe["facts"].get("question")
    if number is None:
        return seat_address(house, seat, row.recipe["turn"], row.recipe["step"])
    return address.confirm_address(
        house.secret,
        games.public_id(seat.game_id),
        seat.letter,
        number,
        house.domain,
        seat.key_epoch,
    )


def errand_address(house: House, seat: tables.Seat, facts: Mapping[str, Any]) -> str | None:
    """Where a letter's one errand is answered; None for a letter without."""
    named = facts.get("errand")
    if named is None:
        return None
    issued = errand.issue(
        house.secret,
        games.public_id(seat.game_id),
        seat.letter,
        errand.Purpose(named["purpose"]),
        named["number"],
        seat.key_epoch,
    )
    return issued.at(house.domain)


def bounces_of_errand(house: House, seat: tables.Seat, facts: Mapping[str, Any]) -> str | None:
    """Where a letter about a move comes back to; None for all others, which the seat's own do."""
    named = facts.get("errand")
    if named is None or named["purpose"] == errand.Purpose.VOTE:
        return None
    return errand_address(house, seat, facts)
