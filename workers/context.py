"""What the tasks of one process work with: settings and a source of sessions.

A pool's child gets both anew after its fork: a database connection must not cross it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pbem.settings import Settings


@dataclass(frozen=True)
class Context:
    """Settings, the opener of sessions, and `close`, which lets go of the connections."""

    settings: Settings
    sessions: Any
    close: Callable[[], None]


class NoContextError(RuntimeError):
    """A task ran in a process that `enter` was not called in."""


_current: list[Context] = []


def enter(context: Context) -> None:
    """Make this the context of the process; the one before it is left."""
    leave()
    _current.append(context)


def leave() -> None:
    """Let go of the context, if there is one."""
    while _current:
        _current.pop().close()


def current() -> Context:
    """The context of this process. Raises NoContextError."""
    if not _current:
        raise NoContextError("this process has no context")
    return _current[-1]
