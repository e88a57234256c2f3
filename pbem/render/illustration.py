"""Which picture a letter shows: the scene of the board, for the kinds of letters that bear one."""

from collections.abc import Sequence
from functools import lru_cache
from zoneinfo import ZoneInfo

from pbem.render import contexts, narrate, textboard
from pbem.render.catalogue import SOURCE, languages
from pbem.render.letters import environment
from pbem.render.picture.scene import Attack, Player, Scene
from pbem.render.picture.world import drawable
from pbem.render.words import Reader
from pbem.rules import board as boards
from pbem.rules.event import Event, TurnStarted
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
    if not isinstance(context, Illustrated) or not _is_drawn(context.view.board_id):
        return None
    events = _events(context)
    if isinstance(context, contexts.Done) and not narrate.touched(events):
        return None
    return _scene(context.view, context.table, events, language)


def board_scene(
    view: View, table: contexts.Table, language: str = SOURCE, events: Sequence[Event] = ()
) -> Scene | None:
    """The board as it stands, for a page; it marks what the events changed. None as for `scene`."""
    return _scene(view, table, events, language) if _is_drawn(view.board_id) else None


@lru_cache(maxsize=64)
def _is_drawn(board_id: tuple[str, str | None]) -> bool:
    return drawable(boards.load(*board_id))


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


def _scene(view: View, table: contexts.Table, events: Sequence[Event], language: str) -> Scene:
    spoken = language if language in languages() else SOURCE
    reader = Reader(spoken, ZoneInfo("UTC"), view.board)
    template = environment(spoken, escaped=False).get_template("_picture.j2")
    words = template.make_module({"view": view, "table": table, "reader": reader})

    def said(macro: str, *facts: object) -> str:
        return " ".join(str(getattr(words, macro)(*facts)).split())

    players = [
        Player(
            letter=row.seat,
            colour=table.seat(row.seat).colour,
            name=table.seat(row.seat).name,
            holds=said("holds", row),
            has=said("has", row),
            on_turn=row.on_turn,
            out=row.eliminated,
        )
        for row in textboard.standings(view)
    ]
    changed, captured = narrate.touched(events), narrate.conquered(events)
    return Scene(
        board_id=view.board_id,
        language=spoken,
        title=said("title"),
        subtitle=said("subtitle"),
        players=tuple(players),
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
