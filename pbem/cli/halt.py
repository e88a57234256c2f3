"""`pbem gm stop` and `pbem gm go`: the panic switch of the whole house."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

from typing import Annotated

import typer

Reason = Annotated[str, typer.Option(help="Why; the audit keeps it.")]


def stop(reason: Reason = "") -> None:
    """Stop the house: nothing is played or sent until `pbem gm go`; mails are still taken in."""
    from pbem.cli.desk import desk

    with desk() as here:
        here.stop(reason)
    typer.echo("stopped: nothing is played or sent")


def go(reason: Reason = "") -> None:
    """Let the house run again; what was due comes later by as long as it stood."""
    from pbem.cli.desk import desk
    from pbem.judge.duration import duration_text

    with desk() as here:
        lost = here.go_on(reason)
    typer.echo(f"runs again; deadlines moved by {duration_text(lost)}")


COMMANDS = (stop, go)
"""What `pbem gm` has for the whole house."""
