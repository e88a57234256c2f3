"""`pbem doctor`: what stands in the way of mail, one line each."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
import os
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pbem.cli.checkup.finding import Finding
    from pbem.judge.proving import Lookups
    from pbem.mail.resolver import Lookup
    from pbem.settings import Settings


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    loop: Annotated[
        bool, typer.Option("--loop/--no-loop", help="Send a mail to ourselves and wait for it.")
    ] = True,
) -> None:
    """Check settings, names, TLS, relay, broker, database and clock, and send a mail to ourselves.

    Each line says ok, warn or fail, and what to do; any fail ends with exit code 1.
    """
    from pbem.cli.checkup.finding import Verdict
    from pbem.cli.strays import read_settings
    from pbem.mail.resolver import lookup_within

    found = examine_all(read_settings(), lookup_within, loop=loop)
    for finding in found:
        typer.echo(json.dumps(finding.as_json()) if as_json else str(finding))
    if any(finding.verdict is Verdict.FAIL for finding in found):
        raise typer.Exit(1)


ASKING = 8.0
"""Seconds that one check may ask the name system."""


def examine_all(settings: "Settings", lookups: "Lookups", *, loop: bool) -> "list[Finding]":
    """All checks that make sense for these settings, in the order of the report.

    `lookups` gives a way to ask the name system for so many seconds.
    """
    from pbem.cli.checkup import loop as way
    from pbem.cli.checkup import service, setting
    from pbem.cli.checkup.finding import PATIENCE, Check, examine

    checks: dict[str, Check] = {
        "settings": lambda: setting.names(os.environ),
        "secret": lambda: setting.secret(settings),
        "database": lambda: service.database(settings),
        "broker": lambda: service.broker(settings),
        "clock": lambda: service.clock(settings),
        "words": service.words,
        "pages": lambda: service.pages(settings),
        "tls": lambda: service.tls(settings, _mail_host(settings, lookups(ASKING))),
        "relay": lambda: service.relay(settings),
    }
    found = [examine(name, check) for name, check in checks.items()]
    found += _examine_names(settings, lookups)
    if loop:
        found.append(examine("loop", lambda: way.loop(settings), way.PATIENCE + PATIENCE))
    return found


def _examine_names(settings: "Settings", lookups: "Lookups") -> "list[Finding]":
    """The checks of names, if there is anybody to ask."""
    from pbem.cli.checkup import names
    from pbem.cli.checkup.finding import Verdict, examine, warn

    if names.is_local(settings.domain):
        todo = "set PBEM_DOMAIN to a name of your own for mail from outside"
        return [warn("names", f"{settings.domain} is known on this machine only", todo)]
    first = examine("dns", lambda: names.reachable(lookups(ASKING)))
    if first.verdict is Verdict.FAIL:
        return [first]
    kinds = ("mx", "spf", "dkim", "dmarc", "ptr")

    def check(kind: str) -> "Finding":
        asked: Finding = getattr(names.Names(settings, lookups(ASKING)), kind)()
        return asked

    return [first, *(examine(kind, partial(check, kind)) for kind in kinds)]


def _mail_host(settings: "Settings", lookup: "Lookup") -> str:
    """The name that other servers call our door by."""
    from pbem.cli.checkup.names import is_local, mail_hosts

    hosts = [] if is_local(settings.domain) else mail_hosts(settings.domain, lookup)
    return hosts[0] if hosts else settings.domain
