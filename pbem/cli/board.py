"""`pbem board`: boards of other makers, checked, imported, listed."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.files import read_bytes

if TYPE_CHECKING:
    from pbem.judge.importing import Survey

app = typer.Typer(help="Play on boards of other makers.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
MapFile = Annotated[
    Path, typer.Argument(metavar="FILE.map", help="A map of Domination, or a TOML of our form.")
]
CardsFile = Annotated[
    Path | None, typer.Argument(metavar="FILE.cards", help="Its cards and missions.")
]


@app.command()
def check(map_file: MapFile, cards_file: CardsFile = None, as_json: AsJson = False) -> None:
    """Say what a board's files hold, or line by line what is wrong; exit code 1 for a fault."""
    found = _survey(map_file, cards_file, None)
    _print(found, as_json=as_json)
    if found.board is None:
        raise typer.Exit(1)


@app.command("import")
def import_board(
    map_file: MapFile,
    cards_file: CardsFile = None,
    name: Annotated[
        str | None, typer.Option(help="What it is called by; else the title of the map.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Keep a board, so that games can be made with it; a newer one of that name takes its place."""
    from pbem.cli.desk import desk

    found = _survey(map_file, cards_file, name)
    if found.board is not None:
        with desk() as here:
            here.keep_board(found.board)
    _print(found, as_json=as_json)
    if found.board is None:
        raise typer.Exit(1)


@app.command("list")
def list_boards(as_json: AsJson = False) -> None:
    """List the boards that games can be made with."""
    from pbem.cli.desk import desk

    with desk() as here:
        found = here.boards()
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    for board in found:
        typer.echo(
            f"{board['name']:<28}{board['territories']:>4} territories"
            f"{board['continents']:>4} continents{_count(board['missions'])} missions"
            f"  {board['checksum'] or 'ours'}"
        )


def _count(number: int | None) -> str:
    """A number in its column; None: those of the decks."""
    return f"{'-' if number is None else number:>4}"


def _survey(map_file: Path, cards_file: Path | None, name: str | None) -> "Survey":
    from pbem.cli.refusal import UsageError
    from pbem.judge.importing import BoardNameError, File, survey

    first, *more = (
        File(path.name, read_bytes(str(path)))
        for path in (map_file, cards_file)
        if path is not None
    )
    try:
        return survey(first, more[0] if more else None, name)
    except BoardNameError as error:
        raise UsageError(str(error)) from error


def _print(found: "Survey", *, as_json: bool) -> None:
    from pbem.judge.atlas import facts

    board = None if found.board is None else facts(found.board)
    if as_json:
        remarks = {
            "faults": [fault._asdict() for fault in found.faults],
            "notes": [note._asdict() for note in found.notes],
        }
        typer.echo(json.dumps({"board": board, **remarks}, ensure_ascii=False))
        return
    for fault in found.faults:
        typer.echo(str(fault))
    for note in found.notes:
        typer.echo(f"{note.file}:{note.line}: note: {note.text}")
    if board is not None:
        _print_board(board)


def _print_board(board: dict[str, Any]) -> None:
    """The board in lines: what it is called, then each continent with its territories."""
    typer.echo(
        f"{board['name']}: {board['title']}, {board['territories']} territories,"
        f" {board['borders']} borders, {board['continents']} continents,"
        f" {board['wild_cards']} wild cards, {board['missions']} missions"
    )
    for continent in board["land"]:
        named = ", ".join(f"{code} {name}" for code, name in continent["territories"].items())
        typer.echo(f"  {continent['name']} {continent['bonus']}: {named}")
    typer.echo(f"a game on it: pbem game new --set board={board['name']} ...")
