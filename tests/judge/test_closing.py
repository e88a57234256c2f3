"""Games that end otherwise than by a victory: who is told what, and what is shown."""

import re
from pathlib import Path

import pytest

from pbem.judge import atlas, closing, overview
from pbem.judge.closing import ClosingError
from pbem.judge.export import export
from pbem.judge.progress import Progress
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.verify import verify
from pbem.store import games
from pbem.store.engine import session
from tests.judge.desk import Desk
from tests.judge.parlour import ANNA, BERTA, Parlour, mail, words_of


def close(desk: Desk, how: str, *, winner: str | None = None, reason: str = "") -> None:
    with session(desk.engine) as opened:
        progress = Progress(opened, desk.house, games.lock(opened, desk.id), desk.now, None)
        closing.close(progress, how, winner=winner, reason=reason)
        progress.close()


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("draw", "as a draw: every seat that stands agreed to it."),
        ("round-limit", "Who holds the most territories wins"),
        ("stalled", "nobody had moved in it for a long time."),
        ("gm", "The game master has ended the game in turn 1. Reason: the pub closed."),
    ],
)
def test_everybody_reads_how_the_game_ended(how: str, says: str) -> None:
    desk = Desk()
    close(desk, how, reason="the pub closed")
    letters = desk.letters(kind="game-over")
    assert [letter.row.seat for letter in letters] == ["A", "B", "C"]
    for letter in letters:
        assert says in letter.words
        assert "Reason: the pub closed." in letter.words
        assert ("Nobody has won." in letter.words) == (how in ("stalled", "gm"))
        assert "phase=over" in str(letter.mail["X-PBEM-State"])
        assert "open=no" in str(letter.mail["X-PBEM-State"])
        assert len(re.findall(r"Link \d+:", letter.text)) == len(letter.facts["links"]) == 1


def test_the_leader_wins_at_the_round_limit() -> None:
    desk = Desk()
    close(desk, "round-limit")
    assert desk.state.winner == "C"
    carla, anna = desk.letters("C", "game-over")[0], desk.letters("A", "game-over")[0]
    assert "You have won, Carla" in carla.words
    assert "Yellow wins - dice revealed" in str(anna.mail["Subject"])


def test_a_closed_game_shows_as_over_and_takes_no_orders() -> None:
    desk = Desk()
    close(desk, "gm", winner="B")
    with session(desk.engine) as opened:
        shown = overview.show(opened, desk.house, desk.game)
    assert (shown["phase"], shown["winner"], shown["deadline"]) == ("over", "B", None)
    assert desk.say("A", "place 3 in Siam").kind == "not-understood"


def test_a_closed_game_is_not_closed_twice() -> None:
    desk = Desk()
    close(desk, "draw")
    with pytest.raises(ClosingError, match="the game is over"):
        close(desk, "gm")


@pytest.mark.parametrize("begun", [True, False])
def test_the_record_of_a_game_closed_before_its_first_turn_is_proved(
    tmp_path: Path, begun: bool
) -> None:
    parlour = Parlour(tmp_path, proofs=False, start=begun)
    with session(parlour.engine) as opened:
        game = games.lock(opened, parlour.game_id)
        progress = Progress(opened, parlour.house, game, parlour.now, None)
        closing.close(progress, "gm")
        progress.close()
        text = export(opened, game, public=True)
    report = verify(text)
    assert report.ok, report.failures
    assert report.unproved_cards == report.unproved_dice == 0
    assert "closed gm" in text
    parlour.play()
    told = parlour.letters(kind="game-over")
    assert len(told) == 3
    assert all("before its first turn. Nobody has won." in words_of(letter) for letter in told)
    parlour.close()


def test_the_record_of_a_game_that_ended_with_its_last_round_is_proved(tmp_path: Path) -> None:
    parlour = Parlour(tmp_path, proofs=False, chosen={"round_limit": "1", "setup": "deal"})
    people = {"A": ANNA, "B": BERTA, "C": "carla@example.org"}

    def say(letter: str, text: str) -> None:
        sender = people[letter]
        parlour.bring(mail(text, sender=sender), parlour.address(letter), mail_from=sender)

    def state() -> State:
        with session(parlour.engine) as opened:
            return atlas.state_of(opened, games.lock(opened, parlour.game_id))

    for letter in people:
        say(letter, f"fill {state().held(Seat(letter))[0]} 1")
    for _ in people:
        on_turn = state().on_turn
        assert on_turn is not None
        home = state().held(on_turn)[0]
        say(on_turn, f"place the rest in {home}\nend")
    with session(parlour.engine) as opened:
        text = export(opened, games.lock(opened, parlour.game_id), public=True)
    assert "closed round-limit" in text
    assert verify(text).failures == ()
    parlour.close()


@pytest.mark.parametrize(("how", "winner"), [("draw", "A"), ("gm", "F"), ("victory", None)])
def test_what_makes_no_sense_is_refused(how: str, winner: str | None) -> None:
    with pytest.raises(ClosingError):
        close(Desk(), how, winner=winner)
