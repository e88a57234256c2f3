"""The way in: which recipients are ours, and what a mail at the door becomes in the inbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge import gm_mail
from pbem.judge.house import House
from pbem.mail import address, errand, glance, gm_address, inbound, lobby_address
from pbem.mail.smtpd import Arrival
from pbem.store import games
from pbem.store.engine import Session
from pbem.store.games import TokenSeat
from pbem.store.inbox import Delivery
from pbem.store.tables import InboxStatus, Seat, Source

Named = address.TurnAddress | address.BounceAddress | address.ConfirmAddress | errand.Errand

LIFE_AFTER_GAME = timedelta(days=30)
"""How long the addresses of a game live after its end."""

SERVICE_BOXES = frozenset({"postmaster", "abuse"})

SERVICE = "postmaster"
"""Why a mail to one of the service boxes waits for the game master."""

UNKNOWN = (
    "550 5.1.1 No such seat here: please answer the newest letter of your game, "
    "its Reply-To is the address to write to"
)
OVER = "550 5.1.1 This game ended more than 30 days ago, its addresses are closed"


@dataclass(frozen=True, slots=True)
class Weighed:
    """A recipient at the door: the SMTP reply that refuses it, None if its mail is to be taken, and
    the registered address of the seat that it names, if it names one (by a right tag or not)."""

    refusal: str | None
    owner: str | None


def refuse_recipient(session: Session, house: House, recipient: str, now: datetime) -> str | None:
    """The SMTP reply that refuses a recipient; None if its mail is to be taken."""
    return weigh(session, house, [recipient], now)[0].refusal


def weigh(
    session: Session, house: House, recipients: Sequence[str], now: datetime
) -> list[Weighed]:
    """What the door has to know of each recipient, with one look at the seats of all."""
    parsed = [_named(recipient) for recipient in recipients]
    names = [(named.game, named.seat) for named in parsed if named is not None]
    seats = games.seats_for_tokens(session, names)
    weighed = []
    for recipient, named in zip(recipients, parsed, strict=True):
        seat = None if named is None else seats.get((named.game, named.seat))
        refusal = _refusal(session, house, recipient, named, seat, now)
        weighed.append(Weighed(refusal, None if seat is None else seat.address))
    return weighed


def box(recipient: str) -> str:
    """One name for all spellings of a recipient."""
    return _box(_named(recipient), recipient)


def is_open(house: House, seat: Seat, recipient: str) -> bool:
    """Whether an address of the seat bears its present key; one without a key needs none."""
    named = _named(recipient)
    return named is None or _is_genuine(named, house, seat.key_epoch)


def deliveries(arrival: Arrival, source: Source) -> list[Delivery]:
    """One row for each recipient; all share the bytes."""
    return [_delivery(arrival, recipient, source) for recipient in arrival.rcpt_tos]


LOBBY = 0
"""Stands in hints for what waits in no game: mails to the lobby."""


def games_of(rows: Sequence[Delivery]) -> list[int]:
    """The games that the rows wait for, for hints; `LOBBY` for those that wait in none."""
    waiting = (row for row in rows if row.status == InboxStatus.ACCEPTED)
    return sorted({LOBBY if row.game_id is None else row.game_id for row in waiting})


def _refusal(
    session: Session,
    house: House,
    recipient: str,
    named: Named | None,
    seat: TokenSeat | None,
    now: datetime,
) -> str | None:
    if named is None:
        if _is_service_box(house, recipient) or _is_lobby(house, recipient):
            return None
        return None if gm_mail.master(session, house, recipient) else UNKNOWN
    if seat is None or seat.address is None or not _is_genuine(named, house, seat.key_epoch):
        return UNKNOWN
    if seat.over_at is not None and now > seat.over_at + LIFE_AFTER_GAME:
        return OVER
    return None


def _delivery(arrival: Arrival, recipient: str, source: Source) -> Delivery:
    named = _named(recipient)
    game = named or gm_address.parse(recipient)
    for_people = game is None and not lobby_address.is_box(recipient)
    # Whoever hands a mail on to us is not its sender's own server.
    direct = source is Source.SMTP
    return Delivery(
        source=source,
        dedupe_key=f"{_box(named, recipient)}:{inbound.dedupe_key(arrival.raw)}",
        received_at=arrival.received_at,
        recipient=recipient,
        game_id=None if game is None else games.game_id(game.game),
        seat=None if named is None else named.seat,
        turn=named.turn if isinstance(named, address.TurnAddress) else None,
        step=named.step if isinstance(named, address.TurnAddress) else None,
        mail_from=arrival.mail_from,
        peer=arrival.peer if direct else "",
        helo=arrival.helo if direct else "",
        raw=arrival.raw,
        body_hash=glance.content_hash(arrival.raw),
        # Letters to the postmaster are for people to look at.
        status=InboxStatus.SET_ASIDE if for_people else InboxStatus.ACCEPTED,
        result=SERVICE if for_people else None,
    )


def _named(recipient: str) -> Named | None:
    """What a recipient's address stands for, if it may be one of ours."""
    return (
        address.parse(recipient)
        or address.parse_bounce(recipient)
        or address.parse_confirm(recipient)
        or errand.parse(recipient)
    )


def _box(named: Named | None, recipient: str) -> str:
    """One name for all spellings of an address."""
    match named:
        case address.TurnAddress(game, seat, turn, step, tag):
            return f"{game}.{seat}.{turn}.{step}.{tag}"
        case address.BounceAddress(game, seat, turn, step, tag):
            return f"bounce.{game}.{seat}.{turn}.{step}.{tag}"
        case address.ConfirmAddress(game, seat, number, tag):
            return f"confirm.{game}.{seat}.{number}.{tag}"
        case errand.Errand():
            return named.token
    return recipient.lower()


def _is_lobby(house: House, recipient: str) -> bool:
    named = lobby_address.parse(recipient)
    if named is not None:
        return lobby_address.genuine(named, house.secret)
    return lobby_address.is_lobby(recipient, house.domain)


def _is_service_box(house: House, recipient: str) -> bool:
    local, _, domain = recipient.lower().partition("@")
    return local in SERVICE_BOXES and domain in (house.domain, "")


def _is_genuine(named: Named, house: House, epoch: int) -> bool:
    match named:
        case address.TurnAddress():
            return address.genuine(named, house.secret, epoch)
        case address.BounceAddress():
            return address.genuine_bounce(named, house.secret, epoch)
        case address.ConfirmAddress():
            return address.genuine_confirm(named, house.secret, epoch)
        case errand.Errand():
            return errand.genuine(named, house.secret, epoch)
