"""An address names a turn in any spelling that mail hosts leave of it, and cannot be forged."""

from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from pbem.mail import address
from pbem.mail.address import (
    BounceAddress,
    TurnAddress,
    bounce_address,
    format_address,
    genuine,
    genuine_bounce,
    issue,
    parse,
    parse_bounce,
    tag,
)

SECRET = b"a secret of the server"
ADDRESS = issue(SECRET, "g7", "A", 23, 2)

games = st.from_regex(r"[a-z][a-z0-9]{0,15}", fullmatch=True)
seats = st.sampled_from("ABCDEF")
numbers = st.integers(min_value=0, max_value=999_999_999)
secrets = st.binary(min_size=1, max_size=40)


@given(secrets, games, seats, numbers, numbers, st.integers(0, 5))
def test_what_is_issued_is_read_back_and_genuine(
    secret: bytes, game: str, seat: str, turn: int, step: int, epoch: int
) -> None:
    address = issue(secret, game, seat, turn, step, epoch)
    assert parse(format_address(address, "play.example.org")) == address
    assert genuine(address, secret, epoch)


@given(secrets, games, seats, numbers, numbers)
def test_the_tag_fits_one_step_one_seat_one_epoch_one_secret(
    secret: bytes, game: str, seat: str, turn: int, step: int
) -> None:
    address = issue(secret, game, seat, turn, step)
    other_seat = "B" if seat == "A" else "A"
    forged = [
        TurnAddress(game, other_seat, turn, step, address.tag),
        TurnAddress(game, seat, turn + 1, step, address.tag),
        TurnAddress(game, seat, turn, step + 1, address.tag),
        TurnAddress(game + "x", seat, turn, step, address.tag),
        TurnAddress(game, seat, turn, step, "a" * 16),
    ]
    assert not any(genuine(each, secret) for each in forged)
    assert not genuine(address, secret, epoch=1)
    assert not genuine(address, secret + b"x")


@given(secrets, games, seats, numbers, numbers)
def test_a_bounce_address_gives_no_order_rights(
    secret: bytes, game: str, seat: str, turn: int, step: int
) -> None:
    address = issue(secret, game, seat, turn, step)
    envelope = bounce_address(address, "play.example.org")
    bounce = parse_bounce(envelope)
    assert bounce is not None
    assert (bounce.game, bounce.seat, bounce.turn, bounce.step) == (game, seat, turn, step)
    assert genuine_bounce(bounce, secret)
    assert parse(envelope) is None
    assert not genuine(TurnAddress(game, seat, turn, step, bounce.tag), secret)
    assert not genuine_bounce(BounceAddress(game, seat, turn, step, address.tag), secret)


def test_every_spelling_that_hosts_leave_is_the_same_turn() -> None:
    local = f"g7.a.23.2.{ADDRESS.tag}"
    spellings = [
        f"play+{local}@example.org",
        f"PLAY+{local.upper()}@EXAMPLE.ORG",
        f"{local}@example.org",
        f"{local}@play.example.org",
        f"risk.{local}@example.org",
        f"somebody+{local}@example.org",
        f"somebody-{local}@example.org",
        f'"play+{local}"@example.org',
        f"<play+{local}@example.org>",
        f"play+{local}",
    ]
    assert {parse(each) for each in spellings} == {ADDRESS}


def test_what_is_no_turn_address_is_none() -> None:
    strangers = [
        "",
        "@",
        "postmaster@example.org",
        f"play+g7.g.23.2.{ADDRESS.tag}@example.org",
        f"play+g7.a.023.2.{ADDRESS.tag}@example.org",
        f"play+g7.a.٢٣.2.{ADDRESS.tag}@example.org",
        f"play+g7.a.23.2.{ADDRESS.tag}a@example.org",
        f"play+g7.a.23.2.{ADDRESS.tag[:-1]}@example.org",
        f"play+g7.a.23.2.{ADDRESS.tag[:-1]}1@example.org",
        f"{'x' * 300}+g7.a.23.2.{ADDRESS.tag}@example.org",
    ]
    assert [parse(each) for each in strangers] == [None] * len(strangers)
    assert [parse_bounce(each) for each in strangers] == [None] * len(strangers)


@given(st.text(max_size=80))
def test_no_recipient_breaks_the_reader(recipient: str) -> None:
    for found in (parse(recipient), parse_bounce(recipient)):
        assert found is None or found.tag


def test_a_tag_is_sixteen_base32_characters_and_stays_the_same() -> None:
    # Addresses in letters already sent must stay genuine: the construction may never change.
    assert tag(b"secret", "g7", "A", 23, 2) == "4ua73nrhxyio6xom"
    assert tag(b"secret", "g7", "A", 23, 2, epoch=1) != "4ua73nrhxyio6xom"


def test_a_question_has_an_address_of_its_own() -> None:
    shown = address.confirm_address(SECRET, "g7", "A", 12, "games.example.org")
    found = address.parse_confirm(shown)
    assert found is not None
    assert (found.game, found.seat, found.number) == ("g7", "A", 12)
    assert address.genuine_confirm(found, SECRET)
    assert address.parse(shown) is None
    assert address.parse_bounce(shown) is None


@pytest.mark.parametrize(
    "spelling", ["{}@sub.example.org", "confirm.{}@example.org", "CONFIRM+{}@EXAMPLE.ORG"]
)
def test_the_address_of_a_question_is_read_in_any_spelling(spelling: str) -> None:
    local = address.confirm_address(SECRET, "g7", "A", 12, "d").partition("+")[2].partition("@")[0]
    found = address.parse_confirm(spelling.format(local))
    assert found is not None
    assert address.genuine_confirm(found, SECRET)


@pytest.mark.parametrize(
    "other",
    [
        {"game": "g8"},
        {"seat": "B"},
        {"number": 13},
        {"tag": address.tag(SECRET, "g7", "A", 23, 2)},
    ],
)
def test_no_question_answers_for_another(other: dict[str, Any]) -> None:
    found = address.parse_confirm(address.confirm_address(SECRET, "g7", "A", 12, "d"))
    assert found is not None
    assert not address.genuine_confirm(replace(found, **other), SECRET)
    assert not address.genuine_confirm(found, SECRET, epoch=1)
