"""Laws that hold through the whole judge: many mails are one, what is refused changes nothing."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.orders import write
from pbem.orders.reader import read
from pbem.orders.sheet import Table
from pbem.rules.board import load
from pbem.rules.position import Phase
from tests.judge.desk import Desk

FRONT = "A SIA 9, IDO 3, JPN 6; B IDA 2, CHN 2, AFG 1, KCH 3; C rest 2"
LINES = [
    "attack India from Siam, move in the least",
    "attack India from Siam, once, move in the least",
    "attack China from Siam, all in, move in all",
    "attack China from Siam, 2 rolls, move in 3",
    "attack Afghanistan from India, keep 2, move in the least",
    "attack Siam to India to Afghanistan, leave 2",
    "attack Kamchatka from Japan, lose at most 2, move in the least",
    "if India captured: attack Afghanistan from India, once, move in the least",
    "if Siam at least 4: attack China from Siam, all in, move in all",
    "if no card yet: attack China from Siam, once, move in the least",
    "fortify all but 1 from Siam to Indonesia",
    "end",
]
plans = st.lists(st.sampled_from(LINES), min_size=1, max_size=4)
faces = st.lists(st.integers(1, 6), min_size=150, max_size=150).map(lambda f: "".join(map(str, f)))


def opened(dice: str = "") -> Desk:
    return Desk(FRONT, phase=Phase.PLACE, to_place=4, dice=dice, deck="ALA BRA")


def kept(desk: Desk) -> tuple[Any, ...]:
    """All that the record of a game is made of."""
    game = desk.game
    return game.state, game.step, game.turn, game.version, game.last_seq, desk.dice.used


@given(plans, faces)
@settings(deadline=None, max_examples=25)
def test_one_mail_is_many_mails_on_the_same_dice(plan: list[str], dice: str) -> None:
    """In printed form, with every default written out."""
    whole = opened(dice)
    answer = whole.say("A", "\n".join(["place the rest in Siam", *plan]))
    if answer.kind != "done":
        return
    single = opened(dice)
    for line in ["place the rest in Siam", *plan]:
        if single.state.on_turn == "A":
            single.say("A", line)
    assert single.state == whole.state
    assert single.dice.used == whole.dice.used


WORLD = load()
WRONG = [
    "attack Idnai from Siam",
    "place 99 in Siam",
    "attack Ural from Siam",
    "fortify Siam to Indonesia",
    "trade 1 2 3",
    "take back",
    "continue",
    "attack India from Siam with 3",
]


@given(plans, st.sampled_from(WRONG), st.integers(0, 4))
@settings(deadline=None, max_examples=25)
def test_no_mail_with_a_mistake_changes_anything(plan: list[str], wrong: str, at: int) -> None:
    desk = opened("1" * 50)
    before = kept(desk)
    lines = ["place the rest in Siam", *plan]
    answer = desk.say("A", "\n".join([*lines[:at], wrong, *lines[at:]]))
    if answer.kind == "mistakes":
        assert kept(desk) == before
        assert [row.kind for row in desk.letters()] == ["mistakes"]
    else:
        # Below END nothing is read, and what was just placed may be taken back.
        assert "end" in lines[:at] or wrong == "take back"


@given(plans, faces)
@settings(deadline=None, max_examples=25)
def test_a_try_changes_nothing_and_says_the_same_again(plan: list[str], dice: str) -> None:
    desk = opened(dice)
    before = kept(desk)
    mail = "\n".join(["TRY", "place the rest in Siam", *plan])
    first, second = desk.say("A", mail), desk.say("A", mail)
    assert kept(desk) == before
    assert (first.kind, first.text) == (second.kind, second.text)
    tried = mail.removeprefix("TRY\n")
    assert (first.kind == "mistakes") == bool(wrong_in(tried))


def wrong_in(mail: str) -> tuple[str, ...]:
    """The mistakes of the same orders when they are meant."""
    desk = opened("1" * 150)
    answer = desk.say("A", mail)
    return tuple(found["code"] for found in answer.facts.get("mistakes", ()))


@given(plans, st.sampled_from(["it", "nl", "sl"]), faces)
@settings(deadline=None, max_examples=15)
def test_the_same_orders_in_another_language_play_the_same(
    plan: list[str], language: str, dice: str
) -> None:
    lines = ["place the rest in Siam", *plan]
    sheet = read(lines, "en", Table(WORLD))
    spoken = [write.line(line, language, WORLD) for line in sheet.lines]
    english, other = opened(dice), opened(dice)
    other.say("A", f"set language {language}")
    english.say("A", "\n".join(lines))
    other.say("A", "\n".join(spoken))
    assert other.state == english.state
