"""Server-sent events: "something has changed", so that an open page looks again.

One look at the database serves all pages of the process, and nobody looks while none is open.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from pbem.store import desk
from pbem.web.site import Service
from pbem.web.visitor import DeskVisitor

LOOK_EVERY = 2.0  # seconds
STAY = 300.0  # seconds; then the browser asks again, and is asked again who it is
COMMENT_EVERY = 20.0  # seconds; a line that says nothing keeps proxies from hanging up

log = logging.getLogger(__name__)
router = APIRouter(prefix="/desk")


class Watcher:
    """Looks at something again and again while anybody listens, and wakes them when it changed."""

    def __init__(
        self, look: Callable[[], Any], every: float = LOOK_EVERY, stay: float = STAY
    ) -> None:
        self._look = look
        self._every = every
        self._stay = stay
        self._listening: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None

    async def changes(self) -> AsyncIterator[bool]:
        """True at each change, False now and then in between; ends after a while."""
        changed = asyncio.Event()
        self._listening.add(changed)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())
        loop = asyncio.get_running_loop()
        until = loop.time() + self._stay
        try:
            while (left := until - loop.time()) > 0:
                try:
                    await asyncio.wait_for(changed.wait(), min(left, COMMENT_EVERY))
                except TimeoutError:
                    yield False
                    continue
                changed.clear()
                yield True
        finally:
            self._listening.discard(changed)

    async def _watch(self) -> None:
        seen = await asyncio.to_thread(self._look)
        while self._listening:
            await asyncio.sleep(self._every)
            try:
                now = await asyncio.to_thread(self._look)
            except Exception:
                log.warning("could not look whether anything has changed", exc_info=True)
                continue
            if now != seen:
                seen = now
                for listener in self._listening:
                    listener.set()


def watcher(service: Service) -> Watcher:
    """The one of a process."""

    def look() -> Any:
        with service.reading() as session:
            return desk.pulse(session)

    return Watcher(look)


@router.get("/events")
async def events(request: Request, here: DeskVisitor) -> Response:
    """The stream; it says that something is new and not what."""
    del here  # that there is a visitor of the desk is all that matters
    watching: Watcher = request.app.state.watcher

    async def stream() -> AsyncIterator[str]:
        yield "retry: 5000\n\n"
        async for is_new in watching.changes():
            yield "event: changed\ndata: 1\n\n" if is_new else ": still here\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream")
