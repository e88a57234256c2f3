"""`pbem verify` and `pbem replay`: what a record proves, and what it tells."""

# What a command needs is imported in it: `pbem --version` must not wait for what it does not use.
# ruff: noqa: PLC0415

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.files import read_text
from pbem.rules.seat import Seat

if TYPE_CHECKING:
    from pbem.rules.record import Roll
    from pbem.rules.replay import Replayed
    from pbem.rules.transcript import Block, Entry, Transcript
    from pbem.rules.verify import Report

RecordFile = Annotated[
    str, typer.Argument(metavar="RECORD", help="A record; - for standard input.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def verify(
    record: RecordFile,
    roll: Annotated[
        int | None, typer.Option(metavar="N", help="Explain this roll in words instead.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compute every die, loss, card and checksum of a record again; exit code 1 if one is false."""
    from pbem.rules.verify import verify as check

    text = read_text(record)
    if roll is not None:
        _explain(_transcript(text), roll)
        return
    report = check(text)
    if as_json:
        typer.echo(json.dumps(_report_json(report)))
    else:
        typer.echo("\n".join(_report_lines(report)))
    if not report.ok:
        raise typer.Exit(1)


def replay(record: RecordFile, as_json: AsJson = False) -> None:
    """Play a record again and print its course, turn by turn; exit code 1 if it is false."""
    from pbem.cli.refusal import RefusedError
    from pbem.rules.replay import replay as play
    from pbem.rules.verify import verify as check

    text = read_text(record)
    transcript = _transcript(text)
    replayed = play(transcript)
    if as_json:
        typer.echo(json.dumps(_replay_json(transcript, replayed), ensure_ascii=False))
    else:
        typer.echo("\n".join(_replay_lines(transcript, replayed)))
    if failures := check(text).failures:
        raise RefusedError(f"{len(failures)} false in this record; `pbem verify` names what it is")


def _transcript(text: str) -> "Transcript":
    from pbem.cli.refusal import RefusedError
    from pbem.rules.transcript import RecordError, read
    from pbem.rules.verify import Check, Failure

    try:
        return read(text)
    except RecordError as error:
        raise RefusedError(str(Failure(error.line, Check.FORMAT, str(error)))) from None


def _report_lines(report: "Report") -> Iterator[str]:
    yield from map(str, report.failures)
    counts = ", ".join(f"{name} {count}" for name, count in report.checked.items())
    yield f"checked: {counts or 'nothing'}"
    if report.unproved_dice:
        yield f"not proved yet: {report.unproved_dice} dice of the turn that is open"
    if report.unproved_cards:
        yield f"not proved yet: {report.unproved_cards} cards, until the game is over"
    yield "ok" if report.ok else f"{len(report.failures)} false"


def _report_json(report: "Report") -> dict[str, Any]:
    return {
        "ok": report.ok,
        "failures": [failure._asdict() for failure in report.failures],
        "checked": dict(report.checked),
        "unproved_dice": report.unproved_dice,
        "unproved_cards": report.unproved_cards,
    }


def _explain(transcript: "Transcript", number: int) -> None:
    """Print how a roll follows from what was published, so that anybody can do the sum again."""
    from pbem.cli.refusal import RefusedError
    from pbem.rules.fair import branch_name, faces, link_key
    from pbem.rules.verify import secrets

    block, entry, roll = _find(transcript, number)
    typer.echo(f"roll {number}, line {entry.line}: {' '.join(entry.words)}")
    if entry.undone is not None:
        typer.echo(f"this was undone by the rollback that opened branch {entry.undone}")
    typer.echo(f"attacker {_spaced(roll.attacker)}, defender {_spaced(roll.defender) or '-'}")
    secret = secrets(transcript).get(block.link)
    if secret is None:
        typer.echo(f"not proved yet: the secret of link {block.link} is shown at the turn's end")
        return
    luck, game = transcript.header.luck, transcript.header.game
    key = link_key(secret, game, block.link, luck, block.branch)
    name = branch_name(game, block.branch)
    thrown = faces(key, number, len(roll.attacker) + len(roll.defender))
    typer.echo(f"s = {secret.hex()}, the secret of link {block.link}")
    typer.echo(f'K = HMAC-SHA256(s, "dice/1|{name}|{block.link}|{luck}") = {key.hex()}')
    typer.echo(f'HMAC-SHA256(K, "{number}|0"): each byte below 252, modulo 6, plus 1')
    typer.echo(f"dice: {_spaced(thrown)}")
    if thrown != (*roll.attacker, *roll.defender):
        raise RefusedError(f"line {entry.line}: die: these are not the dice of the record")
    typer.echo("ok, these are the dice of the record")


def _find(transcript: "Transcript", number: int) -> "tuple[Block, Entry, Roll]":
    from pbem.cli.refusal import RefusedError

    found = next((one for one in transcript.rolls() if one[2].number == number), None)
    if found is None:
        raise RefusedError(f"there is no roll {number} in this record")
    return found


def _spaced(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _replay_lines(transcript: "Transcript", replayed: "Replayed") -> Iterator[str]:
    """Each turn as it is recorded, and whether the rules come to the same position."""
    names = {player.seat: player.name for player in transcript.header.players}
    for block in transcript.blocks:
        yield _title(block, names)
        yield from (f"  {_line(entry)}" for entry in block.entries)
        if (found := replayed.checksums.get(block.link)) is not None and block.closed is not None:
            told = block.closed.checksum
            yield f"  ={found}" + ("" if found == told else f", but the record says ={told}")
    if replayed.stopped is not None:
        yield f"line {replayed.stopped.line}: {replayed.stopped.why}"
    if replayed.state is not None:
        for seat in replayed.state.seats:
            held = replayed.state.held(seat)
            armies = sum(replayed.state.armies[code] for code in held)
            yield f"{seat} {names.get(seat, '')}: {len(held)} territories, {armies} armies"


def _line(entry: "Entry") -> str:
    words = " ".join(entry.words)
    return words if entry.undone is None else f"~{entry.undone} {words}"


def _title(block: "Block", names: "Mapping[Seat, str]") -> str:
    if block.head.words[0] in ("dice", "@gm"):
        return _line(block.head)
    if not block.turn:
        return "setup"
    seat = Seat(block.head.words[1])
    return f"turn {block.turn}, {seat} {names.get(seat, '')}".rstrip()


def _replay_json(transcript: "Transcript", replayed: "Replayed") -> dict[str, Any]:
    from pbem.rules.branching import undone
    from pbem.rules.event import DiceRenewed, TurnStarted
    from pbem.rules.notation import event_to_json

    turns: list[dict[str, Any]] = [{"turn": 0, "seat": None, "link": 1, "events": []}]
    for event, branch in zip(replayed.events, undone(replayed.events), strict=True):
        if isinstance(event, TurnStarted):
            of = {"turn": event.turn, "seat": event.seat, "link": event.link}
            turns.append({**of, "events": []})
        if isinstance(event, DiceRenewed):
            turns.append({**turns[-1], "link": event.link, "events": []})
        told = event_to_json(event)
        turns[-1]["events"].append(told if branch is None else {**told, "undone_in": branch})
    for turn in turns:
        turn["checksum"] = replayed.checksums.get(turn["link"])
    state, stopped = replayed.state, replayed.stopped
    return {
        "game": transcript.header.game,
        "turns": turns,
        "stopped": None if stopped is None else stopped._asdict(),
        "board": {}
        if state is None
        else {c: [state.owner[c], state.armies[c]] for c in state.owner},
        "winner": None if state is None else state.winner,
    }
