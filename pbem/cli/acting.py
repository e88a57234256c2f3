"""`pbem game pause` and the other acts of a game master, each with its reason and a preview."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.game import AsJson, GameId, moment, phase, print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.judge.acts.performing import Foreseen

Reason = Annotated[str, typer.Option(help="Why; the players read it, and the audit keeps it.")]
Preview = Annotated[
    bool, typer.Option("--preview", help="Only show what it would change and whom it would tell.")
]


def pause(
    game: GameId,
    until: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Go on by itself then: 2026-12-03T20:00.")
    ] = None,
    reason: Reason = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Stop the clock of a game: no deadline passes until it is resumed."""
    _act(game, "pause", {"until": until or ""}, reason, preview=preview, as_json=as_json)


def resume(
    game: GameId, reason: Reason = "", preview: Preview = False, as_json: AsJson = False
) -> None:
    """Let a paused game go on; its deadline moves by the length of the pause."""
    _act(game, "resume", {}, reason, preview=preview, as_json=as_json)


def extend(
    game: GameId,
    by: Annotated[str, typer.Argument(metavar="TIME", help="How much later, for example 24h.")],
    reason: Reason = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Move the deadline of a game."""
    _act(game, "extend", {"by": by}, reason, preview=preview, as_json=as_json)


def replace(
    game: GameId,
    letter: Annotated[str, typer.Argument(metavar="LETTER", help="The seat, A to F.")],
    address: Annotated[
        str,
        typer.Argument(
            metavar="ADDRESS", help="ADDRESS[:LANG], Name <address>[:LANG] or computer."
        ),
    ],
    allow_same: Annotated[
        bool, typer.Option("--allow-same", help="One address may hold several seats.")
    ] = False,
    reason: Reason = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Give a seat to another person or to the computer; the old addresses of the seat die."""
    same = "yes" if allow_same else "no"
    fields = {"seat": letter, "heir": address, "allow_same": same}
    _act(game, "replace", fields, reason, preview=preview, as_json=as_json)


def rollback(
    game: GameId,
    seq: Annotated[
        int, typer.Argument(metavar="SEQ", help="The last event that counts; see game events.")
    ],
    new_dice: Annotated[
        bool, typer.Option("--new-dice", help="New dice also for orders that are the same.")
    ] = False,
    reason: Reason = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Take a game back to an event; what came since is undone, and stays in the record, marked."""
    fields = {"to": str(seq), "new_dice": "yes" if new_dice else "no"}
    _act(game, "rollback", fields, reason, preview=preview, as_json=as_json)


def rematch(game: GameId, reason: Reason = "", as_json: AsJson = False) -> None:
    """Make a new game of the same people, rules and options, and send the invitations.

    Everybody moves up by one seat, the first becomes the last; colours stay with their people.
    """
    from pbem.cli.desk import desk

    with desk() as here:
        made = here.rematch(game, reason)
    if as_json:
        print_json(made)
        return
    typer.echo(f"{made['id']}: {len(made['seats'])} seats")


def events(game: GameId, as_json: AsJson = False) -> None:
    """List what happened, with the numbers that a rollback can go back to; never a card."""
    from pbem.cli.desk import desk

    with desk() as here:
        told = here.events(game)
    if as_json:
        print_json(told)
        return
    for line in told:
        mark = "" if line["undone_in"] is None else f"~{line['undone_in']} "
        typer.echo(f"{line['seq']:>5}  {line['turn']:>3}  {mark}{line['kind']}{_told(line)}")


def _told(line: "Mapping[str, Any]") -> str:
    """What the event says, in one line."""
    known = ("seq", "turn", "at", "kind", "undone_in")
    values = {key: value for key, value in line.items() if key not in known and value}
    return "".join(f" {key}={value}" for key, value in values.items())


def webhook(
    game: GameId,
    url: Annotated[
        str | None,
        typer.Argument(metavar="URL", help="https://..., or a chat room as apprise writes it."),
    ] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Forget this webhook.")] = False,
    test: Annotated[
        bool, typer.Option("--test", help="Have this webhook called once with nothing to tell.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Tell the public news of a game to a webhook or a chat room; without URL list them.

    The secret that signs the calls is printed once. What became of the last call stands in the
    list; a running service makes the calls.
    """
    from pbem.cli.desk import desk

    if (drop or test) and (url is None or drop == test):
        raise typer.BadParameter("name the webhook, and either --drop or --test", param_hint="URL")
    with desk() as here:
        if url is not None and drop:
            here.drop_webhook(game, url)
        elif url is not None and test:
            here.test_webhook(game, url)
        told = here.webhooks(game) if url is None or drop or test else [here.add_webhook(game, url)]
    if as_json:
        print_json(told)
        return
    for line in told:
        typer.echo(_hook(line))


def _hook(line: "Mapping[str, Any]") -> str:
    """A webhook in one line."""
    named = " ".join(str(line[name]) for name in ("kind", "url", "secret") if line[name])
    if (last := line["last"]) is None:
        return named
    why = f", {last['error']}" if last["error"] else ""
    return f"{named}  last call: {last['status']}{why}"


def act(
    game: GameId,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The act; `game acts` lists all.")],
    fields: Annotated[
        list[str] | None, typer.Argument(metavar="FIELD=VALUE", help="What the act needs.")
    ] = None,
    reason: Reason = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Any act of the game master, by its name."""
    texts = dict(_field(text) for text in fields or [])
    _act(game, name, texts, reason, preview=preview, as_json=as_json)


def consents(
    game: GameId,
    withdraw: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Take this question back.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the acts that wait until others agree to them, or take one back."""
    from pbem.cli.desk import desk

    with desk() as here:
        if withdraw is not None:
            here.withdraw(game, withdraw)
        told = here.consents(game)
    if as_json:
        print_json(told)
        return
    for line in told:
        said = " ".join(f"{one['who']}={one['says'] or '?'}" for one in line["voices"])
        typer.echo(f"{line['number']:>4}  {line['status']:<9} {line['act']:<9} {said}".rstrip())


def acts(as_json: AsJson = False) -> None:
    """List the acts of the game master with their fields; those in brackets may be left out."""
    from pbem.judge.acts.form import fields_of
    from pbem.judge.acts.registry import ACTS

    offered: list[dict[str, Any]] = [
        {
            "name": act.name,
            "grade": act.grade,
            "fields": [
                {
                    "name": one.name,
                    "kind": one.kind,
                    "required": one.required,
                    "choices": list(one.choices),
                }
                for one in fields_of(act)
            ],
        }
        for act in ACTS.values()
    ]
    if as_json:
        print_json(offered)
        return
    for line in offered:
        fields = " ".join(map(_shown, line["fields"]))
        typer.echo(f"{line['grade']} {line['name']:<10} {fields}".rstrip())


def _shown(field: "Mapping[str, Any]") -> str:
    what = "|".join(field["choices"]) or field["kind"].upper()
    told = f"{field['name']}={what}"
    return told if field["required"] else f"[{told}]"


def _field(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r}: write FIELD=VALUE", param_hint="FIELD=VALUE")
    return name.strip(), value


def _act(
    game: str,
    name: str,
    fields: "Mapping[str, str]",
    reason: str,
    *,
    preview: bool,
    as_json: bool,
) -> None:
    """Do it and say where the game stands, or only show what it would do."""
    from pbem.cli.desk import desk

    with desk() as here:
        done = here.make_act(game, name, fields)
        if preview:
            _print_foreseen(here.preview(game, done, reason), as_json=as_json)
            return
        shown = here.act(game, done, reason)
    if as_json:
        print_json(shown)
        return
    typer.echo(f"{shown['id']}: {phase(shown)}, deadline {moment(shown['deadline'])}")
    if (waits := shown.get("waits")) is not None:
        typer.echo(
            f"nothing is done yet: {name} waits for the consent of {_OF[waits['of']]} until "
            f"{moment(waits['until'])}; `pbem game consents {shown['id']}` shows their answers"
        )


_OF = {"gm": "another game master", "players": "the players"}


def _print_foreseen(foreseen: "Foreseen", *, as_json: bool) -> None:
    if as_json:
        print_json(_foreseen_json(foreseen))
        return
    for one in foreseen.board:
        typer.echo(f"{one.territory}  {_held(one.before)} -> {_held(one.after)}")
    for change in foreseen.changed:
        typer.echo(f"{change.fact}: {change.before} -> {change.after}")
    if foreseen.asks:
        typer.echo(f"waits for the consent of {_OF[foreseen.asks]}")
    for letter in foreseen.letters:
        typer.echo(f"to {letter.seat or letter.to}: {letter.subject}")


def _foreseen_json(foreseen: "Foreseen") -> dict[str, Any]:
    return {
        "version": foreseen.version,
        "board": {one.territory: [one.before, one.after] for one in foreseen.board},
        "asks": foreseen.asks or None,
        "changed": {one.fact: [one.before, one.after] for one in foreseen.changed},
        "letters": [
            {"seat": one.seat, "to": one.to, "kind": one.kind, "subject": one.subject}
            for one in foreseen.letters
        ],
    }


def _held(held: tuple[str, int] | None) -> str:
    return "-" if held is None else f"{held[0]} {held[1]}"


COMMANDS = (pause, resume, extend, replace, rollback, rematch, events, webhook, act, acts, consents)
"""What `pbem game` has besides making and showing games."""
