"""`pbem demo`: the whole service in a folder that is gone afterwards, with a game to play."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pbem.cli.trial import Trial
    from pbem.settings import Settings


def demo(
    seats: Annotated[
        int, typer.Option(min=3, max=6, help="Seats at the table, yours included.")
    ] = 3,
    language: Annotated[
        str, typer.Option(help="The language of your letters: en, it, nl or sl.")
    ] = "en",
    setup: Annotated[
        str, typer.Option(help="How the board is shared out: deal or claim.")
    ] = "deal",
) -> None:
    """Run everything in a throw-away folder, with a game: one seat for you, the others played by
    the computer."""
    from pbem.cli import trial
    from pbem.cli.processes import start_log
    from pbem.cli.strays import name_strays
    from pbem.embedded.supervisor import serve

    start_log()
    name_strays()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)  # until the service has its own; the folder must go
    with tempfile.TemporaryDirectory(prefix="pbem-demo-", ignore_cleanup_errors=True) as folder:
        settings = trial.settings_in(Path(folder))
        game = trial.begin(settings, seats=seats, language=language, setup=setup)
        serve(settings, before=(), announce=lambda at: _say_where(at, game))


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _say_where(settings: "Settings", game: "Trial") -> None:
    from pbem.cli.gm import first_link
    from pbem.web.key import mailbox_url

    others = game.seats - 1
    typer.echo(
        f"""\
Game {game.game} is running. You are {game.colour.capitalize()}, the computer plays {others} others.
It is your move: your turn call is in the mailbox, and can be answered there.

Mailbox:   {mailbox_url(settings.public_url, settings.secret)}

GM's desk: {first_link(settings)}

Or with a mail program of your own:
  from     {game.you}
  to       {game.reply_to}
  through  smtp://{settings.smtp_listen}

Data:      {settings.data_dir}
Ctrl-C ends the demo and removes its data."""
    )
