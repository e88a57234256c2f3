"""The acts of a game master: the preview, the letters, the mark, the audit and the undo of each."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem import judge
from pbem.judge.acts import form, performing
from pbem.judge.acts.act import Act
from pbem.judge.acts.address import Move
from pbem.judge.acts.board import Set, SetCards
from pbem.judge.acts.clock import Extend, MoveDeadline, Pause, Remind, Resume
from pbem.judge.acts.ending import Draw, End
from pbem.judge.acts.letters import Note, Resend
from pbem.judge.acts.performing import Conflict, Performed, Refused
from pbem.judge.acts.registry import ACTS
from pbem.judge.acts.seats import Neutral, Replace, SetLanguage
from pbem.judge.acts.terms import CHANGEABLE, SETTLED, ChangeOption
from pbem.judge.acts.turns import OrderFor, PlayLate, RunAgain
from pbem.judge.choosing import READERS
from pbem.judge.gm import ActError, Why
from pbem.render import refusals
from pbem.render.letters import templates
from pbem.rules.board import Code
from pbem.rules.position import Phase
from pbem.rules.ruleset import OPTIONS
from pbem.rules.seat import Seat
from pbem.store import audit, outbox
from pbem.store.engine import session
from tests.judge.desk import BEGIN, HOUSE
from tests.judge.parlour import words_of
from tests.judge.rewind import Rewind
from tests.store import boxes

HOUR = timedelta(hours=1)
WHY = Why("dora@house.example", "wrong map")


def whole(game: Rewind) -> tuple[Any, ...]:
    """Everything that an act could change."""
    with session(game.engine) as opened:
        rows = len(audit.of_game(opened, game.id))
    return (
        game.game.model_dump(),
        [game.seat(s).model_dump() for s in "ABC"],
        rows,
        len(game.letters()),
    )


ON_TURN = "B"
ACTIONS: dict[str, Act] = {
    "pause": Pause(),
    "extend": Extend(24 * HOUR),
    "deadline": MoveDeadline(BEGIN + 5 * HOUR),
    "remind": Remind(),
    "note": Note("all", "Hello.\nSee you."),
    "language": SetLanguage("A", "it"),
    "address": Move("C", "carla@new.example"),
    "late": PlayLate(),
    "replace": Replace("C", "Dirk <dirk@people.example>:nl"),
    "neutral": Neutral("C"),
    "option": ChangeOption("pace", "72h"),
    "end": End("A"),
    "draw": Draw(),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_preview_tells_what_the_act_then_does_and_changes_nothing(name: str) -> None:
    game = Rewind()
    before = whole(game)
    seen = performing.preview(game.engine, HOUSE, game.id, ACTIONS[name], WHY, game.now)
    assert whole(game) == before
    assert seen.refused is None
    done = game.do(ACTIONS[name], version=seen.version)
    assert isinstance(done, Performed)
    sent = game.letters()[-len(seen.letters) :]
    told = [(one.row.seat or "", one.kind, str(one.mail["Subject"])) for one in sent]
    assert sorted(told) == sorted((one.seat or "", one.kind, one.subject) for one in seen.letters)
    with session(game.engine) as opened:
        line = audit.of_game(opened, game.id)[-1]
    assert (line.who, line.what, line.reason) == (WHY.who, name, WHY.reason)
    assert line.detail["fields"] == form.texts(ACTIONS[name])
    assert set(line.detail["changed"]) == {one.fact for one in seen.changed}
    game.record()


@pytest.mark.parametrize("name", ["pause", "extend", "deadline", "language", "replace", "option"])
def test_what_can_be_undone_is_undone_by_another_act(name: str) -> None:
    game = Rewind()
    shown = ("deadline", "paused_at", "options")
    before = [getattr(game.game, fact) for fact in shown]
    people = [(game.seat(s).name, game.seat(s).address, game.seat(s).language) for s in "ABC"]
    done = game.do(ACTIONS[name])
    assert isinstance(done, Performed)
    assert done.undo is not None
    assert isinstance(game.do(done.undo), Performed)
    assert [getattr(game.game, fact) for fact in shown] == before
    assert [
        (game.seat(s).name, game.seat(s).address, game.seat(s).language) for s in "ABC"
    ] == people


def test_one_address_gets_a_second_seat_only_where_that_is_asked_for() -> None:
    game = Rewind()
    anna = str(game.seat("A").address)
    other = anna.replace("anna", "ANNA")
    twice = f"Anna <{other}>"
    refused = game.do(Replace("C", twice))
    assert refused == Refused("address-plays", {"address": other, "seat": "A"})
    told = refusals.text(refused.code, refused.facts)
    assert told.endswith(
        "plays seat A of this game already; --allow-same lets one person play several seats"
    )
    assert isinstance(game.do(Replace("A", f"Anna <{anna}>")), Performed), "it is the same seat"
    assert isinstance(game.do(Replace("C", twice, allow_same=True)), Performed)
    done = game.do(Replace("C", "computer"))
    assert isinstance(done, Performed)
    assert done.undo == Replace("C", f"Anna <{other}>:en", allow_same=True)
    assert isinstance(game.do(done.undo), Performed)


@pytest.mark.parametrize("name", ACTS)
def test_every_act_comes_back_from_its_texts(name: str) -> None:
    example = {
        **ACTIONS,
        "resume": Resume(),
        "resend": Resend(4),
        "orders": OrderFor("A", "end"),
        "set": Set("SIA", "A", 7),
        "hand": SetCards("A", ("EGY", "WILD")),
        "rerun": RunAgain(),
        "rollback": ACTS["rollback"](to=5, new_dice=True),  # type: ignore[call-arg]
    }[name]
    assert form.read(ACTS[name], form.texts(example)) == example


def test_of_two_game_masters_the_second_sees_a_conflict() -> None:
    game = Rewind()
    seen = game.game.version
    assert isinstance(game.do(Extend(HOUR), version=seen), Performed)
    before = whole(game)
    assert game.do(Pause(), version=seen) == Conflict(seen, seen + 1)
    assert whole(game) == before


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Resume(), "not-paused"),
        (MoveDeadline(BEGIN - HOUR), "past"),
        (Note("F", "hello"), "no-seat"),
        (Resend(999), "no-letter"),
        (SetLanguage("A", "en"), "language-already"),
        (ChangeOption("weather", "rain"), "unknown-option"),
        (ChangeOption("board", "classic-world"), "settled-board"),
        (ChangeOption("zone", "Europe/Rome"), "settled-zone"),
        (ChangeOption("goal", "missions"), "settled-goal"),
        (ChangeOption("setup", "deal"), "settled-setup"),
        (ChangeOption("card_deck", "continental"), "settled-cards"),
        (ChangeOption("fortify", "fly"), "bad-option"),
        (ChangeOption("fortify", "adjacent"), "option-already"),
        (ChangeOption("pace", "soon"), "bad-option"),
        (ChangeOption("gap", "6h"), "misfit"),
        (Set("XXX", "A", 3), "no-territory"),
        (Set("SIA", "A", 0), "too-few-armies"),
        (Set("SIA", "F", 2), "no-seat"),
        (SetCards("A", ("XXX",)), "no-card"),
        (RunAgain(), "nothing-to-run"),
        (OrderFor("A", "end"), "not-on-turn"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(act: Act, code: str) -> None:
    game = Rewind()
    assert game.state.on_turn == ON_TURN
    before = whole(game)
    refused = game.do(act)
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert whole(game) == before
    told = {refusals.text(code, refused.facts, language) for language in ("en", "it", "nl", "sl")}
    assert len(told) == 4
    assert code not in told


def test_a_value_that_an_option_cannot_have_is_answered_with_those_that_it_can_have() -> None:
    refused = Rewind().do(ChangeOption("fortify", "fly"))
    assert isinstance(refused, Refused)
    told = refusals.text(refused.code, refused.facts)
    assert all(value in told for value in OPTIONS["fortify"])


def test_a_preview_shows_an_option_as_it_is_written_and_no_other() -> None:
    desk = Rewind()
    act = ChangeOption("pace", "72h")
    seen = performing.preview(desk.engine, HOUSE, desk.id, act, Why("x"), desk.now)
    changed = [(one.fact, one.before, one.after) for one in seen.changed]
    assert changed == [("option.pace", "48h", "72h")]


def test_every_option_can_change_or_says_why_not() -> None:
    assert {*CHANGEABLE, *SETTLED} == {*OPTIONS, *READERS}
    assert not {*CHANGEABLE} & {*SETTLED}


def test_a_rule_changes_with_the_next_turn_is_told_and_stands_in_the_record() -> None:
    game = Rewind()
    done = game.do(ChangeOption("fortify", "chain"))
    assert isinstance(done, Performed)
    assert done.undo == ChangeOption("fortify", "adjacent")
    assert (game.state.ruleset.fortify, game.state.coming) == ("adjacent", {"fortify": "chain"})
    assert "fortify from adjacent to chain" in words_of(game.letters()[-1].mail)
    assert isinstance(game.do(ACTS["late"]()), Performed)
    assert game.state.ruleset.changes() == {"fortify": "chain"}
    record = game.record()
    assert '[Rules "classic-1993"]' in record
    assert "\n  rule fortify chain\n" in record


def test_a_field_that_cannot_be_read_is_named() -> None:
    for name, texts, code in (
        ("extend", {"by": "later"}, "bad-span"),
        ("extend", {}, "field-missing"),
        ("replace", {"seat": "B", "heir": "nonsense"}, "bad-person"),
        ("pause", {"since": "now"}, "no-field"),
    ):
        with pytest.raises(ActError) as error:
            form.read(ACTS[name], texts)
        assert error.value.code == code


def test_a_territory_that_is_set_is_told_marked_and_undone() -> None:
    game = Rewind()
    code = game.state.held(Seat("A"))[0]
    armies = game.state.armies[code]
    seen = performing.preview(game.engine, HOUSE, game.id, Set(code, "A", 9), WHY, game.now)
    assert [(d.before, d.after) for d in seen.board] == [(("A", armies), ("A", 9))]
    step = game.game.step
    done = game.do(Set(code, "A", 9))
    assert isinstance(done, Performed)
    assert game.state.armies[Code(code)] == 9
    assert game.game.step == step + 1
    assert f'@gm set by dora "wrong map"\n  set {code} A 9' in game.record()
    assert "with 9 armies" in game.letters("C", "note")[-1].words
    assert done.undo is not None
    game.do(done.undo)
    assert game.state.armies[Code(code)] == armies
    game.play_turn()
    game.record()


def test_a_hand_that_is_set_is_a_secret_in_letters_and_the_public_record() -> None:
    game = Rewind()
    game.do(SetCards("A", ("EGY", "PRU")))
    assert game.state.hands[Seat("A")] == ("EGY", "PRU")
    assert "hand A -0 +2 ? ?" in game.record()
    assert "hand A -0 +2 EGY PRU" in game.record(public=False)
    for seat in "ABC":
        assert "Egypt" not in game.letters(seat, "note")[-1].everything
        assert (
            "now 2 cards" in game.letters(seat, "note")[-1].words
            or "2 cards now" in game.letters(seat, "note")[-1].words
        )


def test_orders_on_behalf_are_played_and_answered_to_the_player() -> None:
    game = Rewind()
    game.do(OrderFor(ON_TURN, game.attack()))
    game.drain()
    assert game.letters(ON_TURN, "done")
    assert f'@gm orders {ON_TURN} by dora "wrong map"' in game.record()
    mistaken = game.do(OrderFor(ON_TURN, "attack Nowhere from Somewhere"))
    assert isinstance(mistaken, Refused)
    assert mistaken.code == "orders-mistaken"


def test_a_turn_that_is_run_again_gets_the_same_dice_while_it_is_open() -> None:
    game = Rewind()
    orders = game.attack()
    game.play(orders)
    state = game.state
    game.do(RunAgain())
    game.drain()
    assert game.state == state
    game.play("end")
    game.do(RunAgain(1))
    game.drain()
    assert game.state.turn == 2
    assert game.state.link > state.link + 1
    game.record()


def test_a_letter_goes_out_once_more_as_it_was() -> None:
    game = Rewind()
    letter = game.letters(ON_TURN, "turn-call")[-1].row
    with session(game.engine) as opened:
        outbox.keep_sent(opened, [outbox.Final(letter.id, "title", b"bytes")], game.now)
    assert isinstance(game.do(Resend(letter.id)), Performed)
    with session(game.engine) as opened:
        assert boxes.sendable(opened, game.now).count(letter.id) == 1
        again = outbox.find(opened, letter.id)
    assert again is not None
    assert (again.composed, again.message_id) == (b"bytes", letter.message_id)


def test_a_game_that_was_ended_runs_again_after_a_rollback() -> None:
    game = Rewind()
    game.play_turn()
    seq = game.last_seq
    game.do(End("A"))
    assert game.state.phase is Phase.OVER
    game.do(ACTS["rollback"](to=seq))  # type: ignore[call-arg]
    assert game.game.over_at is None
    game.play_turn()
    assert "DeckSeed" not in game.record()


def test_every_reason_of_a_refusal_has_words() -> None:
    """A code that the template does not know would be shown as it is, in no language."""
    root = Path(judge.__file__).parent
    said = "".join(file.read_text() for file in root.rglob("*.py"))
    codes = set(re.findall(r'ActError\(\s*"([a-z-]+)"', said))
    words = templates().joinpath("mail", "_refusals.j2").read_text()
    assert len(codes) > 40
    assert {code for code in codes if f'"{code}"' not in words} == set()
