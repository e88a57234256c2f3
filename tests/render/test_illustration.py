"""Which scene a letter shows."""

from dataclasses import replace

from pbem.render import contexts
from pbem.render.illustration import scene
from pbem.render.picture.scene import Scene
from pbem.rules import board as boards
from pbem.rules.event import Claimed, Filled
from pbem.rules.view import view, visible
from tests.render import samples
from tests.render.samples import ANNA, BRUNO, CARLA, DONE, OTHERS, SAMPLES, SIA, TABLE, TURN_CALL


def report() -> contexts.Report:
    """Turn 20, as Anna is told of it."""
    sample = SAMPLES["report"]
    assert isinstance(sample, contexts.Report)
    return sample


def shown(name: str) -> Scene:
    found = scene(SAMPLES[name])
    assert found is not None
    return found


def test_a_call_shows_the_turn_before_it_as_everybody_sees_it() -> None:
    """Carla, the last one, only placed and moved; what Bruno took before her is no news to all."""
    last = shown("turn-call")
    assert (last.attacks, last.captured) == ((), ())
    assert set(last.changed) == {"BRA", "VEN"}


def test_attacks_are_arrows_solid_where_they_captured() -> None:
    ways = {(a.source, a.target): a.captured for a in shown("report").attacks}
    assert ways == {("CHN", "IDA"): True, ("IDA", "SIA"): False}
    assert shown("report").captured == ("IDA",)


def test_the_setup_marks_nothing() -> None:
    drafted = (Claimed(ANNA, SIA), Filled(ANNA, SIA))
    first = scene(replace(TURN_CALL, since=drafted))
    assert first is not None
    assert first.changed == ()
    assert shown("setup-result").changed == ()


def test_two_readers_of_one_turn_see_the_same_scene() -> None:
    scenes = []
    for reader in (ANNA, CARLA):
        letter = replace(
            report(),
            table=replace(TABLE, reader=reader),
            view=replace(view(samples.state(), reader), on_turn=CARLA),
            events=visible(OTHERS[:12], reader),
        )
        scenes.append(scene(letter))
    assert scenes[0] is not None
    assert scenes[0] == scenes[1]


def test_an_answer_without_a_change_and_a_letter_without_a_board_show_none() -> None:
    assert scene(replace(DONE, lines=())) is None
    assert scene(SAMPLES["invitation"]) is None
    assert scene(SAMPLES["not-understood"]) is None


def test_a_board_that_the_map_does_not_show_has_no_picture() -> None:
    other = replace(TURN_CALL.view, board_id=("classic-world", "italian-board"))
    assert boards.load(*other.board_id).codes == samples.BOARD.codes
    assert scene(replace(TURN_CALL, view=other)) is None


def test_the_title_names_the_turn_and_who_is_awaited() -> None:
    assert shown("report").title == "g7 · Turn 23"
    assert shown("report").subtitle == "On turn: Green (Carla)"
    assert shown("game-over").subtitle == "Winner: Blue (Anna)"


def test_a_seat_that_is_out_says_so_in_the_legend() -> None:
    out = replace(report(), view=samples.seen(eliminated=(BRUNO,)))
    found = scene(out)
    assert found is not None
    assert [(player.letter, player.holds) for player in found.players if player.out] == [
        ("B", "out")
    ]
