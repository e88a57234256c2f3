"""The ports of a service, checked before anything is started."""

import errno
import json
import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from pbem.settings import Listen, Settings, StartError


class PortTakenError(StartError):
    """An address to listen on cannot be had."""


LISTENERS = ("smtp_listen", "lmtp_listen", "http_listen")


def resolve_ports(settings: Settings, listeners: Sequence[str] = LISTENERS) -> Settings:
    """The settings with each port 0 replaced by a free one, which a restarted child then keeps.

    `listeners` are the settings to look at. Raises PortTakenError, naming the setting, when an
    address is taken or is not of this machine.
    """
    found: dict[str, object] = {
        name: free_address(listen, f"PBEM_{name.upper()}")
        for name in listeners
        if (listen := getattr(settings, name)) is not None
    }
    if "http_listen" in found and settings.public_url == f"http://{settings.http_listen}":
        found["public_url"] = f"http://{found['http_listen']}"  # it goes where the pages go
    return settings.model_copy(update=found)


def free_address(listen: Listen, setting: str) -> Listen:
    """Bind once and let go: the address as it can be bound now. Raises PortTakenError."""
    with closing(bind(listen, setting)) as probe:
        return Listen(listen.host, probe.getsockname()[1])


def bind(listen: Listen, setting: str) -> socket.socket:
    """A bound TCP socket. Raises PortTakenError, which names the setting."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            listen.host, listen.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise port_taken(listen, setting, error) from None
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if listen.host == "::":  # every address, those of IPv4 too, whatever the system's default
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        bound.bind(address)
    except OSError as error:
        bound.close()
        raise port_taken(listen, setting, error) from None
    return bound


def port_taken(listen: Listen, setting: str, error: OSError) -> PortTakenError:
    """What to say about an address that could not be bound."""
    match error.errno:
        case errno.EADDRINUSE:
            why = "is taken by another program"
        case errno.EACCES:
            why = "is not allowed to this user"
        case _:
            why = f"cannot be used ({error.strerror})"
    advice = "set another host:port, or port 0 for any free one"
    return PortTakenError(f"{setting}: {listen} {why}; {advice}")


def write_addresses(run_dir: Path, role: str, addresses: Mapping[str, object]) -> None:
    """Note where a role listens in `run/ROLE.json`, together with its process id, for programs
    that must find a port which was given as 0."""
    noted = {"pid": os.getpid(), **{name: str(value) for name, value in addresses.items()}}
    draft = run_dir / f"{role}.json.{os.getpid()}"
    draft.write_text(json.dumps(noted) + "\n")
    draft.replace(run_dir / f"{role}.json")


def running_url(settings: Settings) -> str:
    """Where the pages are: as set, or where the `pbem serve` that runs here noted them to be if
    their port was given as 0."""
    if settings.http_listen.port or settings.public_url != f"http://{settings.http_listen}":
        return settings.public_url
    try:
        return str(json.loads((settings.run_dir / "serve.json").read_text())["url"])
    except FileNotFoundError:
        return settings.public_url
