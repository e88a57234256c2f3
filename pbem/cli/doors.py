"""Mail and pages put together from the settings: what `pbem front`, `smtp` and `web` run."""

from collections.abc import Mapping
from contextlib import ExitStack, closing
from datetime import UTC, datetime

import typer

import pbem
from pbem.cli.front import Mail, run_front
from pbem.embedded.broker import running_broker
from pbem.embedded.health import accepts, beat, service_checks
from pbem.embedded.ports import LISTENERS, resolve_ports, write_addresses
from pbem.judge import intake
from pbem.judge.house import House
from pbem.judge.sweep import APPLY
from pbem.mail.smtpd import Arrival, Door
from pbem.settings import Listen, Settings
from pbem.store import migrate
from pbem.store.committer import GroupCommitter
from pbem.store.engine import Engine, Session, open_engine, open_reader, session
from pbem.store.inquiry import GroupReader
from pbem.store.tables import Source
from pbem.web.app import make_app
from pbem.web.key import mailbox_key
from pbem.web.site import Mailbox, Service, Site
from workers.hints import BackgroundHints, Hint, hints

_LISTENERS = {
    "front": LISTENERS,
    "smtp": ("smtp_listen", "lmtp_listen"),
    "web": ("http_listen",),
}


async def run_doors(settings: Settings, role: str) -> None:
    """Run `front`, `smtp` or `web` until a signal. Raises StartError."""
    settings = resolve_ports(settings, _LISTENERS[role])
    broker_url = running_broker(settings)
    with ExitStack() as opened:
        reader = open_reader(settings.database_url)
        opened.callback(reader.dispose)
        engine = open_engine(settings.database_url)
        opened.callback(engine.dispose)
        hint = opened.enter_context(closing(BackgroundHints(hints(broker_url))))
        mail: list[Mail] = []
        if role != "web":
            committer = opened.enter_context(GroupCommitter(engine))
            mail = _ways_in(settings, reader, committer, hint)
        web = None
        if role != "smtp":
            service = _service(settings, engine, reader, hint)
            web = make_app(_site(settings, role, service, broker_url))

        def announce(found: Mapping[str, Listen]) -> None:
            write_addresses(settings.run_dir, role, found)
            typer.echo(" ".join(f"{protocol}://{at}" for protocol, at in found.items()))

        def show_life() -> None:
            if mail and broker_url is not None:
                beat(broker_url, "smtp")

        await run_front(
            mail=mail, web=web, http=settings.http_listen, announce=announce, beat=show_life
        )


def _ways_in(
    settings: Settings, reader: Engine, committer: GroupCommitter, hint: Hint
) -> list[Mail]:
    """SMTP, and LMTP if it has an address; each a door of its own, for its own share of limits."""
    at = {Source.SMTP: settings.smtp_listen, Source.LMTP: settings.lmtp_listen}
    return [
        Mail(source.value, mail_door(settings.house, reader, committer, hint, source), listen)
        for source, listen in at.items()
        if listen is not None
    ]


def mail_door(
    house: House, reader: Engine, committer: GroupCommitter, hint: Hint, source: Source
) -> Door:
    """The door that takes mails for our seats, and answers when they are durable."""

    def refusal(opened: Session, recipient: str) -> str | None:
        return intake.refuse_recipient(opened, house, recipient, _clock())

    async def deliver(arrival: Arrival) -> None:
        rows = intake.deliveries(arrival, source)
        await committer.add(rows)
        for game_id in intake.games_of(rows):
            hint(APPLY, game_id)

    return Door(GroupReader(reader, refusal).ask, deliver, house.domain, _clock)


def _site(settings: Settings, role: str, service: Service, broker_url: str | None) -> Site:
    smtp_is_here = role == "front"
    reader = service.reader
    checks = service_checks(
        broker_url,
        (lambda: accepts(settings.smtp_listen)) if smtp_is_here else None,
        lambda: migrate.is_current(reader),
    )
    return Site(pbem.__version__, checks, _mailbox(settings, reader), service)


def _service(settings: Settings, engine: Engine, reader: Engine, hint: Hint) -> Service:
    return Service(
        house=settings.house,
        engine=engine,
        reader=reader,
        hint=hint,
        http=settings.http_listen,
        clock=_clock,
    )


def _mailbox(settings: Settings, reader: Engine) -> Mailbox | None:
    if not settings.shows_mailbox:
        return None
    return Mailbox(
        key=mailbox_key(settings.secret),
        sessions=lambda: session(reader),
        smtp=settings.smtp_listen,
        http=settings.http_listen,
        domain=settings.domain,
        public_url=settings.public_url,
        clock=_clock,
    )


def _clock() -> datetime:
    return datetime.now(UTC)
