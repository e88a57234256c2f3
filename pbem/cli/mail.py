"""`pbem mail`: single mails from files, for pipes and for tests."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.files import read_bytes

app = typer.Typer(help="Look at single mails, or take one in.", no_args_is_help=True)


@app.command()
def read(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE.eml ...", help="Mails; - for standard input.")
    ],
    sent: Annotated[
        Path | None, typer.Option(metavar="FILE.eml", help="The letter that they answer.")
    ] = None,
    envelope_from: Annotated[
        str | None, typer.Option("--from", metavar="ENVELOPE", help="The envelope's sender.")
    ] = None,
    to: Annotated[  # noqa: ARG001  # named by the contract; what is read is the same for all
        str | None, typer.Option(metavar="ADDRESS", help="The envelope's recipient.")
    ] = None,
) -> None:
    """Print what would be read in each mail: one JSON object a line."""
    from pbem.mail import glance, inbound

    own = None if sent is None else glance.own_text(read_bytes(str(sent)))
    for name in files:
        reading = inbound.read_safely(read_bytes(name), own, envelope_from=envelope_from)
        typer.echo(json.dumps(reading.as_json(), ensure_ascii=False))


@app.command()
def ingest(
    file: Annotated[str, typer.Argument(metavar="FILE.eml", help="A mail; - for standard input.")],
    to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="The recipient, again for each; else the headers say it, Delivered-To first.",
        ),
    ] = None,
    envelope_from: Annotated[
        str | None, typer.Option("--from", metavar="ENVELOPE", help="The envelope's sender.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Take one mail in as the mail door does, and play it.

    A running service answers it; without one it is answered here before this command ends.
    """
    from pbem.cli.ingest import ingest as take_in

    raw = read_bytes(file)
    came = take_in(raw, to or [], envelope_from)
    for one in came:
        typer.echo(json.dumps(one.as_json(), ensure_ascii=False) if as_json else str(one))
    if any(one.refused for one in came):
        raise typer.Exit(1)
