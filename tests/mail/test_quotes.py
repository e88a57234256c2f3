"""What is new in an answer, case by case: signatures, rules, quotes that nothing announces.

`LETTER` stands for one of ours; its examples are real orders, which a player may well repeat.
"""

import pytest

from pbem.mail.marker import MARKERS
from pbem.mail.parent import Parent
from pbem.mail.quotes import NewLines, new_lines

ORDERS = ("place 5 in Siam", "attack India from Siam, keep 4", "end")
OLD = "attack Peru from Brazil"
LETTER = f"""{MARKERS["en"]}

Turn 23 - your move, Anna (A Blue).
YOU GET 6 ARMIES
14 territories: 4

BOARD
SIA Siam A 4
IDA India B 4

YOU COULD WRITE
| place 5 in Siam
| end
This mail is the key to your seat: do not forward it.
"""
UNMARKED = LETTER.replace(MARKERS["en"], "")
THREAD = UNMARKED.replace("IDA India B 4", OLD)
"""Our letter as an older mail of the player's own would change it."""


def found(text: str) -> NewLines:
    return new_lines(text.split("\n"), Parent(LETTER))


def full(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for line in lines if line.strip())


def quoted(letter: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in letter.split("\n"))


TEXT = "\n".join(ORDERS)


@pytest.mark.parametrize("letter", [LETTER, UNMARKED])
def test_an_example_repeated_below_the_quote_is_new(letter: str) -> None:
    assert quoted(letter).endswith("\n>\n")
    assert (
        full(
            found(f"On 30 Nov 2026 at 10:02 World <a@b.org> wrote:\n{quoted(letter)}\n{TEXT}").text
        )
        == ORDERS
    )


@pytest.mark.parametrize(
    "rest", ["", f"\n{quoted(LETTER)}", f"\n{quoted(UNMARKED)}", f"\n{LETTER}"]
)
@pytest.mark.parametrize("above", ["", "Anna Rossi\n\n", "-- \nAnna Rossi\n"])
def test_orders_under_the_mark_of_a_signature_are_asked_about(above: str, rest: str) -> None:
    read = found(f"-- \n{above}{TEXT}\n{rest}")
    assert full(read.text) == ()
    assert read.doubtful == ORDERS


def test_a_rule_between_orders_parts_them_and_hides_none() -> None:
    read = found("place 5 in Siam\n--\nattack India from Siam, keep 4\n--\nend")
    assert full(read.text) == ORDERS[:1]
    assert read.doubtful == ORDERS[1:]


def test_behind_the_end_a_signature_may_say_what_it_likes() -> None:
    assert found(f"{TEXT}\n-- \nAnna\nattack is the best defence").doubtful == ()


def test_a_signature_without_orders_is_nothing() -> None:
    assert found("-- \nAnna Rossi\n+39 333 1234567\n") == NewLines((), (), ())


@pytest.mark.parametrize(
    "attribution",
    [
        "Pada tanggal Sen, 30 Nov 2026 pukul 10.02 World conquest menulis:",
        "Στις Δευ 30 Νοε 2026 στις 10:02 π.μ., ο χρήστης World conquest έγραψε:",
        "World conquest kirjoitti 30.11.2026 klo 10.02:",
        "Messaggio del 30/11/26 10:02",
    ],
)
def test_what_an_unknown_attribution_announces_is_never_new(attribution: str) -> None:
    for parent in (Parent(LETTER), None):
        read = new_lines(f"{TEXT}\n\n{attribution}\n{OLD}\n{THREAD}".split("\n"), parent)
        assert full(read.text) == ORDERS
        assert OLD in read.doubtful


@pytest.mark.parametrize("rest", ["", "\n-- \nAnna\n"])
def test_answers_under_a_marked_quote_are_asked_about_whatever_announces_it(rest: str) -> None:
    block = "Da: World <a@b.org>\nData: 30/11/26\nA: Anna <anna@example.com>\nOggetto: g7"
    for above in ("", "-------- Messaggio originale --------\n"):
        read = found(f"{above}{block}\n\n{quoted(THREAD)}\n{TEXT}\n{rest}")
        assert full(read.text) == ()
        assert read.doubtful == ORDERS


@pytest.mark.parametrize("new", ["", "Thanks!", TEXT])
@pytest.mark.parametrize(
    "intro",
    [
        "From: Anna <anna@example.com>\nSent: Monday\nTo: World\nSubject: g7",
        "Am 30.11.2026 um 10:02 schrieb Anna <anna@example.com>:",
    ],
)
def test_an_older_mail_of_ones_own_between_two_attributions_is_not_new(
    intro: str, new: str
) -> None:
    inner = f"On 30 Nov 2026 at 10:02 World <a@b.org> wrote:\n{quoted(LETTER)}"
    read = found(f"{new}\n\n{intro}\n\n{OLD}\n\n{inner}")
    assert full(read.text) == full(tuple(new.split("\n")))
    assert OLD in read.doubtful


@pytest.mark.parametrize(
    "intro",
    [
        "From: World <a@b.org>\nSent: Monday\nTo: Anna\nSubject: g7",
        "World conquest kirjoitti 30.11.2026 klo 10.02:",
    ],
)
@pytest.mark.parametrize("signature", ["", "-- \nAnna Rossi\n+39 333 1"])
def test_the_mark_of_the_readers_own_seat_ends_no_unmarked_quote(
    intro: str, signature: str
) -> None:
    board = "> A Blue (you) Anna 15 46\n  B Red Bruno 12 36"
    for parent in (Parent(LETTER), None):
        text = f"{TEXT}\n\n{signature}\n\n{intro}\n\n{UNMARKED}{board}\n{OLD}\n"
        read = new_lines(text.split("\n"), parent)
        assert full(read.text) == ORDERS


@pytest.mark.parametrize("block", ["Da: World <a@b.org>\nData: 30/11/26\nA: Anna\nOggetto: g7"])
def test_answers_between_quoted_lines_are_never_lost(block: str) -> None:
    old = [line for line in THREAD.split("\n") if line]
    first, rest = quoted("\n".join(old[:3])), quoted("\n".join(old[3:]))
    read = found(f"Hi!\n\n{block}\n\n{first}\nplace 5 in Siam\n\n{rest}\nend\n")
    assert {"place 5 in Siam", "end"} <= {*read.text, *read.doubtful}


def test_nothing_between_unmarked_copies_is_new_if_something_stands_above() -> None:
    read = found(f"{TEXT}\n\n{THREAD}")
    assert full(read.text) == ORDERS
    assert OLD in read.doubtful


@pytest.mark.parametrize(
    "greeting", ["Hi!", "World conquest a scris:", "30 Nov tarihinde World yazdı"]
)
def test_a_greeting_above_the_quote_does_not_put_orders_below_in_doubt(greeting: str) -> None:
    read = found(f"{greeting}\n{quoted(LETTER)}\n{TEXT}")
    assert full(read.text) == ORDERS
    assert read.doubtful == (greeting,)


def test_a_greeting_above_an_unmarked_quote_does_not_make_its_lines_new() -> None:
    read = found(f"Thanks!\n\n{LETTER.replace('IDA India B 4', OLD)}")
    assert full(read.text) == ("Thanks!",)
    assert OLD in read.doubtful


@pytest.mark.parametrize("above", ["try first please", "Hi!\nThanks.", "end"])
def test_more_than_a_greeting_does(above: str) -> None:
    read = found(f"{above}\n{quoted(LETTER)}\n{TEXT}")
    assert full(read.text) == tuple(above.split("\n"))
    assert set(read.doubtful) >= set(ORDERS)


def test_an_hour_within_an_order_announces_nothing() -> None:
    assert full(found(f"say Bruno: at 10:30:\n{TEXT}").text) == ("say Bruno: at 10:30:", *ORDERS)


@pytest.mark.parametrize(
    "line",
    [
        "Yahoo Mail: Search, Organize, Conquer",
        "Yahoo Mail: Cerca, organizza, conquista",
        "Yahoo Mail: zoeken, organiseren, veroveren",
    ],
)
def test_a_programs_own_line_with_an_order_word_in_it_is_left_out(line: str) -> None:
    assert full(found(f"place 5 in Siam\n\n{line}\n").text) == ORDERS[:1]
