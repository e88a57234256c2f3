"""`pbem clock`: the clock of the whole house, and its release after the safety stop."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

app = typer.Typer(help="Look at the clock of this installation.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@app.command()
def show(as_json: AsJson = False) -> None:
    """Show the last sweep, whether the clock is held, and what is due next."""
    from pbem.cli.desk import desk
    from pbem.judge import clock
    from pbem.store.engine import session

    with desk() as here, session(here.engine) as opened:
        found = clock.overview(opened, datetime.now(UTC))
    if as_json:
        typer.echo(json.dumps(found))
        return
    for line in _lines(found):
        typer.echo(line)


@app.command()
def release(
    as_they_are: Annotated[
        bool,
        typer.Option(
            "--as-they-are",
            help="Play what fell due meanwhile at once, instead of moving all deadlines.",
        ),
    ] = False,
) -> None:
    """Let deadlines pass again after the safety stop; they move by the time it lasted."""
    from pbem.cli.desk import desk
    from pbem.cli.refusal import RefusedError
    from pbem.judge import clock
    from pbem.store.engine import session

    with desk() as here, session(here.engine) as opened:
        try:
            released = clock.release(opened, datetime.now(UTC), as_they_are=as_they_are)
        except clock.ClockError as error:
            raise RefusedError(str(error)) from error
    how = "deadlines move by that time" if released.moved else "what is due is played"
    typer.echo(f"the clock was held since {_moment(released.since.isoformat())}; {how}")


def _lines(found: "Mapping[str, Any]") -> list[str]:
    due = ", ".join(f"{count} {what}" for what, count in found["overdue"].items() if count)
    held = found["held_at"]
    return [
        f"last sweep  {_moment(found['swept_at'])}",
        f"lag         {found['lag']} s",
        f"held        {f'since {_moment(held)}: {_why(found)}' if held else 'no'}",
        f"overdue     {due or 'nothing'}",
        *(
            f"{_moment(thing['at'])}  {thing['game']:<6}{thing['what']:<10}{thing['on_turn'] or ''}"
            for thing in found["next"]
        ),
    ]


def _why(found: "Mapping[str, Any]") -> str:
    why = found["held_for"]
    return f"{why['missing']} of {why['waiting']} seats would have missed their turn at once"


def _moment(iso: str | None) -> str:
    return "-" if iso is None else f"{datetime.fromisoformat(iso):%Y-%m-%d %H:%M %Z}"
