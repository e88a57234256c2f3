"""Addresses that carry a turn: `play+g7.a.23.2.<tag>@host`, and the envelope's twin for bounces.

The tag is keyed by the server, so that nobody can guess the address of another seat. The bounce
tag is derived *from* the turn's tag in one direction: a leaked Return-Path gives no order rights.
A question whether a held mail is the player's has an address of its own,
`confirm+g7.a.q12.<tag>@host`, which stands in that one letter only: whoever writes to it has read
the player's mail.
"""

import re
from dataclasses import dataclass

from .tag import TAG_LENGTH, keyed, named, same

PLAY = "play"
BOUNCE = "bounce"
CONFIRM = "confirm"

_TURN = r"(?P<game>[a-z][a-z0-9]{0,15})\.(?P<seat>[a-f])\.(?P<turn>{n})\.(?P<step>{n})".replace(
    "{n}", r"(?:0|[1-9][0-9]{0,8})"
)
# Some hosts drop plus-parts, some want a dot or a hyphen: whatever stands before is ignored.
_PLAY_LOCAL = re.compile(rf"(?:(?P<box>.*)[+.=-])?{_TURN}\.(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})")
_QUESTION = re.compile(
    rf"(?:.*[+.=-])?(?P<game>[a-z][a-z0-9]{{0,15}})\.(?P<seat>[a-f])"
    rf"\.q(?P<number>[1-9][0-9]{{0,17}})\.(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})"
)


@dataclass(frozen=True, slots=True)
class TurnAddress:
    """Where orders for one step of one seat's turn go. Game "g7", seat an upper-case letter."""

    game: str
    seat: str
    turn: int
    step: int
    tag: str


@dataclass(frozen=True, slots=True)
class BounceAddress:
    """Where servers report that a letter of this step could not be delivered."""

    game: str
    seat: str
    turn: int
    step: int
    tag: str


@dataclass(frozen=True, slots=True)
class ConfirmAddress:
    """Where a seat answers whether a held mail is its own; `number` is that of the question."""

    game: str
    seat: str
    number: int
    tag: str


def tag(secret: bytes, game: str, seat: str, turn: int, step: int, epoch: int = 0) -> str:
    """Sixteen lower-case base32 characters; `epoch` rises with each NEWKEY of the seat."""
    content = f"turn/1|{game.lower()}|{seat.upper()}|{turn}|{step}|{epoch}"
    return keyed(secret, content)


def issue(secret: bytes, game: str, seat: str, turn: int, step: int, epoch: int = 0) -> TurnAddress:
    """The genuine address of a step."""
    return TurnAddress(game, seat, turn, step, tag(secret, game, seat, turn, step, epoch))


def genuine(address: TurnAddress, secret: bytes, epoch: int = 0) -> bool:
    """Whether we issued this address in this epoch (compared in constant time)."""
    right = tag(secret, address.game, address.seat, address.turn, address.step, epoch)
    return same(right, address.tag)


def format_address(address: TurnAddress, domain: str) -> str:
    """`play+g7.a.23.2.<tag>@domain`."""
    return f"{PLAY}+{_local(address, address.tag)}@{domain}"


def parse(recipient: str) -> TurnAddress | None:
    """The turn that a recipient names, in any spelling that hosts leave of it, or None.

    Read case-folded: `play+X@d`, `X@d`, `X@sub.d`, `anything+X@d`, `anything.X@d`. The tag is not
    yet proved: see `genuine`.
    """
    found = named(recipient, _PLAY_LOCAL)
    if found is None or _names_bounces(found):
        return None
    return TurnAddress(*_fields(found))


def bounce_address(address: TurnAddress, domain: str) -> str:
    """The envelope sender of a letter to this step: `bounce+g7.a.23.2.<other tag>@domain`."""
    return f"{BOUNCE}+{_local(address, _bounce_tag(address.tag))}@{domain}"


def parse_bounce(recipient: str) -> BounceAddress | None:
    """The step whose letter bounced, or None if this is no bounce address."""
    found = named(recipient, _PLAY_LOCAL)
    if found is None or not _names_bounces(found):
        return None
    return BounceAddress(*_fields(found))


def genuine_bounce(address: BounceAddress, secret: bytes, epoch: int = 0) -> bool:
    """Whether we used this envelope sender in this epoch (compared in constant time)."""
    order_tag = tag(secret, address.game, address.seat, address.turn, address.step, epoch)
    return same(_bounce_tag(order_tag), address.tag)


def confirm_address(
    secret: bytes, game: str, seat: str, number: int, domain: str, epoch: int = 0
) -> str:
    """Where the answer to a question goes: `confirm+g7.a.q12.<tag>@domain`."""
    right = _confirm_tag(secret, game, seat, number, epoch)
    return f"{CONFIRM}+{game}.{seat.lower()}.q{number}.{right}@{domain}"


def parse_confirm(recipient: str) -> ConfirmAddress | None:
    """The question that a recipient names, in any spelling that hosts leave of it, or None."""
    found = named(recipient, _QUESTION)
    if found is None:
        return None
    return ConfirmAddress(found["game"], found["seat"].upper(), int(found["number"]), found["tag"])


def genuine_confirm(address: ConfirmAddress, secret: bytes, epoch: int = 0) -> bool:
    """Whether we asked this question in this epoch (compared in constant time)."""
    right = _confirm_tag(secret, address.game, address.seat, address.number, epoch)
    return same(right, address.tag)


def _confirm_tag(secret: bytes, game: str, seat: str, number: int, epoch: int) -> str:
    return keyed(secret, f"confirm/1|{game.lower()}|{seat.upper()}|{number}|{epoch}")


def _bounce_tag(order_tag: str) -> str:
    return keyed(order_tag.encode(), "bounce/1")


def _local(address: TurnAddress, shown_tag: str) -> str:
    return f"{address.game}.{address.seat.lower()}.{address.turn}.{address.step}.{shown_tag}"


def _names_bounces(found: re.Match[str]) -> bool:
    box = found["box"]
    return box is not None and box.endswith(BOUNCE)


def _fields(found: re.Match[str]) -> tuple[str, str, int, int, str]:
    return (
        found["game"],
        found["seat"].upper(),
        int(found["turn"]),
        int(found["step"]),
        found["tag"],
    )
