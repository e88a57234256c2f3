"""Group reading: questions that come at once are answered in one transaction of one thread."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pbem.store.engine import Session, reading

Question = TypeVar("Question")
Answer = TypeVar("Answer")

BREATH = 0.004
"""Seconds from one group to the next at least, so that under load more questions share each; one
that comes alone waits for nothing."""


class GroupReader(Generic[Question, Answer]):
    """Asks the database for an event loop, which must not wait for it.

    `answer` gets a session to read in and gives an answer for each question of a group, in their
    order. While one group is answered the next one gathers; a question that raises fails alone.
    """

    def __init__(
        self, engine: Engine, answer: Callable[[Session, Sequence[Question]], Sequence[Answer]]
    ) -> None:
        self._engine = engine
        self._answer = answer
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._reader: asyncio.Task[None] | None = None
        self._next_at = 0.0

    async def ask(self, question: Question) -> Answer:
        """The answer, or what `answer` or the database raised."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answered))
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())
        return await answered

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            if (pause := self._next_at - loop.time()) > 0:
                await asyncio.sleep(pause)
            self._next_at = loop.time() + BREATH
            group, self._waiting = self._waiting, []
            questions = [question for question, _ in group]
            answers = await asyncio.to_thread(self._answers, questions)
            for (_, answered), answer in zip(group, answers, strict=True):
                _settle(answered, answer)
        self._reader = None

    def _answers(self, questions: list[Question]) -> Sequence[Answer | Exception]:
        try:
            with reading(self._engine) as session:
                return self._answer(session, questions)
        except (OperationalError, PoolTimeout) as error:
            # No database, or none that has time: each by itself would only wait as long again.
            return [error] * len(questions)
        except Exception as error:
            if len(questions) == 1:
                return [error]
            # One of them cannot be answered; it must not take the others with it.
            return [answer for question in questions for answer in self._answers([question])]


def _settle(answered: "asyncio.Future[Answer]", answer: Answer | Exception) -> None:
    """Nobody waits for the answer where the client has gone."""
    if answered.done():
        return
    if isinstance(answer, Exception):
        answered.set_exception(answer)
    else:
        answered.set_result(answer)
