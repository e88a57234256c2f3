"""The board's picture in letters: who gets it, that it is drawn once, and what it may not show."""

from datetime import timedelta
from typing import Any

import pytest

from pbem.judge import compose, dispatch, pictures
from pbem.judge.contents.desk import Shelf, gather
from pbem.judge.dispatch import Post
from pbem.judge.sweep import tidy
from pbem.render.picture import board
from pbem.render.picture.scene import Scene
from pbem.rules.position import Phase
from pbem.store import outbox, tables
from pbem.store.engine import session
from tests.judge.desk import BEGIN, Desk, Letter

POST = Post(None, (timedelta(minutes=1),), timedelta(minutes=15))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """Every scene that is drawn in the test."""
    scenes: list[Scene] = []

    def draw(scene: Scene) -> bytes:
        scenes.append(scene)
        return b"\x89PNG made up"

    monkeypatch.setattr(board, "draw", draw)
    return scenes


def sent(desk: Desk) -> list[Letter]:
    """All letters of the game, sent to the mailbox."""
    with session(desk.engine) as opened:
        rows = outbox.letters_to(opened, desk.id)
    for row in rows:
        assert dispatch.send(desk.engine, desk.house, POST, row.id, lambda: desk.now)
    with session(desk.engine) as opened:
        rows = [found for row in rows if (found := outbox.find(opened, row.id)) is not None]
    return [Letter(row, row.composed or b"") for row in rows]


def pictured(letter: Letter) -> bool:
    return any(part.get_content_type() == "image/png" for part in letter.mail.walk())


def closing(**position: Any) -> Desk:
    desk = Desk(dice="66 6 1", phase=Phase.PLACE, to_place=3, **position)
    desk.say("A", "place 3 in Siam\nattack India from Siam\nend")
    return desk


def test_all_letters_of_a_turn_share_one_picture(drawn: list[Scene]) -> None:
    letters = sent(closing())
    assert {letter.kind for letter in letters} == {"done", "turn-call", "report"}
    assert all(pictured(letter) for letter in letters)
    assert len(drawn) == 1


def test_the_picture_marks_what_the_turn_changed(drawn: list[Scene]) -> None:
    sent(closing())
    (scene,) = drawn
    assert [(a.source, a.target, a.captured) for a in scene.attacks] == [("SIA", "IDA", True)]
    assert scene.captured == ("IDA",)
    assert set(scene.changed) == {"SIA", "IDA"}
    assert scene.title == "g1 · Turn 2"


def test_the_html_shows_it_with_the_position_in_a_sentence(drawn: list[Scene]) -> None:
    letter = next(letter for letter in sent(closing()) if letter.kind == "report")
    (html,) = [p for p in letter.mail.walk() if p.get_content_type() == "text/html"]
    (picture,) = [p for p in letter.mail.walk() if p.get_content_type() == "image/png"]
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in html.get_content()
    assert 'alt="Map of the board, g1 · Turn 2: Red has ' in html.get_content()
    assert "attachment" not in str(picture["Content-Disposition"])


def test_an_answer_that_changed_nothing_brings_none(drawn: list[Scene]) -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    desk.say("A", "set board list")
    assert [pictured(letter) for letter in sent(desk)] == [False]
    assert drawn == []


def test_set_picture_off_keeps_it_out_of_the_letters(drawn: list[Scene]) -> None:
    desk = Desk(dice="66 6 1", phase=Phase.PLACE, to_place=3)
    desk.say("A", "set picture off\nplace 3 in Siam")
    assert [pictured(letter) for letter in sent(desk)] == [False]


def test_a_scene_holds_no_card_and_does_not_know_its_reader(drawn: list[Scene]) -> None:
    """One picture goes to all, so that it may hold what is public only."""
    hands = {"A": "ALA", "B": "JPN QUE"}
    sent(closing(hands=hands))
    (scene,) = drawn
    assert [player.has.split(" · ")[1] for player in scene.players] == [
        *("1 card", "2 cards", "0 cards")
    ]
    assert "you" not in repr(scene.players)


def test_a_picture_is_kept_a_day(drawn: list[Scene]) -> None:
    desk = closing()
    sent(desk)
    (scene,) = drawn
    pictures.artist(desk.engine, desk.now)(scene)
    assert len(drawn) == 1
    tidy(desk.engine, BEGIN + timedelta(days=2))
    draw = pictures.artist(desk.engine, desk.now)
    assert draw(scene) == draw(scene)
    assert len(drawn) == 2


def test_without_an_artist_a_letter_has_no_picture() -> None:
    desk = closing()
    with session(desk.engine) as opened:
        row: tables.Outbox = outbox.letters_to(opened, desk.id)[0]
        kit = gather(Shelf(opened), row)
    assert b"image/png" not in compose.write(desk.house, row, kit)[1]


def test_the_answer_tells_nothing_of_the_turn_that_begins() -> None:
    """The end of a turn is the start of the next, which is the next seat's news."""
    (answer,) = closing().letters("A", "done")
    assert "got 3 armies" not in answer.words
    assert "Next: Blue (Bruno)" in answer.words
