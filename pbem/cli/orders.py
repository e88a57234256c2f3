"""`pbem orders`: the language of orders, tried without a game."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
from dataclasses import asdict
from typing import Annotated

import typer

from pbem.cli.files import read_text

app = typer.Typer(help="Try orders without a game.", no_args_is_help=True)


@app.callback()
def orders() -> None:
    """Try orders without a game."""


@app.command()
def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Orders in plain text; - for standard input.")
    ],
    position: Annotated[
        str,
        typer.Option(metavar="FILE", help="TOML: the keys of case.position, or a case file."),
    ],
    seat: Annotated[
        str | None, typer.Option(metavar="C", help="Colour or letter; else the seat on turn.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="en, it, nl or sl.")] = None,
) -> None:
    """Print as JSON how orders are understood; exit code 1 if they have a mistake.

    Nothing is rolled.
    """
    from pbem.cli.refusal import UsageError
    from pbem.judge import invitees
    from pbem.judge.cases.case import CaseError
    from pbem.judge.cases.orders import check_orders, read_position
    from pbem.judge.choosing import OptionError
    from pbem.judge.lobby import LobbyError
    from pbem.rules.ruleset import RulesetError

    try:
        if language is not None:
            invitees.check_language(language)
        case = read_position(read_text(position), position)
        checked = check_orders(case, read_text(file), seat, language)
    except (CaseError, LobbyError, OptionError, RulesetError) as error:
        raise UsageError(str(error)) from error
    typer.echo(json.dumps(asdict(checked), ensure_ascii=False))
    if checked.mistakes:
        raise typer.Exit(1)
