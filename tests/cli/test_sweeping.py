"""The loop of the sweep."""

import logging
import os
import signal

import pytest

from pbem.cli.sweeping import sweep_until_stopped
from pbem.store.engine import OperationalError


class Rounds:
    """A sweep that fails in its second round and asks to end in its fourth."""

    def __init__(self) -> None:
        self.done = 0

    def __call__(self) -> None:
        self.done += 1
        if self.done == 2:
            raise OSError("the database is away")
        if self.done == 4:
            os.kill(os.getpid(), signal.SIGTERM)


def test_sweep_goes_on_after_a_failure_which_has_no_heartbeat(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    rounds, beats = Rounds(), list[int]()
    try:
        with caplog.at_level(logging.ERROR):
            sweep_until_stopped(rounds, lambda: beats.append(rounds.done), every=0.05)
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    assert rounds.done == 4
    assert beats == [1, 3, 4]
    assert "the database is away" in caplog.text


def test_a_database_that_is_away_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def fails() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        raise OperationalError("SELECT 1", {}, OSError("connection refused\nis it running?"))

    try:
        sweep_until_stopped(fails, lambda: None, every=0.05)
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    (line,) = caplog.records
    assert line.exc_info is None
    assert line.getMessage() == (
        "the sweep failed: PBEM_DATABASE_URL: the database cannot be used: connection refused"
    )
