"""`pbem serve`: starts the broker and the processes of the service, and keeps them alive.

One loop without threads. A child starts once those before it are ready, so the broker comes
first; a dead child starts again after a pause; at the end all are asked to end, the broker last.
"""

import logging
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

from pbem.embedded import broker
from pbem.embedded.health import accepts, beats
from pbem.embedded.ports import resolve_ports, write_addresses
from pbem.embedded.privileges import Identity, hand_over, identity
from pbem.embedded.process import command_line, locked, spawn
from pbem.embedded.restart import Streak
from pbem.settings import Settings, StartError

log = logging.getLogger(__name__)

SUPERVISOR = "PBEM_SUPERVISOR"  # the environment's name for our process id

_TICK = 0.1  # seconds between two looks at the children
_SAID_WHY = (1, 2)  # exit codes of our own commands, each with its line
_SLOW = 20.0  # seconds after which a child that is not ready is worth a word


class GaveUpError(StartError):
    """A child dies again and again as soon as it is started, or cannot be started."""

    exit_code = 1


class NotPreparedError(StartError):
    """What must run before the children, such as the migration, failed."""

    exit_code = 1


@dataclass(frozen=True)
class Child:
    """A process to keep alive: the name that messages use and its command line.

    `prepare` runs before each start, `ready` tells when the children behind it may start, and
    `last` is for one that the others need until their own end. `binds` is for one that needs the
    ports that only root may have, and gives up root by itself.
    """

    name: str
    command: Sequence[str]
    prepare: Callable[[], None] = lambda: None
    ready: Callable[[], bool] = lambda: True
    last: bool = False
    binds: bool = False


@dataclass(frozen=True)
class Patience:
    """Seconds that a stop waits for the children to end by themselves, and then for those that
    are the last. Together well under the 20 that are promised."""

    others: float = 13.0
    last: float = 4.0


PATIENCE = Patience()


def serve(
    settings: Settings,
    children: Sequence[Child] | None = None,
    *,
    before: Sequence[Sequence[str]] | None = None,
    patience: Patience = PATIENCE,
    announce: Callable[[Settings], None] = lambda _: None,
) -> None:
    """Run the whole service until SIGTERM or SIGINT.

    `children` replaces the usual ones, `before` the commands that must have succeeded first (the
    migration). `announce` is called once all are ready, with the settings as resolved: ports and
    broker. Raises StartError: directory in use, port taken, no broker, or a hopeless child.
    """
    heir = identity(settings.run_as)
    with locked(settings.run_dir / "serve.lock", settings.data_dir):
        settings = resolve_ports(settings)
        if settings.broker_url is not None:
            broker.warn_if_away(settings.broker_url)
        kept = usual_children(settings) if children is None else children
        settings = _with_broker(settings)
        environment = child_environment(settings)
        if heir is not None:
            hand_over(settings.data_dir, heir)
        for command in (command_line("migrate"),) if before is None else before:
            run_once(command, environment, heir)
        write_addresses(settings.run_dir, "serve", addresses(settings))
        Supervisor(kept, environment, patience, heir).run(lambda: announce(settings))


def usual_children(settings: Settings) -> list[Child]:
    """The broker, unless one is set, and a process for each role."""
    own = [] if settings.broker_url else [broker_child(settings)]
    fetch = ("imap",) if settings.imap_url else ()
    roles = [Child(f"pbem {role}", command_line(role)) for role in ("worker", "sweep", *fetch)]
    front = Child("pbem front", command_line("front"), ready=lambda: _is_up(settings), binds=True)
    return [*own, *roles, front]


def _is_up(settings: Settings) -> bool:
    """Whether all roles do their work: they start side by side, the last of them waits for all."""
    url = _broker_url(settings)
    doors = (settings.smtp_listen, settings.http_listen)
    return all(map(accepts, doors)) and all(beats(url, role) for role in ("worker", "sweep"))


def broker_child(settings: Settings) -> Child:
    """The embedded broker of a data directory. Raises NoBrokerError, ForeignBrokerError."""
    server = broker.find_server()
    socket = broker.socket_path(settings.run_dir)
    store = settings.data_dir / "broker"
    store.mkdir(exist_ok=True, mode=0o700)
    broker.clear_socket(socket)
    return Child(
        server.name,
        broker.server_command(server, socket, store),
        prepare=lambda: socket.unlink(missing_ok=True),
        ready=lambda: broker.answers(broker.socket_url(socket)),
        last=True,
    )


def _with_broker(settings: Settings) -> Settings:
    return settings.model_copy(update={"broker_url": _broker_url(settings)})


def _broker_url(settings: Settings) -> str:
    return settings.broker_url or broker.socket_url(broker.socket_path(settings.run_dir))


def addresses(settings: Settings) -> dict[str, object]:
    """Where the service can be reached, by protocol."""
    found = {"smtp": settings.smtp_listen, "lmtp": settings.lmtp_listen}
    listening: dict[str, object] = {name: at for name, at in found.items() if at is not None}
    return {**listening, "http": settings.http_listen, "url": settings.public_url}


def child_environment(settings: Settings) -> dict[str, str]:
    """What the children read: our environment with everything that was resolved here."""
    resolved = {
        "DATA_DIR": settings.data_dir,
        "BROKER_URL": settings.broker_url,
        "SMTP_LISTEN": settings.smtp_listen,
        "LMTP_LISTEN": settings.lmtp_listen,
        "HTTP_LISTEN": settings.http_listen,
        "PUBLIC_URL": settings.public_url,
    }
    named = {f"PBEM_{name}": str(value) for name, value in resolved.items() if value is not None}
    return {**os.environ, **named, SUPERVISOR: str(os.getpid())}


def run_once(
    command: Sequence[str], environment: Mapping[str, str], run_as: Identity | None = None
) -> None:
    """Run a command to its end. Raises NotPreparedError, which says nothing where the command has
    said why itself."""
    try:
        code = spawn(command, environment, 0, run_as).wait()
    except OSError as error:
        raise NotPreparedError(f"{' '.join(command[-2:])} cannot be started: {error}") from None
    if code in _SAID_WHY:
        raise NotPreparedError
    if code:
        raise NotPreparedError(f"{' '.join(command[-2:])} failed (exit code {code})")


@dataclass
class _Life:
    """One child through its lives; times in seconds of the monotonic clock."""

    child: Child
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    due: float = 0.0
    ready: bool = False
    slow: bool = False
    streak: Streak = field(default_factory=Streak)

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """The loop over the children of one service."""

    def __init__(
        self,
        children: Sequence[Child],
        environment: Mapping[str, str],
        patience: Patience,
        run_as: Identity | None = None,
    ) -> None:
        self._lives = [_Life(child) for child in children]
        self._environment = environment
        self._patience = patience
        self._run_as = run_as
        self._stopping = False

    def run(self, announce: Callable[[], None]) -> None:
        """Keep the children alive until a signal; call `announce` once all are ready. Raises
        GaveUpError. Whatever happens, no child is left behind."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        announced = False
        try:
            while not self._stopping:
                if self._look() and not announced:
                    announced = True
                    announce()
                time.sleep(_TICK)
        finally:
            self._stop()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def _look(self) -> bool:
        """Bury the dead, start those who are due; True when all are ready."""
        now = time.monotonic()
        for life in self._lives:
            self._bury(life, now)
        for life in self._lives:
            if life.process is None and now >= life.due:
                self._start(life, now)
            life.ready = life.ready or (life.alive and life.child.ready())
            if not life.ready:
                self._complain(life, now)
                return False
        return True

    def _complain(self, life: _Life, now: float) -> None:
        if life.alive and not life.slow and now - life.started > _SLOW:
            life.slow = True
            log.warning("%s is not ready yet; what needs it waits", life.child.name)

    def _start(self, life: _Life, now: float) -> None:
        life.child.prepare()
        try:
            who = None if life.child.binds else self._run_as
            life.process = spawn(life.child.command, self._environment, self._group(), who)
        except OSError as error:
            raise GaveUpError(f"{life.child.name} cannot be started: {error}") from None
        life.started, life.slow = now, False

    def _group(self) -> int:
        """The process group of the children that are there, 0 (a new one) when none is."""
        living = (life.process.pid for life in self._lives if life.process and life.alive)
        return next((os.getpgid(pid) for pid in living), 0)

    def _bury(self, life: _Life, now: float) -> None:
        if life.process is None or life.alive:
            return
        code, life.process, life.ready = life.process.returncode, None, False
        life.streak = life.streak.after(now - life.started)
        life.due = now + life.streak.pause
        if life.streak.hopeless:
            raise GaveUpError(
                f"gave up: {life.child.name} ended {life.streak.deaths} times in a row "
                f"right after its start (last exit code {code})"
            )
        log.warning("%s ended (exit code %s) and is started again", life.child.name, code)

    def _stop(self) -> None:
        _end([life for life in self._lives if not life.child.last], self._patience.others)
        _end([life for life in self._lives if life.child.last], self._patience.last)


def _end(lives: Sequence[_Life], patience: float) -> None:
    """Ask the processes to end, and force those that still live after `patience` seconds."""
    processes = [life.process for life in lives if life.process is not None]
    for process in processes:
        process.terminate()
    until = time.monotonic() + patience
    while any(process.poll() is None for process in processes) and time.monotonic() < until:
        time.sleep(_TICK / 2)
    for process in processes:
        process.kill()
        process.wait()
