"""Lines that may be an old quote: asked about where they would do something, else passed over."""

import pytest

from pbem.judge import reading
from pbem.mail import glance
from pbem.store import inbox, outbox, tables
from pbem.store.engine import session
from pbem.store.tables import Source
from tests.judge.desk import Desk


def answer(text: str, *doubtful: str) -> tables.Outbox:
    """What Anna is answered on a mail of which we cannot tell how much is hers."""
    desk = Desk()
    delivery = inbox.Delivery(
        source=Source.INGEST,
        dedupe_key="mail:doubtful",
        received_at=desk.now,
        game_id=desk.id,
        seat="A",
        turn=desk.game.turn,
        step=desk.game.step,
        reading=reading.orders_of(tuple(text.splitlines())) | {"doubtful": list(doubtful)},
    )
    with session(desk.engine) as opened:
        (receipt,) = inbox.add(opened, [delivery])
    desk.drain()
    with session(desk.engine) as opened:
        (found,) = outbox.answers_to(opened, receipt.inbox_id)
    return found


def answered(desk: Desk, *headers: str, seat: str = "A") -> str | None:
    """The letter that a mail with these headers is compared with."""
    delivery = inbox.Delivery(
        source=Source.INGEST,
        dedupe_key=f"mail:{seat}{headers}",
        received_at=desk.now,
        raw="\n".join([*headers, "", "end", ""]).encode(),
        game_id=desk.id,
        seat=seat,
    )
    with session(desk.engine) as opened:
        (receipt,) = inbox.add(opened, [delivery])
        row = inbox.find(opened, receipt.inbox_id)
        assert row is not None
        return reading.letter_answered(opened, row)


def test_a_mail_that_names_no_letter_of_ours_is_compared_with_the_newest() -> None:
    desk = Desk()
    letters = [desk.say("A", "HELP"), desk.say("A", "BOARD")]
    with session(desk.engine) as opened:
        for letter in letters:
            outbox.store_composed(opened, letter.row.id, letter.raw, "x")
    texts = [glance.own_text(letter.raw) for letter in letters]
    assert answered(desk, "Subject: x") == texts[1]
    assert answered(desk, "In-Reply-To: <from.a@relay.example>") == texts[1]
    assert answered(desk, f"In-Reply-To: {letters[0].row.message_id}") == texts[0]
    assert answered(desk, f"In-Reply-To: {letters[0].row.message_id}", seat="B") is None


@pytest.mark.parametrize("text", ["", "Hi!", "attack India from Siam"])
def test_orders_in_doubt_are_never_played_unasked(text: str) -> None:
    found = answer(text, "fortify New Guinea to Siam")
    assert found.kind == "mistakes"
    (mistake,) = found.recipe["facts"]["mistakes"]
    assert mistake["code"] == "E40"
    assert mistake["facts"]["lines"] == ["fortify New Guinea to Siam"]


@pytest.mark.parametrize("line", ["YES", "TRY", "SAY BRUNO: hello", "SET NEWS OFF"])
def test_a_mail_that_says_nothing_else_is_asked_about_any_word_in_doubt(line: str) -> None:
    assert answer("", line).kind == "mistakes"
    assert answer("end", line).kind == "done"


@pytest.mark.parametrize("text", ["", "Hi!"])
def test_a_mail_in_which_nothing_at_all_is_ordered_is_told_so(text: str) -> None:
    found = answer(text, "Anna Rossi", "+39 333 1234567")
    assert found.kind == "not-understood"
    assert found.recipe["facts"]["reason"] == ("no-orders" if text else "empty")
