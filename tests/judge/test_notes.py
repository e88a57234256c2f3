"""What the acts of a game master say to the players."""

from collections.abc import Callable
from datetime import timedelta

from pbem.judge import gm
from pbem.judge.lobby import NewSeat
from pbem.judge.progress import Progress
from pbem.store import games
from pbem.store.engine import session
from tests.judge.desk import HOUSE, Desk, Letter

WHY = gm.Why("dora", "holidays")
HOUR = timedelta(hours=1)


def note(desk: Desk, act: Callable[[Progress], None], to: str = "C") -> Letter:
    with session(desk.engine) as opened:
        progress = Progress(opened, HOUSE, games.lock(opened, desk.id), desk.now, None)
        act(progress)
        progress.close()
    return desk.letters(to, "note")[-1]


def test_a_moved_deadline_is_told_with_both_times() -> None:
    told = note(Desk(), lambda progress: gm.extend(progress, WHY, 24 * HOUR))
    assert "moved the deadline from" in told.words
    assert "holidays" in told.words


def test_who_resumes_a_game_tells_the_new_deadline() -> None:
    desk = Desk()
    note(desk, lambda progress: gm.pause(progress, WHY))
    told = note(desk, lambda progress: gm.resume(progress, WHY))
    assert "The game goes on. The deadline is" in told.words


def test_the_computer_takes_over_as_the_computer_and_not_by_a_name() -> None:
    desk = Desk()
    heir = NewSeat("blue", "Blue", None, "en")
    told = note(desk, lambda progress: gm.replace(progress, WHY, "B", heir))
    assert told.mail["Subject"].endswith("The computer takes over Blue")
    assert "The computer plays Blue from now on, in place of Bruno." in told.words
