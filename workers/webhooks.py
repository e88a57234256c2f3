"""How webhooks leave the house: one POST to a public address, without proxies or redirects.

The name is looked up once, every address it has must be public, and the connection goes to one of
those: a name that points into our own network leads nowhere. Loopback is only for who wrote it.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import SplitResult, urlsplit

from pbem.judge.webhooks import Failed, Ways

PATIENCE = 10.0
"""Seconds that connecting, and each answer, may take."""

Lookup = Callable[[str, int], Sequence[str]]
"""The addresses of a host; raises OSError."""

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class NotPublicError(Exception):
    """The address leads into a network that is none of the callers'."""


def ways() -> Ways:
    """Both ways out of this process."""
    return Ways(post, chat)


def lookup(host: str, port: int) -> Sequence[str]:
    """All addresses of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[4][0]) for address in found]


def post(
    url: str, headers: Mapping[str, str], body: bytes, look_up: Lookup = lookup
) -> Failed | None:
    """Hand the bytes over; any 2xx takes them."""
    parts = urlsplit(url)
    try:
        connection = _connection(parts, look_up)
    except NotPublicError:
        return Failed("the address is not public", gone=True)
    except OSError as error:
        return Failed(f"{type(error).__name__}: {error}")
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        named = {"host": parts.netloc, "user-agent": "pbem-webhook/1", **headers}
        connection.request("POST", path, body, named)
        answer = connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        return Failed(f"{type(error).__name__}: {error}")
    finally:
        connection.close()
    if 200 <= answer.status < 300:
        return None
    return Failed(f"{answer.status} {answer.reason}", gone=answer.status == 410)


def _connection(parts: SplitResult, look_up: Lookup) -> http.client.HTTPConnection:
    """An open connection to an address that was looked at."""
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    address = _public(host, look_up(host, port))
    raw = socket.create_connection((address, port), PATIENCE)
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    if secure:
        context = ssl.create_default_context()
        try:
            raw = context.wrap_socket(raw, server_hostname=host)
        except OSError:
            raw.close()
            raise
    connection.sock = raw
    return connection


def _public(host: str, addresses: Sequence[str]) -> str:
    """One of the addresses, all of which anybody may call; raises NotPublicError."""
    if not addresses:
        raise OSError("no address")
    for written in addresses:
        address = ipaddress.ip_address(written.partition("%")[0])
        if host in _LOOPBACK and address.is_loopback:
            continue
        inner = getattr(address, "ipv4_mapped", None) or address
        if not inner.is_global or inner.is_multicast:
            raise NotPublicError(written)
    return addresses[0]


def chat(url: str, title: str, text: str) -> Failed | None:
    """Say it in a chat room, through apprise, which is an extra; long words in several messages.

    They are plain text: no name of a game or player is markup there, or calls the whole room.
    """
    try:
        import apprise  # noqa: PLC0415  # only who uses chats has it
    except ImportError:
        return Failed("apprise is not installed; pip install pbem[chat] adds it")
    asset = apprise.AppriseAsset(
        app_id="pbem", async_mode=False, storage_mode=apprise.PersistentStoreMode.MEMORY
    )
    room = apprise.Apprise(asset=asset)
    if not room.add(url):
        return Failed("apprise does not know such an address")
    for service in room:
        service.overflow_mode = apprise.OverflowMode.SPLIT
    taken = room.notify(
        title=_harmless(title), body=_harmless(text), body_format=apprise.NotifyFormat.TEXT
    )
    return None if taken else Failed("the chat room did not take it")


def _harmless(text: str) -> str:
    """Words that look the same, and no longer call anybody (`@everyone`, `<!channel>`)."""
    return text.replace("@", "@\u200b").replace("<!", "<\u200b!")
