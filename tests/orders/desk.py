"""A desk to write orders at: read, check and run in one breath, on a position drawn small."""

from collections.abc import Sequence

from pbem.orders import check as checking
from pbem.orders import reader, run, write
from pbem.orders.check import Checked, Terms
from pbem.orders.course import Defence
from pbem.orders.run import Ran
from pbem.orders.sheet import Sheet, Table
from pbem.rules import board as boards
from pbem.rules.dice import LoadedDice
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import view

WORLD = boards.load()
TABLE = Table(WORLD, {Seat("A"): "Red", Seat("B"): "Blue", Seat("C"): "Green"})


def read(mail: str, language: str = "en") -> Sheet:
    """The sheet of a mail."""
    return reader.read(mail.split("\n"), language, TABLE)


def printed(mail: str, language: str = "en", to: str = "en") -> list[str]:
    """The lines of a mail that must be without fault, as `to` prints them."""
    sheet = read(mail, language)
    assert not sheet.mistakes, sheet.mistakes
    return [write.line(line, to, WORLD) for line in sheet.lines]


def check(
    mail: str,
    state: State,
    language: str = "en",
    kept: Sequence[str] = (),
    *,
    single: bool = False,
) -> Checked:
    """What the check says of a mail of the seat on turn."""
    terms = Terms(tuple(kept), single)
    return checking.check(read(mail, language), view(state, state.on_turn), terms)


def codes(mail: str, state: State, language: str = "en") -> list[str]:
    """The codes of a mail's mistakes, in order."""
    return [mistake.code for mistake in check(mail, state, language).mistakes]


def play(
    mail: str,
    state: State,
    dice: Sequence[int] = (),
    *,
    defence: Defence | None = None,
    single: bool = False,
    kept: Sequence[str] = (),
) -> Ran:
    """Plays a mail that must be without fault; all dice must be rolled."""
    checked = check(mail, state, kept=kept, single=single)
    assert checked.plan is not None, checked.mistakes
    chance = LoadedDice(dice)
    ran = run.run(checked.plan, state, chance, defence, single=single)
    assert not chance.left, f"{chance.left} of the dice were not rolled"
    return ran


def notes(ran: Ran) -> list[str]:
    """The codes of all notes, line by line."""
    return [note.code for result in ran.results for note in result.notes]
