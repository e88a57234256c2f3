"""Group reading: many questions, few transactions, each with its own answer."""

import asyncio
import threading
from collections.abc import Sequence

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, select

from pbem.store.inquiry import GroupReader


async def test_what_is_asked_while_one_group_is_read_is_the_next(engine: Engine) -> None:
    groups: list[list[int]] = []
    go = threading.Event()

    def twice(_session: Session, numbers: Sequence[int]) -> list[int]:
        groups.append(list(numbers))
        go.wait(10)
        return [2 * number for number in numbers]

    reader = GroupReader(engine, twice)
    first = asyncio.ensure_future(reader.ask(0))
    await asyncio.sleep(0.05)
    rest = [asyncio.ensure_future(reader.ask(number)) for number in range(1, 6)]
    await asyncio.sleep(0)
    go.set()
    assert await asyncio.gather(first, *rest) == [0, 2, 4, 6, 8, 10]
    assert groups == [[0], [1, 2, 3, 4, 5]]
    assert await reader.ask(21) == 42


async def test_a_question_that_cannot_be_answered_fails_alone(engine: Engine) -> None:
    def whole(session: Session, words: Sequence[str]) -> list[int]:
        return [session.exec(select(int(word))).one() for word in words]

    reader = GroupReader(engine, whole)
    answers = await asyncio.gather(
        *(reader.ask(word) for word in ("7", "seven", "8")), return_exceptions=True
    )
    assert (answers[0], type(answers[1]), answers[2]) == (7, ValueError, 8)


async def test_a_database_that_is_away_is_asked_once_for_all(engine: Engine) -> None:
    groups: list[int] = []

    def away(_session: Session, numbers: Sequence[int]) -> list[int]:
        groups.append(len(numbers))
        raise OperationalError("SELECT 1", {}, ConnectionError())

    reader = GroupReader(engine, away)
    answers = await asyncio.gather(
        *(reader.ask(number) for number in range(3)), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [OperationalError] * 3
    assert groups == [3]


async def test_who_has_gone_needs_no_answer(engine: Engine) -> None:
    go = threading.Event()

    def slowly(_session: Session, numbers: Sequence[int]) -> list[int]:
        go.wait(10)
        return list(numbers)

    reader = GroupReader(engine, slowly)
    gone, there = (asyncio.ensure_future(reader.ask(number)) for number in (1, 2))
    await asyncio.sleep(0.05)
    gone.cancel()
    go.set()
    assert await there == 2
