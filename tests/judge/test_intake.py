"""The way in: whose address is taken, for how long, and that no mail that was taken is lost."""

import random
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.judge import intake, quarantine
from pbem.judge.quarantine import Place
from pbem.mail import address
from pbem.store import games
from pbem.store.engine import session
from pbem.store.quarantine import AT_REST
from pbem.store.tables import InboxStatus
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, DOMAIN, Parlour, mail, words_of

LETTERS = Path(__file__).parents[1] / "letters"
SEED = 20261130


@pytest.fixture
def house(parlour: OpenParlour) -> Parlour:
    return parlour(proofs=False)


def refusal(house: Parlour, recipient: str) -> str | None:
    with session(house.engine) as opened:
        return intake.refuse_recipient(opened, house.house, recipient, house.now)


def test_every_spelling_of_a_right_tag_is_taken_at_any_domain(house: Parlour) -> None:
    local = house.address().rpartition("@")[0].removeprefix("play+")
    spellings = (
        f"play+{local}@{DOMAIN}",
        f"{local}@{DOMAIN}",
        f"PLAY+{local.upper()}@{DOMAIN.upper()}",
        f"game.{local}@{DOMAIN}",
        f"{local}@sub.{DOMAIN}",
        f"play+{local}@mx.of-a-relay.example",
    )
    assert [refusal(house, spelling) for spelling in spellings] == [None] * len(spellings)


@pytest.mark.parametrize("box", ["postmaster", "Postmaster", "abuse"])
def test_the_service_boxes_are_taken_for_this_house_only(house: Parlour, box: str) -> None:
    assert refusal(house, f"{box}@{DOMAIN}") is None
    assert refusal(house, box) is None
    assert refusal(house, f"{box}@elsewhere.example") == intake.UNKNOWN


def test_a_guessed_tag_another_seats_tag_and_a_stranger_are_refused(house: Parlour) -> None:
    named = address.parse(house.address("A"))
    other = address.parse(house.address("B"))
    assert named is not None
    assert other is not None
    right = house.address("A")
    for wrong in (
        right.replace(named.tag, "a" * 16),
        right.replace(named.tag, other.tag),
        right.replace(".a.", ".f."),
        right.replace("g1.", "g99."),
        f"anna@{DOMAIN}",
        "",
        "@",
        "\udcff@" + DOMAIN,
    ):
        assert refusal(house, wrong) == intake.UNKNOWN
    assert intake.UNKNOWN.startswith("550 5.1.1 ")


def test_the_addresses_of_a_game_die_thirty_days_after_its_end(house: Parlour) -> None:
    to = house.address()
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        game.over_at = house.now
        opened.add(game)
    house.now += timedelta(days=30)
    assert refusal(house, to) is None
    house.now += timedelta(seconds=1)
    assert refusal(house, to) == intake.OVER
    assert intake.OVER.startswith("550 5.1.1 ")


def test_the_recipient_is_that_of_the_envelope_whatever_to_and_cc_say(house: Parlour) -> None:
    raw = mail("board", f"Cc: {house.address('B')}", "Bcc: somebody@example.net")
    (row,) = house.bring(raw, house.address("A"))
    assert (row.seat, house.answers(row)) == ("A", ["done"])
    assert len(house.letters(kind="confirm")) == 0


def damaged(raw: bytes, rng: random.Random) -> bytes:
    """The mail as a broken server would hand it on: cut, doubled, or with bytes changed."""
    at = rng.randrange(len(raw))
    match rng.randrange(4):
        case 0:
            return raw[:at]
        case 1:
            return raw[:at] + rng.randbytes(20) + raw[at:]
        case 2:
            return raw.replace(b"\n\n", b"\n", 1)
    return raw[:at] + raw


def test_every_mail_comes_to_rest_and_what_led_to_nothing_is_listed(house: Parlour) -> None:
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    paths = rng.sample(sorted(LETTERS.glob("*.eml")), 40)
    mails = [path.read_bytes() for path in paths]
    mails += [damaged(raw, rng) for raw in mails[:20]] + [b"", b"\0" * 5000, b"x" * 50_000]
    to, rows = house.address(), []
    for number, raw in enumerate(mails):
        own = raw.replace(b"<corpus.", f"<rest.{number}.".encode())
        rows += house.bring(own, to)
    ends = {row.status for row in rows}
    assert ends <= {InboxStatus.DONE, InboxStatus.IGNORED, *AT_REST} - {InboxStatus.DEAD}
    with session(house.engine) as opened:
        listed = quarantine.listing(opened, limit=1000)
    assert {one.id for one in listed} == {row.id for row in rows if row.status in AT_REST}
    assert {one.place for one in listed} == {Place("g1", "A")}
    with session(house.engine) as opened:
        for one in listed[:10]:
            assert quarantine.show(opened, one.id).raw is not None


@pytest.mark.parametrize("orders", ["BOARD", "TRY\nend", "place 3 in Idnai"])
def test_the_answer_says_that_the_orders_were_read_from_a_file(house: Parlour, orders: str) -> None:
    bare = EmailMessage()
    bare["From"], bare["To"], bare["Message-ID"] = ANNA, house.address(), f"<{len(orders)}@file>"
    bare.add_attachment(orders, filename="orders.txt")
    house.bring(bare.as_bytes(), house.address())
    house.bring(mail(orders), house.address())
    of_file, of_text = house.letters(to=ANNA)[-2:]
    assert of_file["X-PBEM-Kind"] == of_text["X-PBEM-Kind"]
    assert "I read the file that came with it" in words_of(of_file)
    assert "I read the file" not in words_of(of_text)
