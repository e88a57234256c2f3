"""Help with mistakes: what the player may have meant, and the text with every repair made."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.orders import write
from pbem.orders.checks.examples import example
from pbem.orders.mistake import Mistake, Repair
from pbem.orders.plan import Attack, Place
from pbem.orders.sheet import Sheet
from pbem.rules.board import Code
from pbem.rules.view import View


def help_with(mistake: Mistake, view: View, sheet: Sheet) -> Mistake:
    """What the reader could not know: which candidates the player holds, a fitting example."""
    facts = dict(mistake.facts)
    if mistake.code == "E27" and "example" not in facts:
        facts["example"] = example(str(facts.get("kind", "")), view, sheet.language)
        target = facts.get("target")
        if isinstance(target, str) and facts.get("kind") == "attack":
            return _sourced(replace(mistake, facts=facts), Code(target), view, sheet)
        return replace(mistake, facts=facts)
    if mistake.code != "E02" or view.reader is None:
        return mistake
    candidates = facts["candidates"]
    held = [c for c in view.held(view.reader) if isinstance(candidates, tuple) and c in candidates]
    facts["held"] = tuple(held)
    if len(held) != 1 or not facts.get("own") or mistake.line is None:
        return replace(mistake, facts=facts)
    name = view.board.territories[held[0]].name
    text = sheet.source[mistake.line - 1].replace(str(facts["name"]), name, 1)
    return replace(mistake, facts=facts, repair=Repair(mistake.line, mistake.line, (text,)))


def _sourced(mistake: Mistake, target: Code, view: View, sheet: Sheet) -> Mistake:
    """An attack without a source, if there is an own neighbour that it can come from."""
    sources = [
        code
        for code in view.board.neighbours[target]
        if view.owner.get(code) == view.reader and view.armies[code] > 1
    ]
    if not sources or view.owner.get(target) == view.reader or mistake.line is None:
        return mistake
    meant = [code for code in sources if code in _placed_on(sheet)]
    sources = meant if len(meant) == 1 else sources
    source = max(sources, key=lambda code: view.armies[code])
    attacking = Attack((source, target))
    shown = write.write(attacking, sheet.language, view.board)
    repair = mistake.repair
    if repair is None and len(sources) == 1 and mistake.quoted in sheet.source[mistake.line - 1]:
        behind = int(str(mistake.facts["behind"]))
        named = f" from {view.board.territories[source].name}"
        text = mistake.quoted[:behind] + named + mistake.quoted[behind:]
        line = sheet.source[mistake.line - 1].replace(mistake.quoted, text, 1)
        repair = Repair(mistake.line, mistake.line, (line,))
    return replace(mistake, facts={**mistake.facts, "example": shown}, repair=repair)


def _placed_on(sheet: Sheet) -> frozenset[Code]:
    """Where the mail puts armies: an attack of it without a source most likely comes from there."""
    orders = (order for line in sheet.lines for said in line.sentences for order in said.orders)
    return frozenset(s.territory for o in orders if isinstance(o, Place) for s in o.spots)


def repaired(source: Sequence[str], repairs: Sequence[Repair]) -> list[str]:
    """The lines with all repairs made; repairs of one line, one after another, need a new round."""
    replaced: dict[int, Repair] = {}
    moved: dict[int, list[str]] = {}
    for repair in repairs:
        if repair.first in replaced:
            continue
        replaced[repair.first] = repair
        if repair.before is not None:
            moved.setdefault(repair.before, []).extend(repair.moved)
    lines: list[str] = []
    number = 1
    while number <= len(source):
        lines += moved.get(number, [])
        made = replaced.get(number, Repair(number, number, (source[number - 1],)))
        lines += made.texts
        number = made.last + 1
    return lines
