"""Letters that tell what happened: turns of others, the own end, notes and messages."""

from collections.abc import Mapping, Sequence
from datetime import date

from pbem.judge.contents import stored
from pbem.judge.contents.desk import Builder, Desk
from pbem.render import contexts
from pbem.rules.seat import Seat


def _report(desk: Desk) -> contexts.Report | contexts.DailyNews:
    if desk.facts.get("daily"):
        return contexts.DailyNews(
            table=desk.table,
            view=desk.view,
            events=desk.events,
            next_seat=stored.seat(desk.facts.get("next_seat")),
            deadline=desk.deadline,
        )
    return contexts.Report(
        table=desk.table,
        view=desk.view,
        turn=desk.facts["turn"],
        seat=Seat(desk.facts["seat"]),
        events=desk.events,
        next_seat=stored.seat(desk.facts.get("next_seat")),
        deadline=desk.deadline,
        automatic=desk.facts["automatic"],
    )


def _late(desk: Desk) -> contexts.TurnRanOut:
    return contexts.TurnRanOut(
        table=desk.table,
        view=desk.view,
        turn=desk.facts["turn"],
        events=desk.events,
        late=desk.late,
        missed=desk.facts["missed"],
        next_seat=stored.seat(desk.facts.get("next_seat")),
    )


def _eliminated(desk: Desk) -> contexts.Out:
    return contexts.Out(
        table=desk.table, view=desk.view, turn=desk.facts["turn"], by=Seat(desk.facts["by"])
    )


def _game_over(desk: Desk) -> contexts.GameOver:
    return contexts.GameOver(
        table=desk.table,
        view=desk.view,
        turn=desk.facts["turn"],
        winner=stored.seat(desk.facts.get("winner")),
        commitment=desk.game.commitment,
        deck_seed=desk.game.deck_seed.hex(),
        links=tuple(contexts.Revealed(number, secret) for number, secret in desk.facts["links"]),
        luck=desk.game.luck,
        final=desk.events,
        how=desk.facts.get("how", ""),
        reason=desk.facts.get("reason", ""),
        tallies=desk.tallies,
    )


def _press(desk: Desk) -> contexts.Press:
    return contexts.Press(
        table=desk.table,
        sender=stored.seat(desk.facts["sender"]),
        to=tuple(Seat(letter) for letter in desk.facts["to"]),
        text=desk.facts["text"],
    )


_MOMENTS: Mapping[str, Sequence[str]] = {
    "paused": ("until",),
    "resumed": ("deadline",),
    "deadline-moved": ("before", "after"),
    "outage": ("began", "ended", "before", "after"),
    "clock-stood": ("began", "ended"),
    "stale": ("closes",),
    "last-chance": ("deadline",),
    "time-bank": ("deadline",),
    "paused-by-all": ("until",),
    "consent-asked": ("until",),
    "gm-confirm": ("received",),
}
"""The facts of a note that are moments, by what it is about; `before` may be a name elsewhere."""

_DAYS: Mapping[str, Sequence[str]] = {"away": ("first", "last")}


def _note(desk: Desk) -> contexts.Notice:
    about, told = desk.facts["about"], desk.facts["told"]
    moments = {name: stored.moment(told[name]) for name in _MOMENTS.get(about, ())}
    days = {name: date.fromisoformat(told[name]) for name in _DAYS.get(about, ())}
    return contexts.Notice(table=desk.table, about=about, facts={**told, **moments, **days})


BUILDERS: Mapping[str, Builder] = {
    "report": _report,
    "late": _late,
    "eliminated": _eliminated,
    "game-over": _game_over,
    "press": _press,
    "note": _note,
}
