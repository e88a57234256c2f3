"""`pbem gm`: for whoever looks after the games of this installation."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pbem.settings import Settings

app = typer.Typer(help="Look after the games of this installation.", no_args_is_help=True)


@app.command()
def link(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Whose pages it opens: a GM, or a player.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Print a link that logs in once, within 15 minutes: for a first login without any mail."""
    from pbem.cli.desk import desk

    with desk() as here:
        found = here.login_link(address)
    typer.echo(json.dumps({"link": found}) if as_json else found)


def first_link(settings: "Settings") -> str | None:
    """A link for the first owner of a house whose owners have never logged in; None later on."""
    from datetime import UTC, datetime
    from secrets import token_bytes

    from pbem.judge import login
    from pbem.store.engine import open_engine, session

    if not settings.gm:
        return None
    engine = open_engine(settings.database_url)
    try:
        with session(engine) as opened:
            if any(login.has_been_here(opened, owner) for owner in settings.gm):
                return None
            now = datetime.now(UTC)
            return login.make_link(opened, settings.house, settings.gm[0], now, token_bytes)
    finally:
        engine.dispose()
