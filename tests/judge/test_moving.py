"""A change of address: agreed to at the old address and at the new one, and by nobody else."""

import re
from datetime import timedelta
from email.utils import parseaddr

import pytest
from sqlmodel import select

from pbem.judge import moving
from pbem.judge.progress import Progress
from pbem.mail import errand
from pbem.store import games, tables
from pbem.store.engine import session
from pbem.store.tables import AddressChange, ChangeStatus, InboxStatus
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, BERTA, Parlour, kinds, mail, text_of, words_of
from tests.mail.forge import Names, keys, signed
from tests.mail.test_bounces import block, report
from tests.store import boxes

NEW = "anna@new.example"


def side(house: Parlour, address: str) -> str:
    """Where the newest letter to that address is answered."""
    return parseaddr(str(house.letters(to=address)[-1]["Reply-To"]))[1]


def ask(house: Parlour, text: str = f"SET ADDRESS {NEW}") -> tuple[str, str]:
    """Anna asks; where her old address and the new one answer."""
    house.bring(signed(mail(text)), house.address())
    asked = [one for one in house.letters(kind="note") if "move+" in str(one["Reply-To"])]
    found = {parseaddr(str(one["To"]))[1]: parseaddr(str(one["Reply-To"]))[1] for one in asked}
    return found[ANNA], found[NEW]


def seat(house: Parlour, letter: str = "A") -> tables.Seat:
    with session(house.engine) as opened:
        found = games.seat(opened, house.game_id, letter)
    assert found is not None
    return found


def change(house: Parlour) -> AddressChange:
    """The newest one."""
    with session(house.engine) as opened:
        return list(opened.exec(select(AddressChange)))[-1]


@pytest.fixture
def house(parlour: OpenParlour) -> Parlour:
    return parlour(names=Names(keys()))


def test_both_are_asked_and_nothing_changes_yet(house: Parlour) -> None:
    before = seat(house)
    old, new = ask(house)
    assert old != new
    assert seat(house).address == ANNA
    assert seat(house).key_epoch == before.key_epoch
    answer = house.letters(kind="done")[-1]
    assert NEW in words_of(answer)
    for to in (ANNA, NEW):
        question = house.letters(kind="note", to=to)[-1]
        assert "Confirm your new address" in str(question["Subject"])
        assert {"| YES", "| NO"} <= set(text_of(question).splitlines())
        assert question["In-Reply-To"] is None


def test_the_letter_to_the_new_address_tells_nothing_of_the_seat(house: Parlour) -> None:
    ask(house)
    (letter,) = house.letters(to=NEW)
    assert letter["X-PBEM-State"] is None
    assert letter["List-Unsubscribe"] is None
    assert ANNA not in letter.as_string()
    assert "play+" not in letter.as_string()


@pytest.mark.parametrize("first", ["old", "new"])
def test_it_moves_when_both_have_said_yes(house: Parlour, first: str) -> None:
    old_key = house.address()
    old, new = ask(house)
    sides = [(old, ANNA), (new, NEW)] if first == "old" else [(new, NEW), (old, ANNA)]
    (row,) = house.bring(mail("YES", sender=sides[0][1]), sides[0][0], mail_from=sides[0][1])
    assert row.result == "move-waits"
    assert seat(house).address == ANNA
    (row,) = house.bring(mail("YES", sender=sides[1][1]), sides[1][0], mail_from=sides[1][1])
    assert (row.status, row.result) == (InboxStatus.DONE, "moved")
    assert seat(house).address == NEW
    assert house.answers(row) == ["note"]
    told = house.letters(to=NEW)[-1]
    assert "come to this address now" in words_of(told) + str(told["Subject"])
    assert parseaddr(str(told["Reply-To"]))[1] == house.address()
    assert house.letters(kind="note", to="gm@example.org")
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(signed(mail("board")), old_key)
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(mail("YES", sender=NEW), new)


def test_every_yes_has_one_answer(house: Parlour) -> None:
    old, new = ask(house)
    for at, who in ((old, ANNA), (old, ANNA), (new, NEW)):
        (row,) = house.bring(mail("yes", sender=who), at)
        assert house.answers(row) == ["note"]


def test_one_side_alone_does_nothing(house: Parlour) -> None:
    old, new = ask(house)
    for _ in range(2):
        house.bring(mail("YES", sender=ANNA), old)
    assert seat(house).address == ANNA
    assert change(house).new_agreed_at is None
    assert change(house).status is ChangeStatus.OPEN
    del new


@pytest.mark.parametrize(("which", "who"), [(0, ANNA), (1, NEW)])
def test_a_no_of_either_side_ends_it(house: Parlour, which: int, who: str) -> None:
    sides = ask(house)
    (row,) = house.bring(mail("NO", sender=who), sides[which])
    assert row.result == "move-declined"
    assert change(house).status is ChangeStatus.DECLINED
    for at, yes in zip(sides, (ANNA, NEW), strict=True):
        (row,) = house.bring(mail("YES", sender=yes), at)
        assert row.result == "move-over"
    assert seat(house).address == ANNA
    assert "declined" in words_of(house.letters(kind="note", to="gm@example.org")[-1])


def test_after_a_week_it_has_lapsed(house: Parlour) -> None:
    old, new = ask(house)
    house.bring(mail("YES", sender=NEW), new)
    house.now += moving.PATIENCE + timedelta(minutes=1)
    (row,) = house.bring(mail("YES", sender=ANNA), old)
    assert row.result == "move-over"
    assert seat(house).address == ANNA


def test_what_is_no_yes_is_asked_again(house: Parlour) -> None:
    _, new = ask(house)
    (row,) = house.bring(mail("what is this?", sender=NEW), new)
    assert (row.result, house.answers(row)) == ("move-asked", ["note"])
    assert change(house).status is ChangeStatus.OPEN


def test_a_second_wish_takes_the_place_of_the_first(house: Parlour) -> None:
    old, new = ask(house)
    ask(house, f"SET ADDRESS {NEW}")
    for at, who in ((old, ANNA), (new, NEW)):
        (row,) = house.bring(mail("YES", sender=who), at)
        assert row.result == "move-over"
    assert seat(house).address == ANNA


# -- forgers ---------------------------------------------------------------------------------------


def test_an_unproved_wish_is_held(house: Parlour) -> None:
    (row,) = house.bring(mail(f"SET ADDRESS {NEW}"), house.address())
    assert row.status == InboxStatus.HELD
    assert not house.letters(to=NEW)
    assert kinds(house.letters(to=ANNA))[-1] == "confirm"


def test_a_rival_with_annas_key_moves_nothing(house: Parlour) -> None:
    wish = mail("SET ADDRESS berta@evil.example", sender=BERTA)
    house.bring(signed(wish, "example.net"), house.address())
    assert not house.letters(to="berta@evil.example")


def test_yes_of_another_person_does_not_count(house: Parlour) -> None:
    old, new = ask(house)
    for at in (old, new):
        (row,) = house.bring(mail("YES", sender=BERTA), at)
        assert (row.status, row.result) == (InboxStatus.SET_ASIDE, "to-move")
        assert not house.answers(row)
    # The new address cannot speak for the old one, nor the old one for the new.
    for at, who in ((old, NEW), (new, ANNA)):
        (row,) = house.bring(mail("YES", sender=who), at)
        assert row.status == InboxStatus.SET_ASIDE
    assert seat(house).address == ANNA


def test_a_yes_to_the_address_for_orders_agrees_to_nothing(house: Parlour) -> None:
    _, new = ask(house)
    house.bring(mail("YES", sender=NEW), new)
    house.bring(signed(mail("YES")), house.address())
    assert seat(house).address == ANNA


def test_a_forged_key_is_refused_at_the_door(house: Parlour) -> None:
    old, new = ask(house)
    forged = new.replace(re.findall(r"\.(\w{16})@", new)[0], re.findall(r"\.(\w{16})@", old)[0])
    for at in (forged, new.replace(".a.", ".b."), new.replace("new1", "new2")):
        with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
            house.bring(mail("YES", sender=NEW), at)


def test_a_machine_agrees_to_nothing(house: Parlour) -> None:
    old, new = ask(house)
    for at, who in ((old, ANNA), (new, NEW)):
        (row,) = house.bring(mail("YES", "Auto-Submitted: auto-replied", sender=who), at)
        assert (row.status, house.answers(row)) == (InboxStatus.IGNORED, [])
    assert change(house).new_agreed_at is None


def test_a_letter_that_comes_back_ends_it_and_is_not_held_against_the_seat(house: Parlour) -> None:
    old, new = ask(house)
    for number in range(4):
        raw = f"Message-ID: <r{number}@mx>\r\n".encode() + report(block("failed", "5.1.1"))
        house.bring(raw, new, mail_from="")
    assert change(house).status is ChangeStatus.DECLINED
    assert seat(house).unreachable_at is None
    assert "came back" in words_of(house.letters(kind="note", to=ANNA)[-1])
    del old


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("nonsense", "as an address"),
        ("a@b@c", "as an address"),
        (ANNA.upper(), "already"),
        (BERTA, "cannot be used"),
        ("play@games.example.org", "cannot be used"),
    ],
)
def test_addresses_that_cannot_be(house: Parlour, written: str, why: str) -> None:
    house.play()
    before = len(house.letters())
    house.bring(signed(mail(f"SET ADDRESS {written}")), house.address())
    (answer,) = house.letters()[before:]
    assert answer["X-PBEM-Kind"] == "mistakes"
    assert why in words_of(answer)


def test_three_wishes_a_day(house: Parlour) -> None:
    for number in range(moving.MOST_A_DAY + 1):
        wish = f"SET ADDRESS anna{number}@new.example"
        house.bring(signed(mail(wish)), house.address())
    assert not house.letters(to=f"anna{moving.MOST_A_DAY}@new.example")
    assert "tomorrow" in words_of(house.letters()[-1])


def test_a_quoted_or_linked_address_is_read(house: Parlour) -> None:
    house.bring(signed(mail("set address = <anna@New.Example>")), house.address())
    assert house.letters(to=NEW)


# -- the game master asks --------------------------------------------------------------------------


def by_gm(house: Parlour) -> tuple[str, str]:
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        progress = Progress(opened, house.house, game, house.now, None)
        assert moving.ask_for(progress, progress.seat("A"), NEW) is None
        progress.close()
    house.play()
    return side(house, ANNA), side(house, NEW)


def test_the_game_masters_wish_needs_the_new_address_only(house: Parlour) -> None:
    _, new = by_gm(house)
    house.bring(mail("YES", sender=NEW), new)
    assert seat(house).address == NEW


def test_the_old_address_may_say_no_to_the_game_master(house: Parlour) -> None:
    old, new = by_gm(house)
    house.bring(mail("NO", sender=ANNA), old)
    house.bring(mail("YES", sender=NEW), new)
    assert seat(house).address == ANNA


def test_held_mails_stay_with_the_game_master(house: Parlour) -> None:
    """After a move nobody can answer the old questions; the mails are still there."""
    (held,) = house.bring(mail("attack Peru from Brazil"), house.address())
    old, new = ask(house)
    house.bring(mail("YES", sender=ANNA), old)
    house.bring(mail("YES", sender=NEW), new)
    with session(house.engine) as opened:
        kept = boxes.mails(opened, [InboxStatus.HELD])
    assert [row.id for row in kept] == [held.id]


def test_the_errand_of_a_letter_is_where_its_bounces_go(house: Parlour) -> None:
    ask(house)
    with session(house.engine) as opened:
        sent = opened.exec(select(tables.Outbox).where(tables.Outbox.to_address == NEW)).one()
    named = errand.parse(sent.envelope_from)
    assert named is not None
    assert (named.purpose, named.number) == (errand.Purpose.NEW, change(house).id)
