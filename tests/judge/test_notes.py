"""What the acts of a game master say to the players."""

from datetime import timedelta

from pbem.judge.acts.act import Act
from pbem.judge.acts.clock import Extend, Pause, Resume
from pbem.judge.acts.seats import Replace
from tests.judge.desk import Desk, Letter

HOUR = timedelta(hours=1)


def note(desk: Desk, act: Act, to: str = "C") -> Letter:
    desk.perform(act, "holidays")
    return desk.letters(to, "note")[-1]


def test_a_moved_deadline_is_told_with_both_times() -> None:
    told = note(Desk(), Extend(24 * HOUR))
    assert "moved the deadline from" in told.words
    assert "holidays" in told.words


def test_who_resumes_a_game_tells_the_new_deadline() -> None:
    desk = Desk()
    note(desk, Pause())
    told = note(desk, Resume())
    assert "The game goes on. The deadline is" in told.words


def test_the_computer_takes_over_as_the_computer_and_not_by_a_name() -> None:
    told = note(Desk(), Replace("B", "computer"))
    assert told.mail["Subject"].endswith("The computer takes over Blue")
    assert "The computer plays Blue from now on, in place of Bruno." in told.words


def test_the_farewell_is_in_the_language_of_who_leaves_and_is_no_key() -> None:
    desk = Desk()
    desk.perform(Replace("B", "Carlo <carlo@people.example>:it"))
    desk.perform(Replace("B", "Dirk <dirk@people.example>:nl"))
    farewell = desk.letters("carlo@people.example", "note")[-1]
    assert "al posto di Carlo" in farewell.words
    assert not farewell.text.startswith("---")
    assert "chiave" not in farewell.text
    assert "postmaster@" in farewell.mail["Reply-To"]
