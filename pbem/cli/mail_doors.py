"""The doors for mail as the settings want them: SMTP, and LMTP if it has an address."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from pbem.cli.front import Mail
from pbem.judge import intake
from pbem.judge.doorkeeper import Doorkeeper
from pbem.judge.house import House
from pbem.judge.sweep import APPLY
from pbem.judge.throttle import Throttle
from pbem.mail.smtpd import Arrival, Door
from pbem.settings import Settings
from pbem.store.committer import GroupCommitter
from pbem.store.engine import Engine
from pbem.store.inbox import Delivery
from pbem.store.tables import Source
from workers.hints import Hint


def ways_in(settings: Settings, reader: Engine, committer: GroupCommitter) -> list[Mail]:
    """A door for each address to listen on, for its own share of limits."""
    ways = []
    for source, listen in (
        (Source.SMTP, settings.smtp_listen),
        (Source.LMTP, settings.lmtp_listen),
    ):
        if listen is None:
            continue
        door = mail_door(settings.house, reader, committer, source, _throttle(settings, source))
        door.proxies = settings.proxy_peers if source is Source.SMTP else ()
        certificate = settings.certificate if source is Source.SMTP else None
        tls = None if certificate is None else certificate.context
        ways.append(Mail(source.value, door, listen, tls))
    return ways


def mail_door(
    house: House,
    reader: Engine,
    committer: GroupCommitter,
    source: Source,
    throttle: Throttle | None = None,
) -> Door:
    """The door that takes mails for our seats, and answers when they are durable."""

    def deliver(arrival: Arrival) -> asyncio.Future[None]:
        return committer.add(intake.deliveries(arrival, source))

    keeper = Doorkeeper(house, reader, _clock, throttle)
    return Door(keeper.refuse, deliver, house.domain, _clock)


def announce(hint: Hint) -> Callable[[Sequence[Delivery]], None]:
    """Calls the workers to the games that mails have come for, once for each game."""

    def call(stored: Sequence[Delivery]) -> None:
        for game_id in intake.games_of(stored):
            hint(APPLY, game_id)

    return call


def _throttle(settings: Settings, source: Source) -> Throttle:
    return Throttle(
        settings.rate_per_address, settings.rate_per_sender, direct=source is Source.SMTP
    )


def _clock() -> datetime:
    return datetime.now(UTC)
