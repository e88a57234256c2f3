"""The doors for mail as the settings want them: SMTP, and LMTP if it has an address."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pbem.cli.front import Mail
from pbem.judge import intake
from pbem.judge.house import House
from pbem.judge.sweep import APPLY
from pbem.judge.throttle import Throttle
from pbem.mail.smtpd import Arrival, Asked, Door
from pbem.settings import Settings
from pbem.store.committer import GroupCommitter
from pbem.store.engine import Engine, Session
from pbem.store.inquiry import GroupReader
from pbem.store.tables import Source
from workers.hints import Hint


def ways_in(
    settings: Settings, reader: Engine, committer: GroupCommitter, hint: Hint
) -> list[Mail]:
    """A door for each address to listen on, for its own share of limits."""
    ways = []
    for source, listen in (
        (Source.SMTP, settings.smtp_listen),
        (Source.LMTP, settings.lmtp_listen),
    ):
        if listen is None:
            continue
        door = mail_door(
            settings.house, reader, committer, hint, source, _throttle(settings, source)
        )
        door.proxies = settings.proxy_peers if source is Source.SMTP else ()
        certificate = settings.certificate if source is Source.SMTP else None
        tls = None if certificate is None else certificate.context
        ways.append(Mail(source.value, door, listen, tls))
    return ways


def mail_door(
    house: House,
    reader: Engine,
    committer: GroupCommitter,
    hint: Hint,
    source: Source,
    throttle: Throttle | None = None,
) -> Door:
    """The door that takes mails for our seats, and answers when they are durable."""

    def refusals(opened: Session, group: Sequence[Asked]) -> list[str | None]:
        now = _clock()
        weighed = intake.weigh(opened, house, [asked.recipient for asked in group], now)
        if throttle is None:
            return [each.refusal for each in weighed]
        return [
            each.refusal or throttle.refuse(asked, each.owner, now)
            for asked, each in zip(group, weighed, strict=True)
        ]

    async def deliver(arrival: Arrival) -> None:
        rows = intake.deliveries(arrival, source)
        await committer.add(rows)
        for game_id in intake.games_of(rows):
            hint(APPLY, game_id)

    return Door(GroupReader(reader, refusals).ask, deliver, house.domain, _clock)


def _throttle(settings: Settings, source: Source) -> Throttle:
    return Throttle(
        settings.rate_per_address, settings.rate_per_sender, direct=source is Source.SMTP
    )


def _clock() -> datetime:
    return datetime.now(UTC)
