"""Limits by the hour: who is put off, and that nobody can put off somebody else."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.judge import intake
from pbem.judge.throttle import TOO_MANY, Throttle
from pbem.mail.door import Asked
from pbem.mail.rates import MOST_NAMES, Rates
from pbem.store.engine import session
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, Parlour

NOW = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)
FORGER, PROVIDER = "198.51.100.66", "192.0.2.25"


@pytest.fixture
def house(parlour: OpenParlour) -> Parlour:
    return parlour()


def asks(
    house: Parlour, throttle: Throttle, mail_from: str, peer: str, to: str = "", now: datetime = NOW
) -> str | None:
    recipient = to or house.address()
    with session(house.engine) as opened:
        [weighed] = intake.weigh(opened, house.house, [recipient], now)
    return throttle.refuse(Asked(recipient, mail_from, peer), weighed.owner, now)


def test_a_flood_of_strangers_to_an_address_is_put_off(house: Parlour) -> None:
    throttle = Throttle(3, 100, direct=True)
    told = [asks(house, throttle, f"x{n}@example.net", f"203.0.{n}.1") for n in range(5)]
    assert told == [None, None, None, TOO_MANY, TOO_MANY]
    assert TOO_MANY.startswith("450 4.7.1 ")
    spelled = house.address().upper().replace("PLAY+", "")
    assert asks(house, throttle, "y@example.net", "203.0.9.1", spelled) == TOO_MANY
    assert asks(house, throttle, "y@example.net", "203.0.9.1", house.address("B")) is None


def test_a_sender_who_writes_to_everybody_is_put_off(house: Parlour) -> None:
    throttle = Throttle(100, 2, direct=True)
    both = (house.address("A"), house.address("B"))
    told = [asks(house, throttle, "x@example.net", FORGER, to) for to in (*both, both[0])]
    assert told == [None, None, TOO_MANY]


def test_a_forger_uses_up_nothing_of_the_players(house: Parlour) -> None:
    throttle = Throttle(3, 3, direct=True)
    told = [asks(house, throttle, ANNA, FORGER) for _ in range(9)]
    told += [asks(house, throttle, f"x{n}@example.net", FORGER) for n in range(9)]
    assert TOO_MANY in told
    assert asks(house, throttle, ANNA.upper(), PROVIDER) is None


def test_behind_a_server_of_ours_a_registered_address_is_never_put_off(house: Parlour) -> None:
    throttle = Throttle(2, 2, direct=False)
    assert {asks(house, throttle, ANNA, "127.0.0.1") for _ in range(9)} == {None}
    told = [asks(house, throttle, "x@example.net", "127.0.0.1") for _ in range(3)]
    assert told == [None, None, TOO_MANY]


def test_this_machine_is_not_limited(house: Parlour) -> None:
    throttle = Throttle(1, 1, direct=True)
    assert {asks(house, throttle, "x@example.net", "127.0.0.1") for _ in range(9)} == {None}


def test_an_hour_later_all_is_as_before(house: Parlour) -> None:
    throttle = Throttle(4, 4, direct=True)
    for _ in range(5):
        asks(house, throttle, "x@example.net", FORGER)
    assert asks(house, throttle, "x@example.net", FORGER) == TOO_MANY
    soon, later = NOW + timedelta(minutes=16), NOW + timedelta(hours=1)
    assert asks(house, throttle, "x@example.net", FORGER, now=soon) is None
    assert asks(house, throttle, "x@example.net", FORGER, now=soon) == TOO_MANY
    assert [asks(house, throttle, "x@example.net", FORGER, now=later) for _ in range(2)] == [
        None
    ] * 2


def test_no_limit_is_no_limit(house: Parlour) -> None:
    throttle = Throttle(0, 0, direct=True)
    assert {asks(house, throttle, "x@example.net", FORGER) for _ in range(50)} == {None}


def test_counts_do_not_grow_without_end() -> None:
    rates = Rates(1)
    for number in range(MOST_NAMES + 10):
        assert rates.take([str(number)], NOW)
    assert len(rates._levels) == MOST_NAMES
    assert not rates.take([str(MOST_NAMES)], NOW)
