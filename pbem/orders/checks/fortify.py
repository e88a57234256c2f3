"""Whether a fortify can be meant: E30, E08, E29, E15, E24, E16, E17."""

from collections.abc import Iterator
from dataclasses import replace

from pbem.orders.checks.outlook import Outlook, Said
from pbem.orders.mistake import Mistake, Repair
from pbem.orders.plan import Fortify, Occupy
from pbem.rules.board import Code


def check(outlook: Outlook, order: Fortify, said: Said) -> Iterator[Mistake]:
    """Everything that is wrong with one fortify; a second one is the whole plan's matter."""
    if outlook.view.ruleset.fortify == "none":
        yield said.mistake("E30")
        return
    if order.source is None:
        yield _sourceless(outlook, order, said)
        return
    if not outlook.may_hold(order.source):
        yield said.mistake("E08", source=order.source, owner=outlook.view.owner.get(order.source))
        return
    if order.target not in reach(outlook, order.source):
        yield said.mistake(
            "E17",
            source=order.source,
            target=order.target,
            reach=reach(outlook, order.source),
            rule=outlook.view.ruleset.fortify,
        )
    yield from _armies(outlook, order, order.source, said)


def settle(outlook: Outlook, order: Fortify, said: Said) -> Fortify:
    """Remembers the first one."""
    outlook.fortified = outlook.fortified or said
    return order


def reach(outlook: Outlook, source: Code) -> tuple[Code, ...]:
    """Where armies may be moved to, counting what the plan hopes to capture as held."""
    board = outlook.view.board
    near = {n for n in board.neighbours[source] if outlook.may_hold(n)}
    if outlook.view.ruleset.fortify == "chain":
        ring = set(near)
        while ring:
            ring = {n for c in ring for n in board.neighbours[c] if outlook.may_hold(n)} - near
            near |= ring
    return tuple(code for code in board.codes if code in near and code != source)


def _armies(outlook: Outlook, order: Fortify, source: Code, said: Said) -> Iterator[Mistake]:
    armies = outlook.armies(source) if outlook.holds(source) else None
    if armies == 1:
        yield said.mistake("E29", source=source)
        return
    most = None if armies is None else armies - 1
    asked = order.armies is None and order.but is None
    too_many = most is not None and order.armies is not None and not 1 <= order.armies <= most
    if asked or too_many:
        example = replace(order, armies=most or 3, but=None)
        yield said.mistake("E24", source=source, most=most, example=outlook.write(example))


def _sourceless(outlook: Outlook, order: Fortify, said: Said) -> Mistake:
    """E15, with the moves that would be possible."""
    wanted = order.armies or 1
    sources = [
        code
        for code in outlook.view.held(outlook.seat)
        if order.target in reach(outlook, code)
        and ((armies := outlook.armies(code)) is None or armies > wanted)
    ]
    count = order.armies if order.armies or order.but else 3
    moves = [outlook.write(replace(order, source=s, armies=count)) for s in sources]
    known = order.armies is not None or order.but is not None
    repair = Repair(said.line, said.line, (moves[0],)) if len(moves) == 1 and known else None
    return said.mistake(
        "E15",
        repair,
        target=order.target,
        example=moves[0] if moves else None,
        move=outlook.write(Occupy(order.armies or 3)),
    )
