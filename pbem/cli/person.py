"""`pbem person`: what is kept of somebody, given out or forgotten on request."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
from typing import Annotated

import typer

app = typer.Typer(help="A person's data, shown or erased.", no_args_is_help=True)

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="The person's mail address.")]


@app.command()
def export(address: Address) -> None:
    """Print everything that is kept of an address, as JSON."""
    from pbem.cli.desk import desk

    with desk() as here:
        found = here.person(address)
    typer.echo(json.dumps(found, ensure_ascii=False, indent=1))


@app.command()
def erase(
    address: Address,
    yes: Annotated[bool, typer.Option("--yes", help="It is meant: it cannot be undone.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Forget an address and all that was written from and to it; games keep the seat."""
    from pbem.cli.desk import desk
    from pbem.cli.refusal import UsageError

    if not yes:
        raise UsageError("this cannot be undone; write --yes if it is meant")
    with desk() as here:
        count = here.erase(address)
    typer.echo(json.dumps({"rows": count}) if as_json else f"{address}: {count} rows erased")
