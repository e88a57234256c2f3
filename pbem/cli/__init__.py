"""Door: the command `pbem`. A command imports what it needs when it runs, so that all start fast.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage or settings.
"""

from typing import Annotated

import typer

import pbem
from pbem.cli import acting, board, clock, game, gm, halt, mail, orders, person, processes, record
from pbem.cli.case import case
from pbem.cli.demo import demo
from pbem.cli.doctor import doctor
from pbem.cli.failure import OneLineErrors

app = typer.Typer(
    name="pbem",
    cls=OneLineErrors,
    help="World conquest by mail.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in processes.COMMANDS:
    app.command()(command)
app.command()(demo)
app.command()(case)
app.command()(doctor)
app.command()(record.verify)
app.command()(record.replay)
app.add_typer(board.app, name="board")
app.add_typer(clock.app, name="clock")
for act in acting.COMMANDS:
    game.app.command()(act)
app.add_typer(game.app, name="game")
for halting in halt.COMMANDS:
    gm.app.command()(halting)
app.add_typer(gm.app, name="gm")
app.add_typer(mail.app, name="mail")
app.add_typer(orders.app, name="orders")
app.add_typer(person.app, name="person")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pbem {pbem.__version__}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version)
    ] = False,
) -> None:
    """World conquest by mail: play the classic game with friends, from any mail program."""
