"""Letters that answer a mail: what was understood, what came of it, what can be asked next."""

from collections.abc import Mapping
from datetime import datetime

from pbem.judge import examples, prospects
from pbem.judge.contents import stored
from pbem.judge.contents.desk import Builder, Desk
from pbem.render import contexts
from pbem.rules import notation
from pbem.rules.view import visible


def _done(desk: Desk) -> contexts.Done:
    facts = desk.facts
    return contexts.Done(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        closed=facts["closed"],
        lines=_lines(desk),
        notes=stored.notes(facts.get("notes", ())),
        ignored=stored.ignored(facts),
        deadline=desk.deadline,
        next_seat=stored.seat(facts.get("next_seat")),
        repeated=stored.moment(facts.get("repeated")),
        listed=facts.get("listed", False),
        unanswered=facts.get("unanswered", False),
        hand_asked=facts.get("hand_asked", False),
        examples=() if facts["closed"] else examples.turn(desk.view, desk.language),
        late=desk.late,
    )


def _mistakes(desk: Desk) -> contexts.Mistakes:
    facts = desk.facts
    return contexts.Mistakes(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        mistakes=tuple(stored.mistake(found) for found in facts["mistakes"]),
        understood=_lines(desk),
        notes=stored.notes(facts.get("notes", ())),
        ignored=stored.ignored(facts),
        corrected=_proposed(desk),
        deadline=desk.deadline,
        board=facts.get("board", False),
        tongue=facts.get("language"),
        played=facts.get("played", False),
    )


def _preview(desk: Desk) -> contexts.Preview:
    facts = desk.facts
    plan = [(number, text) for number, text in facts["plan"]]
    return contexts.Preview(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        forecast=prospects.of_plan(
            plan, desk.view, desk.language, desk.on_fail, suppose=facts["supposed"]
        ),
        supposed=facts["supposed"],
        notes=stored.notes(facts["notes"]),
        ignored=stored.ignored(facts),
        deadline=desk.deadline,
    )


def _paused(desk: Desk) -> contexts.Paused:
    facts = desk.facts
    return contexts.Paused(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        reason=facts["reason"],
        lines=_lines(desk),
        eliminated=stored.seat(facts.get("eliminated")),
        kept=tuple(facts.get("kept", ())),
        examples=examples.turn(desk.view, desk.language),
        deadline=desk.deadline,
        late=desk.late,
    )


def _confirm(desk: Desk) -> contexts.Confirm:
    return contexts.Confirm(
        table=desk.table,
        sender=desk.facts["sender"],
        received=datetime.fromisoformat(desk.facts["received"]),
        held=tuple(desk.facts["held"]),
        last=desk.facts["last"],
    )


def _help(desk: Desk) -> contexts.Help:
    return contexts.Help(
        table=desk.table,
        thread=desk.thread,
        topic=desk.facts.get("topic", ""),
        examples=examples.turn(desk.view, desk.language),
    )


def _history(desk: Desk) -> contexts.History:
    return contexts.History(table=desk.table, thread=desk.thread, view=desk.view)


def _stats(desk: Desk) -> contexts.Stats:
    return contexts.Stats(table=desk.table, thread=desk.thread, view=desk.view)


def _not_understood(desk: Desk) -> contexts.NotUnderstood:
    return contexts.NotUnderstood(
        reason=desk.facts["reason"],
        facts=desk.facts.get("told", {}),
        table=desk.table,
        ignored=stored.ignored(desk.facts),
        examples=examples.turn(desk.view, desk.language),
    )


def _lines(desk: Desk) -> tuple[contexts.Understood, ...]:
    return tuple(
        contexts.Understood(
            line=line["line"],
            orders=tuple(line["orders"]),
            events=visible(
                (notation.event_from_json(event) for event in line.get("events", ())),
                desk.view.reader,
            ),
            notes=stored.notes(line.get("notes", ())),
            skipped=line.get("skipped", False),
        )
        for line in desk.facts.get("lines", ())
    )


def _proposed(desk: Desk) -> tuple[contexts.Proposed, ...] | None:
    """The mended text, each attack with its chance."""
    mended = desk.facts.get("corrected")
    if mended is None:
        return None
    orders = [entry["order"] for entry in mended]
    chances = prospects.of_mended(orders, desk.view, desk.language, desk.on_fail)
    return tuple(
        contexts.Proposed(order)
        if line is None
        else contexts.Proposed(order, line.capture, full_dice=line.full_dice)
        for order, line in zip(orders, chances, strict=True)
    )


BUILDERS: Mapping[str, Builder] = {
    "done": _done,
    "mistakes": _mistakes,
    "preview": _preview,
    "paused": _paused,
    "confirm": _confirm,
    "help": _help,
    "history": _history,
    "stats": _stats,
    "not-understood": _not_understood,
}
