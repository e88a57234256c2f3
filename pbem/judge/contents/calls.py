"""Letters that ask a player for something, from the invitation to the reminder."""

from collections.abc import Mapping
from datetime import timedelta

from pbem.judge import examples
from pbem.judge.contents import stored
from pbem.judge.contents.desk import Builder, Desk
from pbem.judge.timetable import times_text
from pbem.render import contexts
from pbem.rules.event import OrderRolled, TurnStarted
from pbem.rules.seat import Seat


def _invitation(desk: Desk) -> contexts.Invitation:
    return contexts.Invitation(
        table=desk.table,
        inviter=desk.facts["inviter"],
        again=desk.facts.get("again", False),
        deadline=desk.due,
        pace=timedelta(seconds=desk.options.pace),
        ends_at=times_text(desk.options.at),
        game_zone=desk.options.zone,
        commitment=desk.game.commitment,
        takes_luck=desk.options.luck == "yes",
    )


def _joined(desk: Desk) -> contexts.Joined:
    return contexts.Joined(
        table=desk.table,
        taken=desk.facts["taken"],
        running=desk.facts.get("running", False),
        waiting=tuple(Seat(letter) for letter in desk.facts["waiting"]),
        deadline=desk.deadline,
    )


def _setup_call(desk: Desk) -> contexts.SetupCall:
    return contexts.SetupCall(
        table=desk.table,
        view=desk.view,
        deadline=desk.due,
        rolled=next((e for e in desk.events if isinstance(e, OrderRolled)), None),
        luck=desk.game.luck if desk.game.luck.strip("-,") else "",
        examples=examples.wishes(desk.view, desk.language),
    )


def _setup_result(desk: Desk) -> contexts.SetupResult:
    return contexts.SetupResult(
        table=desk.table,
        view=desk.view,
        events=tuple(e for e in desk.events if not isinstance(e, TurnStarted)),
        next_seat=Seat(desk.facts["next_seat"]),
        deadline=desk.deadline,
    )


def _turn_call(desk: Desk) -> contexts.TurnCall:
    *since, started = desk.events
    assert isinstance(started, TurnStarted)
    return contexts.TurnCall(
        table=desk.table,
        view=desk.view,
        step=desk.facts["step"],
        deadline=desk.due,
        started=started,
        since=tuple(since),
        examples=examples.turn(desk.view, desk.language),
        late=desk.late,
        dropped=tuple(stored.mistake(found) for found in desk.facts.get("dropped", ())),
    )


def _reminder(desk: Desk) -> contexts.Reminder:
    return contexts.Reminder(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        deadline=desk.due,
        left=timedelta(seconds=desk.facts["left"]),
        sent=desk.facts["sent"],
        late=desk.late,
    )


BUILDERS: Mapping[str, Builder] = {
    "invitation": _invitation,
    "joined": _joined,
    "setup-call": _setup_call,
    "setup-result": _setup_result,
    "turn-call": _turn_call,
    "reminder": _reminder,
}
