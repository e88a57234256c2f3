"""Our service: the parts that must be there, each asked directly."""

import ctypes
import smtplib
import ssl
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from pbem.cli.checkup.finding import Finding, fail, ok, warn
from pbem.cli.database import reason
from pbem.embedded.broker import answers, running_broker
from pbem.mail.outbound import Sender, Sent, parse_relay
from pbem.orders.lexicon import lexicon
from pbem.render import letters
from pbem.render.catalogue import LETTERS, PAGES, languages
from pbem.rules import board as boards
from pbem.settings import Settings
from pbem.store import migrate
from pbem.store.engine import DBAPIError, database_time, is_sqlite, open_reader

_CLOCKS_APART = timedelta(seconds=5)
_UNSYNCHRONISED = 5  # what adjtimex gives for a clock that nobody sets (TIME_ERROR)
_WANTED = ("en", "it", "nl", "sl")


def database(settings: Settings) -> Finding:
    """It answers, and has the tables of this version."""
    url = settings.database_url
    if is_sqlite(url) and not Path(url.removeprefix("sqlite:///")).exists():
        return fail("database", "there is none yet", "run pbem migrate, or pbem serve")
    reader = open_reader(url)
    try:
        if not migrate.is_current(reader):
            return fail("database", "it has the tables of another version", "run pbem migrate")
        return ok("database", "it has the tables of this version")
    except DBAPIError as error:
        return fail("database", reason(error), "start the database, or mend PBEM_DATABASE_URL")
    finally:
        reader.dispose()


def broker(settings: Settings) -> Finding:
    """It answers: that of PBEM_BROKER_URL, or the one of the `pbem serve` that runs here."""
    url = running_broker(settings)
    if url is None:
        return warn("broker", "no pbem serve runs here", "start it, or set PBEM_BROKER_URL")
    if not answers(url):
        return fail(
            "broker", "PBEM_BROKER_URL does not answer", "start the broker, or mend the URL"
        )
    return ok("broker", "it answers")


def clock(settings: Settings) -> Finding:
    """Somebody sets our clock, and the database has the same time: deadlines hang on it."""
    if sys.platform == "linux" and _adjtimex() == _UNSYNCHRONISED:
        return warn(
            "clock", "nobody sets this machine's clock", "run a time service such as chrony"
        )
    if not is_sqlite(settings.database_url):
        reader = open_reader(settings.database_url)
        try:
            apart = abs(database_time(reader) - datetime.now(UTC))
        finally:
            reader.dispose()
        if apart > _CLOCKS_APART:
            said = f"the database's clock is {apart.total_seconds():.0f} s away from ours"
            return fail("clock", said, "have both machines' clocks set")
    return ok("clock", f"it is {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC")


def words() -> Finding:
    """Letters, pages and orders are there in all languages."""
    for domain in (LETTERS, PAGES):
        if missing := set(_WANTED) - set(languages(domain)):
            said = f"the catalogue {domain} is not whole in {', '.join(sorted(missing))}"
            return fail("words", said, "install the package again")
    for language in _WANTED:
        letters.prepare(language)
        lexicon(language, boards.load())
    return ok("words", f"letters, pages and orders in {', '.join(_WANTED)}")


def relay(settings: Settings) -> Finding:
    """It lets us in and takes letters; none is sent."""
    if settings.relay_url == "mailbox":
        todo = "set PBEM_RELAY_URL for letters to leave"
        return warn("relay", "letters stay on this machine", todo)
    sender = Sender(parse_relay(settings.relay_url), hostname=settings.domain, timeout=10)
    found = sender.greet_sync()
    if isinstance(found, Sent):
        return ok("relay", found.text)
    return fail("relay", f"{found.code or ''} {found.text}".strip(), "look at PBEM_RELAY_URL")


def tls(settings: Settings, host: str) -> Finding:
    """Our door for mail offers TLS with a certificate for its own name, and pages come by HTTPS."""
    if not settings.public_url.startswith("https://") and not settings.http_listen.on_loopback:
        todo = "put a web server with TLS in front and set PBEM_PUBLIC_URL"
        return fail("tls", f"pages go out in the clear on {settings.public_url}", todo)
    if settings.smtp_listen.on_loopback:
        return ok("tls", "mail comes by a server on this machine")
    if settings.certificate is None:
        return warn("tls", "mail comes in the clear", "set PBEM_TLS_CERT and PBEM_TLS_KEY")
    at = settings.smtp_listen
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(at.host, at.host)  # noqa: S104
    try:
        with smtplib.SMTP(local, at.port, timeout=10) as client:
            client._host = host  # type: ignore[attr-defined]  # the name that the certificate is for
            client.starttls(context=ssl.create_default_context())
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", "") or error.reason or str(error)
        return warn("tls", f"{host}: {why}", "renew the certificate, or get one that others trust")
    except OSError as error:
        return warn("tls", f"{at}: {error}", "start the service, then look again")
    return ok("tls", f"the certificate is good for {host}")


def pages(settings: Settings) -> Finding:
    """Links in letters lead somewhere."""
    host = urlsplit(settings.public_url).hostname or ""
    if settings.relay_url != "mailbox" and host in ("localhost", "127.0.0.1", "::1"):
        todo = "set PBEM_PUBLIC_URL to the address that players can open"
        return fail("pages", f"links in letters lead to {host}", todo)
    return ok("pages", settings.public_url)


def _adjtimex() -> int:
    """What the kernel says of its clock; nothing is changed by asking."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "adjtimex"):
        return 0
    return int(libc.adjtimex(ctypes.create_string_buffer(512)))
