"""Who may speak for a seat: proof, the question about a held mail, and what a forger can do."""

from datetime import timedelta
from email.utils import parseaddr

import pytest

from pbem.judge import proving, senders, turn_end
from pbem.judge.progress import Progress
from pbem.mail import address
from pbem.store import games
from pbem.store.engine import session
from pbem.store.tables import InboxStatus, Source
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, BERTA, Parlour, kinds, mail, text_of, words_of
from tests.mail.forge import Names, keys, signed, spf

ZONE = keys("example.com")


def question(house: Parlour) -> tuple[str, str]:
    """Where the newest question is answered, and its Message-ID."""
    letter = house.letters(kind="confirm", to=ANNA)[-1]
    return parseaddr(str(letter["Reply-To"]))[1], str(letter["Message-ID"])


def test_a_signed_mail_plays(parlour: OpenParlour) -> None:
    house = parlour(names=Names(ZONE))
    (row,) = house.bring(signed(mail("board")), house.address())
    assert (row.status, house.answers(row)) == (InboxStatus.DONE, ["done"])
    assert row.reading is not None
    assert row.reading["proof"] == {"proved": True, "why": "dkim"}


def test_an_aligned_envelope_plays(parlour: OpenParlour) -> None:
    house = parlour(names=Names(spf("example.com", "v=spf1 ip4:192.0.2.25 -all")))
    (row,) = house.bring(mail("board"), house.address())
    assert house.answers(row) == ["done"]


def test_the_client_of_a_server_before_us_is_not_the_senders(parlour: OpenParlour) -> None:
    house = parlour(names=Names(spf("example.com", "v=spf1 +all")))
    (row,) = house.bring(mail("board"), house.address(), source=Source.LMTP)
    assert (row.peer, row.status) == ("", InboxStatus.HELD)


def test_a_trusted_servers_word_plays_and_a_forged_one_does_not(parlour: OpenParlour) -> None:
    house = parlour(authserv="mx.example.org")
    stamp = "Authentication-Results: mx.example.org; dmarc={} header.from=example.com"
    good, bad = stamp.format("pass"), stamp.format("fail")
    raw = mail("board")
    (row,) = house.bring(good.encode() + b"\r\n" + raw, house.address())
    assert house.answers(row) == ["done"]
    forged = f"{bad}\r\n{good}\r\n".encode() + mail("board")
    (row,) = house.bring(forged, house.address())
    assert row.status == InboxStatus.HELD


def test_an_unproved_mail_is_held_and_its_player_asked_once(parlour: OpenParlour) -> None:
    house = parlour()
    before = house.step()
    raw = mail("board", message_id="<one@example.com>")
    (row,) = house.bring(raw, house.address())
    assert (row.status, row.result) == (InboxStatus.HELD, "confirm")
    assert house.answers(row) == ["confirm"]
    (letter,) = house.letters(kind="confirm")
    assert parseaddr(str(letter["To"]))[1] == ANNA
    assert letter["In-Reply-To"] == "<one@example.com>"
    assert "| board" in text_of(letter)
    assert house.step() == before
    house.bring(raw, house.address())
    assert len(house.letters(kind="confirm")) == 1


def test_yes_to_the_question_plays_the_held_mail(parlour: OpenParlour) -> None:
    house = parlour()
    (held,) = house.bring(mail("board"), house.address())
    to, _ = question(house)
    (row,) = house.bring(mail("YES"), to)
    assert (row.status, house.answers(row)) == (InboxStatus.DONE, ["done"])
    assert house.row(held.id).result == "confirmed"
    assert len(house.letters(kind="confirm")) == 1


def test_the_question_outlives_the_step(parlour: OpenParlour) -> None:
    house = parlour(start=False)
    (held,) = house.bring(mail("YES"), house.address())
    to, _ = question(house)
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        progress = Progress(opened, house.house, game, house.now, None)
        turn_end._let_lapse(progress)
    (row,) = house.bring(mail("YES"), to)
    assert house.answers(row) == ["joined"]
    assert house.row(held.id).result == "confirmed"


def test_no_to_the_question_drops_it(parlour: OpenParlour) -> None:
    house = parlour()
    (held,) = house.bring(mail("board"), house.address())
    to, _ = question(house)
    (row,) = house.bring(mail("NO"), to)
    assert (row.status, house.answers(row)) == (InboxStatus.DONE, ["done"])
    assert (house.row(held.id).status, house.row(held.id).result) == (
        InboxStatus.IGNORED,
        "disowned",
    )
    (row,) = house.bring(mail("YES"), to)
    assert house.answers(row) == ["mistakes"]


def test_a_second_yes_plays_nothing_again(parlour: OpenParlour) -> None:
    house = parlour()
    house.bring(mail("board"), house.address())
    to, _ = question(house)
    house.bring(mail("YES"), to)
    (row,) = house.bring(mail("yes"), to)
    assert house.answers(row) == ["done"]


def test_an_invited_player_without_proof_can_join(parlour: OpenParlour) -> None:
    house = parlour(start=False)
    (row,) = house.bring(mail("YES"), house.address())
    assert house.answers(row) == ["confirm"]
    to, _ = question(house)
    (row,) = house.bring(mail("YES"), to)
    assert house.answers(row) == ["joined"]


def test_an_invited_player_can_disown_a_forged_answer(parlour: OpenParlour) -> None:
    house = parlour(start=False)
    house.bring(mail("NO"), house.address())
    to, _ = question(house)
    (row,) = house.bring(mail("NO"), to)
    assert house.answers(row) == ["done"]
    assert kinds(house.letters(to=ANNA)).count("note") == 0


# -- a forger who can write as anna@example.com, but cannot read her mail --


def test_a_forged_yes_to_the_turns_address_is_held_itself(parlour: OpenParlour) -> None:
    house = parlour()
    (held,) = house.bring(mail("board"), house.address())
    _, message_id = question(house)
    (row,) = house.bring(mail("YES", reply_to=message_id), house.address())
    assert row.status == InboxStatus.HELD
    assert house.row(held.id).status == InboxStatus.HELD


def test_a_question_cannot_be_answered_by_guessing_its_address(parlour: OpenParlour) -> None:
    house = parlour()
    house.bring(mail("board"), house.address())
    to, _ = question(house)
    named, turn = address.parse_confirm(to), address.parse(house.address())
    assert named is not None
    assert turn is not None
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(mail("YES"), to.replace(named.tag, turn.tag))
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(mail("YES"), to.replace(f".q{named.number}.", f".q{named.number + 1}."))


def test_confirming_a_forged_yes_confirms_no_other_mail(parlour: OpenParlour) -> None:
    house = parlour()
    (held,) = house.bring(mail("board"), house.address())
    _, message_id = question(house)
    house.bring(mail("YES", reply_to=message_id), house.address())
    to, _ = question(house)
    (row,) = house.bring(mail("YES"), to)
    assert house.answers(row) == ["mistakes"]
    assert house.row(held.id).status == InboxStatus.HELD


def test_a_plain_yes_confirms_no_strangers_mail(parlour: OpenParlour) -> None:
    house = parlour(names=Names(ZONE))
    (held,) = house.bring(mail("board", sender="who@rival.example"), house.address())
    (row,) = house.bring(signed(mail("YES")), house.address())
    assert house.answers(row) == ["mistakes"]
    assert house.row(held.id).status == InboxStatus.HELD


def test_a_proved_yes_to_the_letter_itself_confirms(parlour: OpenParlour) -> None:
    house = parlour(names=Names(ZONE))
    house.bring(mail("board", sender="who@rival.example"), house.address())
    _, message_id = question(house)
    (row,) = house.bring(signed(mail("YES", reply_to=message_id)), house.address())
    assert house.answers(row) == ["done"]


def test_the_address_of_a_question_takes_no_orders_without_proof(parlour: OpenParlour) -> None:
    house = parlour()
    house.bring(mail("board"), house.address())
    to, _ = question(house)
    (row,) = house.bring(mail("attack Peru from Alaska"), to)
    assert row.status == InboxStatus.HELD


def test_a_question_that_leaked_takes_no_yes_of_another_sender(parlour: OpenParlour) -> None:
    house = parlour(names=Names(keys("rival.example")))
    house.bring(mail("board"), house.address())
    to, _ = question(house)
    (row,) = house.bring(signed(mail("YES", sender="r@rival.example"), "rival.example"), to)
    assert row.status == InboxStatus.HELD


def test_a_proved_rival_with_the_players_token_is_a_stranger(parlour: OpenParlour) -> None:
    """The token leaked by a Cc."""
    house = parlour(names=Names(keys("example.net")))
    raw = signed(mail("board", sender=BERTA), "example.net")
    (row,) = house.bring(raw, house.address("A"), mail_from=BERTA)
    assert row.status == InboxStatus.HELD
    (letter,) = house.letters(kind="confirm")
    assert (parseaddr(str(letter["To"]))[1], letter["In-Reply-To"]) == (ANNA, None)
    assert house.names.asked == []


def test_a_signed_mail_replayed_to_a_later_step_is_held(parlour: OpenParlour) -> None:
    house = parlour(names=Names(ZONE))
    raw = signed(mail("board"))
    (row,) = house.bring(raw, house.address())
    later = address.issue(house.house.secret, f"g{house.game_id}", "A", 0, 2)
    to = address.format_address(later, house.house.domain)
    (replayed,) = house.bring(raw, to)
    assert (house.answers(row), house.answers(replayed)) == (["done"], ["confirm"])
    (fresh,) = house.bring(signed(mail("board")), to)
    assert house.answers(fresh) == ["done"]


def test_a_flood_in_a_players_name_asks_so_often_and_then_no_more(parlour: OpenParlour) -> None:
    house = parlour()
    to = house.address()
    rows = [house.bring(mail(f"board {n}"), to)[0] for n in range(senders.QUESTIONS_TO_A_SEAT + 2)]
    assert [row.status for row in rows] == [InboxStatus.HELD] * len(rows)
    assert [row.result for row in rows[-3:]] == ["confirm", "unasked", "unasked"]
    asked = house.letters(kind="confirm")
    assert len(asked) == senders.QUESTIONS_TO_A_SEAT
    said = ["I do not ask you about them" in words_of(letter) for letter in asked]
    assert said == [False] * (len(asked) - 1) + [True]
    assert len(house.letters(kind="note", to="gm@example.org")) == 1
    house.now += timedelta(days=1, minutes=1)
    (row,) = house.bring(mail("board at last"), to)
    assert row.result == "confirm"


def test_a_strangers_flood_leaves_the_player_questions(parlour: OpenParlour) -> None:
    house = parlour()
    to = house.address()
    for _ in range(senders.QUESTIONS_OF_A_SENDER + 3):
        house.bring(mail("board", sender="who@rival.example"), to)
    assert len(house.letters(kind="confirm")) == senders.QUESTIONS_OF_A_SENDER
    (row,) = house.bring(mail("board"), to)
    assert house.answers(row) == ["confirm"]


def test_a_strangers_flood_never_counts_against_a_proved_player(parlour: OpenParlour) -> None:
    house = parlour(names=Names(ZONE))
    to = house.address()
    for _ in range(senders.QUESTIONS_TO_A_SEAT + 1):
        house.bring(mail("board"), to)
    for _ in range(3):
        (row,) = house.bring(signed(mail("board")), to)
        assert house.answers(row) == ["done"]


# -- name servers that do not answer --


def test_a_mail_waits_for_a_name_server_and_is_no_failure(parlour: OpenParlour) -> None:
    names = Names(ZONE, down=("example.com",))
    house = parlour(names=names)
    (row,) = house.bring(signed(mail("board")), house.address())
    assert (row.status, row.attempts) == (InboxStatus.ACCEPTED, 0)
    assert row.next_try_at > house.now
    assert row.last_error is not None
    assert "does not answer" in row.last_error
    for _ in range(8):
        house.now += timedelta(minutes=5)
        house.play()
    assert house.row(row.id).status == InboxStatus.ACCEPTED
    names.down = ()
    house.now += timedelta(minutes=11)
    house.play()
    assert house.answers(row) == ["done"]


def test_after_an_hour_without_an_answer_the_player_is_asked(parlour: OpenParlour) -> None:
    house = parlour(names=Names(down=("example.com",)))
    (row,) = house.bring(signed(mail("board")), house.address())
    house.now += proving.PATIENCE
    house.play()
    assert house.answers(row) == ["confirm"]


# -- a house without proofs --


def test_a_key_that_was_changed_while_a_mail_waited_proves_nothing_any_more(
    parlour: OpenParlour,
) -> None:
    house = parlour(proofs=False)
    old = house.address()
    house.let_in(mail("NEWKEY"), old)
    (late,) = house.let_in(mail("place 1 in Siam"), old)
    before = house.step()
    house.play()
    assert (house.row(late).status, house.row(late).result) == (InboxStatus.HELD, "confirm")
    assert house.step()[:2] == before[:2], "no order of it was played"
    to, _ = question(house)
    house.bring(mail("YES"), to)
    assert house.row(late).result == "confirmed"


def test_without_proofs_token_and_from_are_still_checked(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    (row,) = house.bring(mail("board"), house.address())
    assert house.answers(row) == ["done"]
    (row,) = house.bring(mail("board", sender="who@rival.example"), house.address())
    assert row.status == InboxStatus.HELD
    to, _ = question(house)
    (row,) = house.bring(mail("YES"), to)
    assert house.answers(row) == ["done"]
