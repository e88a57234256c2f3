"""Which picture a letter shows: the scene of the board, for the kinds of letters that bear one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from zoneinfo import ZoneInfo

from pbem.render import contexts, narrate, textboard
from pbem.render.catalogue import SOURCE, languages
from pbem.render.letters import environment
from pbem.render.picture.board import has_picture
from pbem.render.picture.scene import Attack, Player, Scene
from pbem.render.words import Reader
from pbem.rules import board as boards
from pbem.rules.event import Event, TurnStarted
from pbem.rules.seat import Seat
from pbem.rules.view import View

Illustrated = (
    contexts.TurnCall | contexts.Done | contexts.SetupResult | contexts.Report | contexts.GameOver
)
"""The letters that bear a picture, an answer only if the board changed."""


def scene(
    context: contexts.Letter | contexts.NotUnderstood | contexts.Login, language: str = SOURCE
) -> Scene | None:
    """What the letter's picture shows; None for a letter or a board without one.

    It holds only what all at the table may see, and all letters of one position and language that
    tell of the same events show the same scene.
    """
    if not isinstance(context, Illustrated) or not has_picture(context.view.board_id):
        return None
    events = _events(context)
    if isinstance(context, contexts.Done) and not narrate.touched(events):
        return None
    return _scene(context.view, context.table, events, language)


def _events(context: Illustrated) -> Sequence[Event]:
    """What the picture marks: of several turns the last one, so that it is the same for all.

    The setup marks nothing: all of the board would be new.
    """
    match context:
        case contexts.TurnCall(since=since):
            starts = [place for place, e in enumerate(since) if isinstance(e, TurnStarted)]
            return since[starts[-1] :] if starts else ()
        case contexts.Done(lines=lines, events=events):
            return tuple(event for line in lines for event in line.events) + events
        case contexts.Report(events=events) | contexts.GameOver(final=events):
            return events
        case contexts.SetupResult():
            return ()


@dataclass(frozen=True, slots=True)
class _Situation:
    """What the words of a picture tell, the standings beside: nothing that only one seat knows."""

    board_id: tuple[str, str | None]
    turn: int
    on_turn: Seat | None
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class _Words:
    title: str
    subtitle: str
    players: tuple[Player, ...]


@lru_cache(maxsize=64)  # the letters of one turn have them in common
def _words(
    view: _Situation,
    table: contexts.Table,
    standings: tuple[textboard.Standing, ...],
    spoken: str,
) -> _Words:
    """The words of the picture; the table is nobody's own."""
    reader = Reader(spoken, ZoneInfo("UTC"), boards.load(*view.board_id))
    template = environment(spoken, escaped=False).get_template("_picture.j2")
    words = template.make_module({"view": view, "table": table, "reader": reader})

    def said(macro: str, *facts: object) -> str:
        return " ".join(str(getattr(words, macro)(*facts)).split())

    players = tuple(
        Player(
            letter=row.seat,
            colour=table.seat(row.seat).colour,
            name=table.seat(row.seat).name,
            holds=said("holds", row),
            has=said("has", row),
            on_turn=row.on_turn,
            out=row.eliminated,
        )
        for row in standings
    )
    return _Words(said("title"), said("subtitle"), players)


def _scene(view: View, table: contexts.Table, events: Sequence[Event], language: str) -> Scene:
    spoken = language if language in languages() else SOURCE
    situation = _Situation(view.board_id, view.turn, view.on_turn, view.winner)
    public = replace(table, reader=None, marker="", board="map")
    words = _words(situation, public, textboard.standings(view), spoken)
    changed, captured = narrate.touched(events), narrate.conquered(events)
    return Scene(
        board_id=view.board_id,
        language=spoken,
        title=words.title,
        subtitle=words.subtitle,
        players=words.players,
        owner=dict(view.owner),
        armies=dict(view.armies),
        changed=tuple(code for code in view.board.codes if code in changed),
        captured=tuple(code for code in view.board.codes if code in captured),
        attacks=_attacks(events),
    )


def _attacks(events: Sequence[Event]) -> tuple[Attack, ...]:
    """An arrow for each way that was attacked, the last outcome if there were several."""
    battles = (deed for deed in narrate.narrate(events) if isinstance(deed, narrate.Battle))
    ways = {(battle.source, battle.target): battle.loser is not None for battle in battles}
    return tuple(Attack(source, target, captured) for (source, target), captured in ways.items())
