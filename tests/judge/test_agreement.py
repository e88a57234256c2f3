"""What all at the table agree on: a draw, a pause, the early end of a pause."""

from datetime import datetime, timedelta

import pytest

from pbem.judge.acts.clock import Pause, Resume
from pbem.judge.sweep import sweep
from pbem.rules.position import Phase
from pbem.store import games, tables
from pbem.store.engine import session
from tests.judge.desk import HOUSE, Desk

DRAWING = "A SIA 8, NGU 3; B IDA 1, CHN 2; C rest 1"


def due_of(game: tables.Game) -> list[datetime | None]:
    """All moments at which something comes."""
    return [game.deadline, game.next_reminder_at, game.warning_at, game.stale_at]


def notes_about(desk: Desk, about: str) -> list[str | None]:
    """The seats that were told of it."""
    return [n.row.seat for n in desk.letters(kind="note") if n.facts["about"] == about]


def test_all_seats_that_stand_agree_on_a_draw() -> None:
    desk = Desk(drawing=DRAWING)
    assert desk.say("A", "draw").codes == ["draw-offered"]
    (told,) = desk.letters("B", "note")
    assert "Red (Anna) offers a draw." in told.words
    assert "To answer still: Blue (Bruno) and Yellow (Carla)." in told.words
    desk.say("B", "DRAW")
    assert desk.game.over_at is None
    desk.say("C", "draw")
    assert desk.state.phase is Phase.OVER
    assert desk.state.winner is None
    assert "as a draw" in desk.letters("A", "game-over")[0].words


def test_an_offer_lapses_after_a_round() -> None:
    desk = Desk(drawing=DRAWING)
    desk.say("A", "draw")
    desk.say("A", "end")
    for letter, place in (("B", "China"), ("C", "Brazil")):
        desk.say(letter, f"place the rest in {place}\nend")
    desk.say("B", "draw")
    desk.say("C", "draw")
    assert desk.state.phase is not Phase.OVER


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("draw", "pause game", "resume game")),
        ("it", ("patta", "pausa partita", "riprendi la partita")),
        ("nl", ("remise", "pauzeer spel", "hervat het spel")),
        ("sl", ("remi", "prekini igro", "nadaljuj igro")),
    ],
)
def test_the_words_are_known_in_every_language(language: str, words: tuple[str, ...]) -> None:
    desk = Desk(drawing=DRAWING)
    desk.say("A", f"set language {language}")
    assert desk.say("A", words[0]).codes == ["draw-offered"]
    assert desk.say("A", words[1]).codes == ["pause-asked"]
    for letter in "BC":
        desk.say(letter, "pause game")
    assert desk.say("A", words[2]).codes == ["resume-asked"]


def test_a_pause_that_all_agree_on_ends_by_itself() -> None:
    desk = Desk(drawing=DRAWING, chosen={"pause": "7d"})
    ends = desk.game.deadline
    assert ends is not None
    for letter in "ABC":
        desk.say(letter, "pause game")
    begun = desk.now
    assert (desk.game.paused_at, desk.game.resume_at) == (begun, begun + timedelta(days=7))
    assert "agreed on a pause" in desk.say("A", "end").words
    sweep(desk.engine, HOUSE, begun + timedelta(days=7), lambda _name, _id: None)
    assert desk.game.paused_at is None
    assert desk.game.deadline == ends + timedelta(days=7)
    assert notes_about(desk, "resumed") == ["A", "B", "C"]


def test_all_together_end_their_pause_early() -> None:
    desk = Desk(drawing=DRAWING, chosen={"pause": "7d"})
    ends = desk.game.deadline
    assert ends is not None
    for letter in "ABC":
        desk.say(letter, "pause game")
    begun = desk.now
    asked = desk.say("B", "resume game")
    assert asked.codes == ["resume-asked"]
    assert "still to answer: Red (Anna) and Yellow (Carla)" in asked.words
    assert notes_about(desk, "resume-asked") == ["A", "C"]
    assert desk.say("C", "resume game").codes == ["resume-asked"]
    assert desk.game.paused_at == begun
    last = desk.say("A", "resume game\nend")
    assert last.codes == ["resume-agreed"]
    assert last.facts["closed"], "orders beside the last voice are played"
    assert desk.game.resume_at is None
    assert {r.facts["told"]["deadline"] for r in desk.letters(kind="note")[-3:]} == {
        (ends + (desk.now - begun)).isoformat()
    }
    assert notes_about(desk, "resumed") == ["A", "B", "C"]


def test_voices_for_an_early_end_count_for_one_pause() -> None:
    desk = Desk(drawing=DRAWING, chosen={"pause": "7d"})
    for words in ("pause game", "resume game", "pause game"):
        for letter in "ABC":
            desk.say(letter, words)
    assert desk.say("A", "resume game").codes == ["resume-asked"]
    assert desk.game.paused_at is not None


def test_players_end_no_pause_of_the_game_master() -> None:
    desk = Desk(drawing=DRAWING, chosen={"pause": "7d"})
    assert "there is none now" in desk.say("A", "resume game").words
    desk.perform(Pause(desk.now + timedelta(days=1)), "power cut")
    for letter in "ABC":
        assert desk.say(letter, "resume game").kind == "mistakes"
    assert desk.game.paused_at is not None
    assert "power cut" in desk.say("A", "end").words


def test_the_reason_of_an_old_pause_is_not_told_again() -> None:
    desk = Desk(drawing=DRAWING, chosen={"pause": "7d"})
    desk.perform(Pause(), "power cut")
    desk.perform(Resume())
    for letter in "ABC":
        desk.say(letter, "pause game")
    answer = desk.say("A", "end")
    assert answer.facts["about"] == "paused-by-all"
    assert "power cut" not in answer.words


@pytest.mark.parametrize("by_gm", [True, False])
def test_a_pause_moves_all_that_is_due(by_gm: bool) -> None:
    desk = Desk(drawing=DRAWING, chosen={"pause": "7d", "stalled": "30d"})
    for letter in "BAC":
        desk.say(letter, "board" if by_gm else "pause game")
    if by_gm:
        desk.perform(Pause())
    with session(desk.engine) as opened:
        game = games.lock(opened, desk.id)
        game.warning_at = desk.now + timedelta(hours=1)
        game.next_reminder_at = desk.now + timedelta(hours=2)
        opened.add(game)
    before = due_of(desk.game)
    begun, desk.now = desk.now, desk.now + timedelta(days=7)
    if by_gm:
        desk.perform(Resume())
    else:
        sweep(desk.engine, HOUSE, desk.now, lambda _name, _id: None)
    lost = desk.now - begun
    assert all(before)
    assert due_of(desk.game) == [at + lost for at in before if at is not None]


def test_a_game_may_know_no_pause_by_agreement() -> None:
    desk = Desk(drawing=DRAWING, chosen={"pause": "0s"})
    assert desk.say("A", "pause game").kind == "mistakes"
