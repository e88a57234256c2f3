"""`pbem serve` and the roles that it runs, each of which is a command of its own as well."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import logging
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pbem.settings import Settings


def serve() -> None:
    """Run everything in one go: broker, worker, sweep, SMTP and web."""
    from pbem.embedded.supervisor import serve as supervise

    supervise(_settings(), announce=_say_where)


def front() -> None:
    """Run SMTP, LMTP and the web pages in one process."""
    _run_doors("front")


def smtp() -> None:
    """Run SMTP (and LMTP) only."""
    _run_doors("smtp")


def web() -> None:
    """Run the web pages only."""
    _run_doors("web")


def worker() -> None:
    """Run a worker: it plays orders and sends letters."""
    # With this, SIGTERM gives running tasks `worker_soft_shutdown_timeout` and then hands them
    # back; Celery's own answer to SIGTERM is to wait for them without end.
    os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")
    # Where `setproctitle` happens to be installed, Celery would rename the process; `ps` is to
    # show the command of the role.
    os.environ.setdefault("NOSETPS", "yes")
    settings, broker_url = _settings_with_broker()
    from pbem.embedded.health import beat
    from pbem.embedded.process import die_with_parent
    from workers.app import make_app
    from workers.run import run_worker

    code = run_worker(
        make_app(broker_url),
        settings,
        beat=lambda: beat(broker_url, "worker"),
        bind_child=die_with_parent,
    )
    raise typer.Exit(code)


def sweep() -> None:
    """Run the sweep: it finds what was left lying, deadlines and reminders included."""
    settings, broker_url = _settings_with_broker()
    from pbem.cli.sweeping import sweep_until_stopped, sweeper
    from pbem.embedded.health import beat

    every = settings.sweep_every.total_seconds()
    sweep_until_stopped(sweeper(settings), lambda: beat(broker_url, "sweep", every), every)


def imap() -> None:
    """Fetch mails from the mailbox of PBEM_IMAP_URL, again and again."""
    settings = _settings()
    from pbem.cli.polling import poll_until_stopped, poller
    from pbem.embedded.broker import running_broker
    from pbem.embedded.health import beat
    from pbem.embedded.privileges import settle

    settle(settings.run_as, settings.data_dir)
    broker_url = running_broker(settings)
    every = settings.imap_every.total_seconds()

    def show_life() -> None:
        if broker_url is not None:
            beat(broker_url, "imap", every)

    poll_until_stopped(poller(settings, broker_url), show_life, every)


def migrate() -> None:
    """Bring the database to the tables of this version."""
    settings = _settings()
    from pbem.cli.database import migrate as bring_up_to_date
    from pbem.embedded.privileges import settle

    settle(settings.run_as, settings.data_dir)
    bring_up_to_date(settings)


COMMANDS: tuple[Callable[[], None], ...] = (serve, front, smtp, web, worker, sweep, imap, migrate)


def start_log() -> None:
    """What a process that stays has to say goes to standard error, warnings and worse."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )


def _settings() -> "Settings":
    """The settings of a process that stays: with its log, and bound to a supervisor it may have."""
    from pbem.cli.strays import read_settings
    from pbem.embedded.process import die_with_supervisor
    from pbem.embedded.supervisor import SUPERVISOR

    start_log()
    if supervisor := os.environ.get(SUPERVISOR):
        die_with_supervisor(int(supervisor))
    return read_settings()


def _settings_with_broker() -> "tuple[Settings, str]":
    """The settings with the broker that is in use here, and that broker."""
    from pbem.embedded.broker import required_broker, warn_if_away
    from pbem.embedded.privileges import settle

    settings = _settings()
    settle(settings.run_as, settings.data_dir)
    broker_url = required_broker(settings)
    warn_if_away(broker_url)
    return settings.model_copy(update={"broker_url": broker_url}), broker_url


def _say_where(settings: "Settings") -> None:
    from pbem.cli.gm import first_link
    from pbem.web.key import mailbox_url

    typer.echo(f"pbem is up, Ctrl-C ends it. Data: {settings.data_dir}")
    typer.echo(f"Mail: smtp://{settings.smtp_listen}")
    typer.echo(f"Web: {settings.public_url}")
    if settings.shows_mailbox:
        typer.echo(f"Mailbox: {mailbox_url(settings.public_url, settings.secret)}")
    if (link := first_link(settings)) is not None:
        typer.echo(f"Desk: {link}")


def _run_doors(role: str) -> None:
    settings = _settings()
    import asyncio

    from pbem.cli.doors import run_doors

    asyncio.run(run_doors(settings, role))
