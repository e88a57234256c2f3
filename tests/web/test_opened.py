"""Which letters a browser has opened."""

import pytest

from pbem.web.opened import MOST, Opened, read, write


def test_what_is_written_reads_back() -> None:
    opened = Opened(3, frozenset({5, 9}))
    assert read(write(opened)) == opened


def test_beyond_the_most_the_oldest_become_the_floor() -> None:
    opened = Opened()
    for letter in range(1, MOST + 11):
        opened = opened.with_letter(letter)
    assert opened.floor == 10
    assert len(opened.ids) == MOST
    assert len(write(opened)) < 1500
    assert 1 in opened
    assert MOST + 11 not in opened
    assert read(write(opened)) == opened


@pytest.mark.parametrize("cookie", ["", "x", "1..2", "-1", "1.2.", "9" * 5000])
def test_a_cookie_that_was_tampered_with_counts_as_none(cookie: str) -> None:
    assert read(cookie) == Opened()
