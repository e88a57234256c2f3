"""Letters that come back: counted, decayed, told to the game master once."""

from datetime import timedelta
from email.utils import parseaddr

import pytest

from pbem.judge import bounced, dispatch
from pbem.mail import address
from pbem.mail.outbound import Deferred, Failed, FailedKind, Outcome, Relay, Sender
from pbem.store import games, outbox, tables
from pbem.store.engine import session
from pbem.store.tables import InboxStatus, OutboxStatus
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, Parlour, mail, words_of
from tests.mail.forge import Names, keys, signed
from tests.mail.test_bounces import block, report
from tests.store import boxes

HARD, SOFT = report(block("failed", "5.1.1")), report(block("delayed", "4.4.1"))


def bounces_to(house: Parlour) -> str:
    turn = address.parse(house.address("A"))
    assert turn is not None
    return address.bounce_address(turn, house.house.domain)


def report_back(house: Parlour, raw: bytes, number: int) -> tables.Inbox:
    stamped = f"Message-ID: <report{number}@mx.example.com>\r\n".encode() + raw
    (row,) = house.bring(stamped, bounces_to(house), mail_from="")
    return row


def seat(house: Parlour) -> tables.Seat:
    with session(house.engine) as opened:
        return games.seats(opened, house.game_id)[0]


def notes(house: Parlour) -> int:
    return len(house.letters(kind="note", to="gm@example.org"))


def test_two_hard_bounces_mark_the_seat_and_tell_the_gm_once(parlour: OpenParlour) -> None:
    house = parlour()
    for number in range(2):
        assert seat(house).unreachable_at is None
        row = report_back(house, HARD, number)
        assert (row.status, row.result, house.answers(row)) == (
            InboxStatus.DONE,
            "hard-bounce",
            [],
        )
    assert seat(house).unreachable_at == house.now
    assert notes(house) == 1
    assert "comes back" in words_of(house.letters(kind="note")[0])
    report_back(house, HARD, 4)
    assert notes(house) == 1


def test_the_note_gives_the_reason_and_no_key(parlour: OpenParlour) -> None:
    house = parlour()
    said = f"Diagnostic-Code: smtp; 550 5.1.1 <{house.address('A')}> rejected"
    for number in range(2):
        report_back(house, report(f"{block('failed', '5.1.1')}\r\n{said}"), number)
    (note,) = house.letters(kind="note", to="gm@example.org")
    told = " ".join(words_of(note).split())
    assert "The reason that was given: 550 5.1.1 <…@" in told
    assert house.address("A").partition("@")[0] not in told


def test_the_same_report_twice_counts_once(parlour: OpenParlour) -> None:
    house = parlour()
    for _ in range(4):
        report_back(house, HARD, 1)
    assert seat(house).unreachable_at is None


def test_soft_bounces_weigh_less_and_old_ones_fade(parlour: OpenParlour) -> None:
    house = parlour()
    for number in range(4):
        report_back(house, SOFT, number)
    assert seat(house).unreachable_at is None
    house.now += 6 * bounced.HALF_LIFE
    report_back(house, HARD, 10)
    assert seat(house).unreachable_at is None
    report_back(house, HARD, 11)
    assert seat(house).unreachable_at is not None


def test_five_soft_bounces_mark_the_seat(parlour: OpenParlour) -> None:
    house = parlour()
    for number in range(5):
        assert seat(house).unreachable_at is None
        report_back(house, SOFT, number)
    assert seat(house).unreachable_at is not None


def test_a_proved_mail_of_the_player_wipes_the_slate(parlour: OpenParlour) -> None:
    house = parlour(names=Names(keys()))
    for number in range(3):
        report_back(house, HARD, number)
    house.bring(mail("board"), house.address())
    assert seat(house).unreachable_at is not None, "anybody could have written that"
    house.bring(signed(mail("board")), house.address())
    assert seat(house).unreachable_at is None
    report_back(house, HARD, 9)
    assert seat(house).unreachable_at is None


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        (("Auto-Submitted: auto-replied", "Subject: Out of office"), "auto-reply"),
        (("Subject: Automatic reply: Turn 3",), "auto-reply"),
    ],
)
def test_an_absence_told_to_the_bounce_address_is_no_bounce(
    parlour: OpenParlour, headers: tuple[str, ...], wanted: str
) -> None:
    house = parlour()
    raw = mail("I am away, 550 5.1.1", *headers).replace(b"Subject: Re: the game\r\n", b"")
    (row,) = house.bring(raw, bounces_to(house), mail_from="")
    assert (row.status, row.result) == (InboxStatus.IGNORED, wanted)
    assert not house.answers(row)


def test_a_delivery_that_is_told_of_is_no_bounce(parlour: OpenParlour) -> None:
    house = parlour()
    row = report_back(house, report(block("delivered", "2.0.0")), 1)
    assert (row.status, row.result) == (InboxStatus.IGNORED, "bounce")


def test_what_a_person_writes_to_the_bounce_address_is_set_aside(parlour: OpenParlour) -> None:
    house = parlour(names=Names(keys()))
    (row,) = house.bring(signed(mail("attack Peru from Brazil")), bounces_to(house))
    assert (row.status, row.result) == (InboxStatus.SET_ASIDE, "to-bounces")
    assert not house.answers(row)


def test_a_forged_bounce_address_is_refused_at_the_door(parlour: OpenParlour) -> None:
    house = parlour()
    to = bounces_to(house).replace(".a.", ".b.")
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(HARD, to, mail_from="")


class Answers(Sender):
    """A relay that answers what the test says, whatever it is handed."""

    def __init__(self, *outcomes: Outcome) -> None:
        super().__init__(Relay("127.0.0.1", 25))
        self.outcomes = list(outcomes)
        self.handed: list[tuple[str, bytes]] = []

    def send_sync(self, _from: str, to: str, raw: bytes, on_data: object = None) -> Outcome:  # noqa: ARG002
        self.handed.append((to, raw))
        return self.outcomes.pop(0)


def send(house: Parlour, letter: int, relay: Sender) -> tables.Outbox:
    post = dispatch.Post(relay, (timedelta(minutes=1),), timedelta(minutes=15))
    dispatch.send(house.engine, house.house, post, letter, lambda: house.now)
    with session(house.engine) as opened:
        found = outbox.find(opened, letter)
    assert found is not None
    return found


def unsent(house: Parlour) -> list[tables.Outbox]:
    with session(house.engine) as opened:
        return [letter for letter in boxes.letters(opened) if letter.status == OutboxStatus.PENDING]


def test_refusals_of_the_relay_count_as_bounces(parlour: OpenParlour) -> None:
    house = parlour()
    call = next(letter for letter in unsent(house) if letter.to_address == ANNA)
    shared = call.model_dump(include={"kind", "game_id", "seat", "position_hash", "recipe"})
    more = [
        outbox.NewLetter(key=f"k{n}", message_id=f"<{n}@x>", to_address=ANNA, **shared)
        for n in range(1)
    ]
    with session(house.engine) as opened:
        letters = [call.id, *outbox.enqueue(opened, more, house.now)]
    no_such = Failed(550, "5.1.1 no such user", FailedKind.BOUNCE)
    for letter in letters:
        assert seat(house).unreachable_at is None
        assert send(house, letter, Answers(no_such)).status == OutboxStatus.FAILED
    assert seat(house).unreachable_at is not None
    (note,) = (letter for letter in unsent(house) if letter.kind == "note")
    assert "550 5.1.1 no such user" in str(note.recipe)


def test_a_refusal_for_our_own_sake_is_not_the_players_fault(parlour: OpenParlour) -> None:
    house = parlour()
    letter = next(letter for letter in unsent(house) if letter.to_address == ANNA)
    send(house, letter.id, Answers(Failed(550, "5.7.1 policy", FailedKind.POLICY)))
    with session(house.engine) as opened:
        assert not opened.exec(tables.Bounce.__table__.select()).all()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("code", "text", "slow"),
    [(421, "busy", True), (450, "4.7.1 greylisted", True), (450, "4.2.0 mailbox busy", False)],
)
def test_a_receiver_that_is_busy_gets_less(
    parlour: OpenParlour, code: int, text: str, slow: bool
) -> None:
    house = parlour()
    house.new_game()
    mine = [letter for letter in unsent(house) if letter.to_address == ANNA]
    others = [letter for letter in unsent(house) if letter.to_address != ANNA]
    failed = send(house, mine[0].id, Answers(Deferred(code, text)))
    after = {letter.id: letter for letter in unsent(house)}
    assert (after[mine[1].id].next_try_at == failed.next_try_at) is slow
    assert after[mine[1].id].attempts == 0
    assert all(after[other.id].next_try_at <= house.now for other in others)
    assert failed.next_try_at > house.now
    assert parseaddr(failed.to_address)[1] == ANNA
