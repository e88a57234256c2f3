"""Real worker processes: they work, end when asked to, and lose nothing when killed."""

import os
import signal
import time
from pathlib import Path

import pytest

from pbem.embedded import broker
from pbem.embedded.health import beats
from tests.embedded.conftest import alive, children_of, wait_for
from tests.workers.conftest import RunWorker
from workers import context
from workers.context import NoContextError
from workers.hints import hints


def lines(path: Path) -> list[str]:
    """What the tasks have noted, without the process ids."""
    noted = path.read_text().splitlines() if path.exists() else []
    return [line.rpartition(" ")[0] for line in noted]


def test_task_runs_in_a_child_with_settings_of_its_own(
    run_worker: RunWorker, broker_url: str, tmp_path: Path
) -> None:
    worker = run_worker()
    hints(broker_url)("maintenance.context", str(tmp_path / "notes"))
    wait_for(lambda: lines(tmp_path / "notes") == ["noted.example"])
    noted = int((tmp_path / "notes").read_text().split()[1])
    assert noted in children_of(worker.pid)


def test_idle_worker_ends_at_once_and_well(run_worker: RunWorker) -> None:
    worker = run_worker()
    pool = children_of(worker.pid)
    begun = time.monotonic()
    worker.terminate()
    assert worker.wait(timeout=10) == 0
    assert time.monotonic() - begun < 4
    assert not any(map(alive, pool))


@pytest.mark.slow
def test_worker_asked_to_end_finishes_what_it_does(
    run_worker: RunWorker, broker_url: str, tmp_path: Path
) -> None:
    worker, notes = run_worker(), tmp_path / "notes"
    hints(broker_url)("mail.slow_note", str(notes), "x", 1.5)
    wait_for(lambda: lines(notes) == ["begun x"])
    worker.terminate()
    assert worker.wait(timeout=13) == 0
    assert lines(notes) == ["begun x", "ended x"]


@pytest.mark.slow
def test_task_of_a_killed_worker_child_runs_again(
    run_worker: RunWorker, broker_url: str, tmp_path: Path
) -> None:
    run_worker()
    notes = tmp_path / "notes"
    hints(broker_url)("mail.slow_note", str(notes), "x", 3.0)
    wait_for(lambda: lines(notes) == ["begun x"])
    os.kill(int(notes.read_text().split()[-1]), signal.SIGKILL)
    wait_for(lambda: lines(notes) == ["begun x", "begun x", "ended x"], 15)


def test_heart_stops_with_the_worker(run_worker: RunWorker, broker_url: str) -> None:
    worker = run_worker()
    worker.kill()
    worker.wait()
    with broker.connect(broker_url) as client:
        assert client.pttl("pbem:alive:worker") <= 8_000
        client.delete("pbem:alive:worker")
    time.sleep(2.5)
    assert not beats(broker_url, "worker")


def test_worker_survives_a_broker_that_drops_it(
    run_worker: RunWorker, broker_url: str, tmp_path: Path
) -> None:
    run_worker()
    with broker.connect(broker_url) as client:
        client.client_kill_filter(_type="normal", skipme=True)
    hints(broker_url)("orders.note", str(tmp_path / "notes"), "still here")
    wait_for(lambda: lines(tmp_path / "notes") == ["still here"])


def test_process_without_a_context_says_so() -> None:
    with pytest.raises(NoContextError):
        context.current()
