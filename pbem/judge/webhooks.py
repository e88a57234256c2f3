"""Webhooks: the public news of a game, told to other programs and to chat rooms.

The judge writes calls with the turn and says what is sent and when again; whoever runs it hands in
how it is sent. A call is signed after the Standard Webhooks convention.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from pbem.judge import public_news
from pbem.render import chat, letters
from pbem.store import games, snapshots, tables, webhooks
from pbem.store.engine import Engine, Session
from pbem.store.engine import session as open_session
from pbem.store.tables import HookKind

RETRY_STEPS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480, 1440))
"""The waits after the first, second ... failed attempt; then a call is given up."""

ATTEMPT = timedelta(seconds=60)
"""How long one attempt is left alone."""

MOST = 10
"""So many webhooks may one game have."""

PREFIX = "whsec_"
_CHAT = ("http", "https", "file", "syslog", "dbus", "exec")
"""Schemes that no chat room has, though the library that we hand them to might know them."""


HOSTED = frozenset({"discord", "gchat", "slack", "tgram"})
"""Chats whose rooms are all with one host: an address of them leads nowhere else."""

TEST = "test"
"""The type of a call that only tries out whether it arrives."""


class WebhookError(ValueError):
    """An address that no webhook can have; its code says why."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Nobody took it; `gone` if the other side wants no more."""

    why: str
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Ways:
    """How things are sent: a POST of headers and bytes to an address, or words to a chat room.

    Each gives None when it was taken.
    """

    post: Callable[[str, Mapping[str, str], bytes], Failed | None]
    chat: Callable[[str, str, str], Failed | None]


def make(
    session: Session,
    game: tables.Game,
    url: str,
    by: str,
    now: datetime,
    entropy: Callable[[int], bytes],
    *,
    anywhere: bool = True,
) -> tables.Webhook:
    """A webhook of a game; raises WebhookError. Its secret is for the other side, told once.

    Who does not own the house gives no address in the house's own network (`anywhere` False).
    """
    kind = kind_of(url)
    if not anywhere and not _is_outside(url):
        raise WebhookError("webhook-inside")
    others = [hook for hook in webhooks.of_game(session, game.id) if hook.url != url]
    if len(others) >= MOST:
        raise WebhookError("webhook-many")
    secret = "" if kind is HookKind.CHAT else PREFIX + base64.b64encode(entropy(32)).decode()
    hook = tables.Webhook(game_id=game.id, kind=kind, url=url, secret=secret, by=by, since=now)
    return webhooks.add(session, hook)


def kind_of(url: str) -> HookKind:
    """What an address is: HTTPS (or HTTP on this machine) is a webhook, other schemes are chats."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise WebhookError("webhook-url") from None
    if not url.isprintable() or " " in url or len(url) > 1000 or not parts.scheme:
        raise WebhookError("webhook-url")
    if parts.scheme == "https" and host and parts.username is None:
        return HookKind.WEBHOOK
    if parts.scheme == "http" and host in ("127.0.0.1", "::1", "localhost"):
        return HookKind.WEBHOOK
    if parts.scheme in _CHAT or "://" not in url:
        raise WebhookError("webhook-url")
    return HookKind.CHAT


def _is_outside(url: str) -> bool:
    """Whether an address cannot lead into the house's own network; that of HTTPS is looked up."""
    return urlsplit(url).scheme in {"https", *HOSTED}


def shown(url: str) -> str:
    """An address as a page may show it: what is behind the host is often a password."""
    parts = urlsplit(url)
    if kind_of(url) is HookKind.CHAT:
        return f"{parts.scheme}://…"
    whole = f"{parts.scheme}://{parts.netloc}"
    return f"{whole}/…" if parts.path.strip("/") or parts.query else whole


def try_out(session: Session, hook: tables.Webhook, now: datetime) -> None:
    """Have a call made that tells nothing: one a minute."""
    name = games.public_id(hook.game_id)
    news = {"type": TEST, "timestamp": now.isoformat(), "data": {"game": name}}
    key = f"{hook.id}:{TEST}{now:%Y%m%d%H%M}"
    webhooks.write(session, [(key, hook.id, json.dumps(news, separators=(",", ":")))], now)


def due(session: Session, now: datetime) -> Sequence[tuple[int, int]]:
    """The calls to make now, each taken for one attempt: id and number of the attempt."""
    return webhooks.take_due(session, now, now + ATTEMPT)


def send(
    engine: Engine, ways: Ways, call_id: int, attempt: int, clock: Callable[[], datetime]
) -> bool:
    """Make a call; whether it was taken. One whose attempt is over belongs to the next."""
    with open_session(engine) as session:
        found = webhooks.call(session, call_id)
        if found is None or found[0].attempts != attempt:
            return False
        call, hook = found
        words = _chat_words(session, hook, call.body) if hook.kind is HookKind.CHAT else None
    if hook.kind is HookKind.CHAT:
        failed = None if words is None else ways.chat(hook.url, *words)
    else:
        body = call.body.encode()
        failed = ways.post(hook.url, signed(hook.secret, call.key, clock(), body), body)
    with open_session(engine) as session:
        if failed is None:
            return webhooks.done(session, call_id, clock())
        again = None if failed.gone else retry_at(attempt, clock())
        webhooks.retry(session, call_id, again, failed.why)
        if failed.gone:
            webhooks.drop(session, hook.id)
    return False


def retry_at(attempt: int, now: datetime) -> datetime | None:
    """When to try again after so many attempts; None: never."""
    return now + RETRY_STEPS[attempt - 1] if attempt <= len(RETRY_STEPS) else None


def signed(secret: str, key: str, now: datetime, body: bytes) -> dict[str, str]:
    """The headers of a call: its id, the same at each attempt, the moment, and the signature."""
    number, moment = f"msg_{key.replace(':', '_')}", str(int(now.timestamp()))
    secret_bytes = base64.b64decode(secret.removeprefix(PREFIX))
    message = f"{number}.{moment}.".encode() + body
    digest = hmac.new(secret_bytes, message, hashlib.sha256).digest()
    return {
        "content-type": "application/json",
        "webhook-id": number,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def _chat_words(session: Session, hook: tables.Webhook, body: str) -> tuple[str, str] | None:
    """Title and text for a chat room in the game's language; None for a turn taken back."""
    game = games.find(session, hook.game_id)
    assert game is not None
    news = json.loads(body)
    if news["type"] == TEST:
        return chat.trial(games.public_id(game.id), game.language)
    turn = news["data"]["turn"]
    at = next((at for at in snapshots.closed_turns(session, game.id) if at.turn == turn), None)
    told = None if at is None else public_news.report(session, game, at, game.language)
    if told is None:
        return None
    composed = letters.compose("report", told, game.language)
    return composed.subject, composed.story
