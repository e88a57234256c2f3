"""Whether an attack can be meant: E08, E07, E06, E29, E22, E09, E18."""

from collections.abc import Iterator
from dataclasses import replace

from pbem.orders.checks.outlook import Outlook, Said
from pbem.orders.mistake import Mistake, Repair
from pbem.orders.plan import Attack, Fortify, Occupy
from pbem.rules.board import Code
from pbem.rules.odds import FULL_DICE


def check(outlook: Outlook, order: Attack, said: Said) -> Iterator[Mistake]:
    """Everything that is wrong with one attack, link by link."""
    hoped = set(outlook.hoped)
    try:
        for place in range(len(order.targets)):
            link = order.link(place)
            yield from _link(outlook, link, said)
            outlook.hoped.add(link.targets[0])
    finally:
        outlook.hoped = hoped
    yield from _dice(outlook, order, said)
    yield from _numbers(outlook, order, said)


def settle(outlook: Outlook, order: Attack, said: Said) -> Attack:
    """Nothing is certain behind an attack."""
    outlook.first_attack = outlook.first_attack or said
    outlook.last_attack = order
    outlook.attacked(order.path)
    return order


def _link(outlook: Outlook, link: Attack, said: Said) -> Iterator[Mistake]:
    source, target = link.path
    if not outlook.may_hold(source):
        yield said.mistake("E08", source=source, owner=outlook.view.owner.get(source))
    if outlook.holds(target):
        yield said.mistake("E07", source=source, target=target, example=_fortify(outlook, link))
    if not outlook.view.board.adjacent(source, target):
        near = attackable(outlook, source)
        yield said.mistake("E06", source=source, target=target, neighbours=near)


def _fortify(outlook: Outlook, link: Attack) -> str:
    """The order that moves armies to an own territory."""
    source, target = link.path
    armies = outlook.armies(source) if outlook.holds(source) else None
    return outlook.write(Fortify(source, target, max(1, min(3, (armies or 4) - 1))))


def _dice(outlook: Outlook, order: Attack, said: Said) -> Iterator[Mistake]:
    """Armies and dice of the first link, where they are certain."""
    limits, source = order.limits, order.source
    if limits.exact_dice is not None and outlook.view.ruleset.attack_dice == "max":
        plain = replace(order, limits=replace(limits, exact_dice=None))
        repair = Repair(said.line, said.line, (outlook.write(plain),))
        yield said.mistake("E22", repair, dice=limits.exact_dice, always_most=True)
    armies = outlook.armies(source) if outlook.holds(source) else None
    if armies is None:
        return
    if armies < 2:
        yield said.mistake("E29", source=source)
        return
    if limits.exact_dice is not None and armies <= limits.exact_dice:
        yield said.mistake(
            "E22",
            dice=limits.exact_dice,
            needs=limits.exact_dice + 1,
            source=source,
            armies=armies,
            possible=armies - 1,
        )
    elif armies <= FULL_DICE and not limits.below_full_dice:
        yield said.mistake("E09", source=source, armies=armies)


def _numbers(outlook: Outlook, order: Attack, said: Said) -> Iterator[Mistake]:
    """A number to leave and a number to move in that no capture can meet together."""
    armies = outlook.armies(order.source) if outlook.holds(order.source) else None
    stays = order.leave if order.leave is not None else order.limits.keep
    if armies is None or stays is None or not isinstance(order.move, int):
        return
    if stays + order.move > armies:
        stays_behind = replace(order, move=None, otherwise=None)
        stay = outlook.write(stays_behind).rsplit(", ", 1)[-1]
        yield said.mistake(
            "E18", stays=stay, moves=outlook.write(Occupy(order.move)), armies=armies
        )


def attackable(outlook: Outlook, source: Code) -> tuple[Code, ...]:
    """Neighbours that are not certainly the player's."""
    return tuple(n for n in outlook.view.board.neighbours[source] if not outlook.holds(n))
