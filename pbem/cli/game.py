"""`pbem game`: what a game master does with games."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

import json
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

app = typer.Typer(help="Make games and look after them.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
GameId = Annotated[str, typer.Argument(metavar="ID", help="The game, for example g7.")]


@app.command()
def new(
    seat: Annotated[
        list[str],
        typer.Option(
            help="COLOUR=ADDRESS, COLOUR=Name <address> or COLOUR=computer; again for each seat."
        ),
    ],
    ruleset: Annotated[str, typer.Option(help="The rules to play by.")] = "classic-1993",
    change: Annotated[
        list[str] | None, typer.Option("--set", help="option=value; again for each change.")
    ] = None,
    pace: Annotated[str | None, typer.Option(help="Time for a turn, for example 48h.")] = None,
    remind: Annotated[
        str, typer.Option(help="Times before the deadline, for example 24h,3h.")
    ] = "",
    language: Annotated[str, typer.Option(help="The game's language.")] = "en",
    setup: Annotated[str | None, typer.Option(help="claim or deal.")] = None,
    start: Annotated[bool, typer.Option("--start", help="Begin without invitations.")] = False,
    allow_same: Annotated[
        bool, typer.Option("--allow-same", help="One address may hold several seats.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make a game and send the invitations."""
    from pbem.cli.desk import desk
    from pbem.judge import choosing, invitees, lobby

    with desk() as here:
        changes = dict(_option(text) for text in change or [])
        if setup is not None:
            changes["setup"] = setup
        if "board" in changes:
            changes["board"] = here.board(changes["board"])
        times = [time for time in remind.split(",") if time.strip()]
        rules, chosen = choosing.choose(ruleset, changes, pace=pace, remind=times)
        invitees.check_language(language)
        seats = [invitees.parse_seat(text, language) for text in seat]
        lobby.check_seats(seats, rules, allow_same=allow_same)
        made = here.make_game(rules, chosen, seats, language, start=start)
    if as_json:
        print_json(made)
        return
    typer.echo(f"{made['id']}: {ruleset}, {len(seats)} seats")
    for line in made["seats"]:
        typer.echo(
            f"  {line['letter']} {line['colour']:<7}{line['name']}  {line['address'] or '-'}"
        )
    if deck := made.get("mission_deck"):
        mark = "verified" if deck["verified"] else "NOT verified"
        typer.echo(f"missions: {deck['name']}, {mark}: {deck['source']}")


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r}: write option=value", param_hint="--set")
    return name.strip(), value.strip()


@app.command("list")
def list_games(as_json: AsJson = False) -> None:
    """List all games, the newest first."""
    from pbem.cli.desk import desk

    with desk() as here:
        found = here.games()
    if as_json:
        print_json(found)
        return
    for line in found:
        turn = f"turn {line['turn']} {line['on_turn'] or ''}".strip()
        typer.echo(
            f"{line['id']:<6}{phase(line):<9}{turn:<12}"
            f"{moment(line['deadline']):<22}{line['ruleset']}"
        )


@app.command()
def show(game: GameId, as_json: AsJson = False) -> None:
    """Show where a game stands."""
    from pbem.cli.desk import desk

    with desk() as here:
        shown = here.show(game)
    if as_json:
        print_json(shown)
        return
    shown |= {"phase": phase(shown), "deadline": moment(shown["deadline"])}
    for name in ("id", "ruleset", "turn", "on_turn", "phase", "to_place", "step", "deadline"):
        typer.echo(f"{name:<9} {'-' if shown[name] is None else shown[name]}")
    for line in shown["seats"]:
        held = [armies for owner, armies in shown["board"].values() if owner == line["letter"]]
        typer.echo(
            f"{line['letter']} {line['colour']:<7}{line['name']:<25}"
            f"{len(held):>3} territories {sum(held):>4} armies  {line['status']}"
            f"{_MAIL.get(line['mail'], '')}"
        )


_MAIL = {"comes-back": ", mail comes back", "stopped": ", wants no mail"}


@app.command()
def export(
    game: GameId,
    public: Annotated[bool, typer.Option("--public", help="Without the faces of cards.")] = False,
) -> None:
    """Write the record of a game to standard output, also while it runs."""
    from pbem.cli.desk import desk

    with desk() as here:
        typer.echo(here.export(game, public=public), nl=False)


def phase(shown: "Mapping[str, Any]") -> str:
    """The phase, or that the game is paused."""
    return "paused" if shown["paused"] else str(shown["phase"])


def moment(iso: str | None) -> str:
    """A moment for a person; programs take the one of `--json`."""
    return "-" if iso is None else f"{datetime.fromisoformat(iso):%Y-%m-%d %H:%M %Z}"


def print_json(value: Any) -> None:
    """What `--json` prints: one line."""
    typer.echo(json.dumps(value, ensure_ascii=False))
