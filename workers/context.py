"""What the tasks of one process work with. Each child of the pool opens it after its fork."""

from dataclasses import dataclass

from pbem.judge.dispatch import Post
from pbem.judge.house import House
from pbem.mail.outbound import Sender, parse_relay
from pbem.settings import Settings
from pbem.store.engine import Engine, open_engine
from workers.hints import Hint, hints


@dataclass(frozen=True, slots=True)
class Context:
    """The engine of this process, the house it works for, the way out for letters, and the
    publisher of further hints."""

    settings: Settings
    engine: Engine
    house: House
    post: Post
    hint: Hint


class NoContextError(RuntimeError):
    """A task ran in a process that `enter` was not called in."""


_current: list[Context] = []


def enter(settings: Settings) -> Context:
    """Open what the tasks of this process work with; whatever was open before is let go."""
    leave()
    context = Context(
        settings,
        open_engine(settings.database_url),
        settings.house,
        Post(_sender(settings), settings.retry_steps, settings.outcome_unknown, settings.signer),
        hints(settings.broker_url),
    )
    _current.append(context)
    return context


def leave() -> None:
    """Close what is open, if anything is."""
    while _current:
        context = _current.pop()
        if context.post.sender is not None:
            context.post.sender.close_sync()
        context.engine.dispose()


def current() -> Context:
    """What the tasks of this process work with. Raises NoContextError."""
    if not _current:
        raise NoContextError("this process has no context")
    return _current[-1]


def _sender(settings: Settings) -> Sender | None:
    """The connection to the relay; None when letters stay in the local mailbox."""
    if settings.relay_url == "mailbox":
        return None
    return Sender(parse_relay(settings.relay_url), hostname=settings.domain)
