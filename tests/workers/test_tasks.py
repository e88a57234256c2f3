"""The tasks: their names, and that they hand on what the judge gives back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.judge import dispatch, sweep
from pbem.settings import Settings
from workers import context, tasks
from workers.app import QUEUES, TIDY

Rung = list[tuple[object, ...]]


@pytest.fixture
def rung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rung]:
    """The hints that tasks give, in a process with a context."""
    told: Rung = []
    settings = Settings(data_dir=tmp_path, secret="made up", broker_url=None)
    here = replace(context.enter(settings), hint=lambda *hint: told.append(hint))
    monkeypatch.setattr(tasks, "current", lambda: here)
    yield told
    context.leave()


def test_each_task_has_the_name_that_is_hinted_and_a_queue() -> None:
    answers, clock = (tasks.apply, tasks.send), (tasks.apply_due, tasks.send_news)
    names = {task.name for task in (*answers, *clock, tasks.tidy)}
    assert names == {sweep.APPLY, sweep.SEND, sweep.APPLY_DUE, sweep.SEND_NEWS, TIDY}
    assert {name.partition(".")[0] for name in names} == set(QUEUES)


@pytest.mark.parametrize(("more", "again"), [(False, []), (True, [(sweep.APPLY, 7)])])
def test_letters_are_hinted_and_a_game_with_more_to_play_again(
    rung: Rung, monkeypatch: pytest.MonkeyPatch, more: bool, again: Rung
) -> None:
    def drain(
        _engine: object, _house: object, game: int, _clock: object, on_letters: object
    ) -> bool:
        assert game == 7
        assert callable(on_letters)
        on_letters((3, 4, 5))
        assert rung == [(sweep.SEND, 3), (sweep.SEND, 4, 5)], "before the next row is played"
        return more

    monkeypatch.setattr(tasks, "drain", drain)
    tasks.apply(7)
    assert rung == [(sweep.SEND, 3), (sweep.SEND, 4, 5), *again]


def test_the_answer_goes_by_itself_and_the_others_a_few_at_a_time() -> None:
    assert list(tasks.parcels(())) == []
    parcels = list(tasks.parcels(tuple(range(22))))
    assert [len(parcel) for parcel in parcels] == [1, 10, 10, 1]
    assert [letter for parcel in parcels for letter in parcel] == list(range(22))


def test_letter_is_sent_the_way_that_the_settings_say(
    rung: Rung, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[dispatch.Post, tuple[int, ...]]] = []

    def send_all(
        _engine: object, _house: object, post: dispatch.Post, rows: tuple[int, ...], _clock: object
    ) -> tuple[int, ...]:
        sent.append((post, rows))
        return rows

    monkeypatch.setattr(dispatch, "send_all", send_all)
    tasks.send(12, 13)
    [(post, rows)] = sent
    assert rows == (12, 13)
    assert post.sender is None, "the mailbox is no relay"
    assert [step.total_seconds() for step in post.retry_steps] == [60, 300, 900, 3600]
    assert rung == []


def test_relay_of_the_settings_is_used(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, relay_url="smtp://relay.example:587", secret="made up")
    try:
        assert context.enter(settings).post.sender is not None
    finally:
        context.leave()
