"""Mail and pages put together from the settings: what `pbem front`, `smtp` and `web` run."""

import os
from collections.abc import Mapping
from contextlib import ExitStack, closing
from datetime import UTC, datetime

import typer

import pbem
from pbem.cli.front import Mail, run_front
from pbem.cli.mail_doors import announce, ways_in
from pbem.embedded.broker import running_broker
from pbem.embedded.health import accepts, beat, service_checks
from pbem.embedded.ports import LISTENERS, resolve_ports, write_addresses
from pbem.embedded.privileges import Identity, become, hand_over, identity
from pbem.embedded.process import die_with_parent
from pbem.embedded.supervisor import SUPERVISOR
from pbem.settings import Listen, Settings
from pbem.store import migrate
from pbem.store.committer import GroupCommitter
from pbem.store.engine import Engine, open_engine, open_reader, session
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
    heir = identity(settings.run_as)
    if heir is not None:
        hand_over(settings.data_dir, heir)
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
            committer = opened.enter_context(GroupCommitter(engine, announce(hint)))
            mail = ways_in(settings, reader, committer)
        web = None
        if role != "smtp":
            service = _service(settings, engine, reader, hint)
            web = make_app(_site(settings, role, service, broker_url))

        def listening(found: Mapping[str, Listen]) -> None:
            write_addresses(settings.run_dir, role, found)
            typer.echo(" ".join(f"{protocol}://{at}" for protocol, at in found.items()))

        def show_life() -> None:
            if mail and broker_url is not None:
                beat(broker_url, "smtp")

        await run_front(
            mail=mail,
            web=web,
            http=settings.http_listen,
            bound=lambda: _give_up_root(heir),
            announce=listening,
            beat=show_life,
        )


def _give_up_root(heir: Identity | None) -> None:
    if heir is not None:
        become(heir)
        if os.environ.get(SUPERVISOR):
            die_with_parent()  # the kernel forgets this bond where a process changes its user


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
        webhook_secret=settings.webhook_secret,
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
