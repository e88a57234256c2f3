"""The settings of one process: environment with the prefix `PBEM_`, a TOML file, defaults.

Only doors read this module; everything below takes what it needs as arguments. The description of
a field says what is allowed, and is what a person reads when the value is wrong.
"""

import errno
import ipaddress
import os
import re
import secrets
import tomllib
from contextlib import suppress
from datetime import timedelta
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import (
    BeforeValidator,
    Field,
    IPvAnyNetwork,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pbem.judge.duration import parse_duration
from pbem.judge.house import House

if TYPE_CHECKING:
    from pbem.mail.signing import Signer
    from pbem.mail.tls import Certificate

PREFIX = "PBEM_"
CONFIG_NAME = "pbem.toml"

# Their values may hold passwords, so a message about them never repeats what was given.
_UNSHOWN = frozenset(
    {"secret", "relay_url", "database_url", "broker_url", "imap_url", "webhook_secret"}
)


# What the extra `hosting` installs.
_PROOF_MODULES = ("authres", "dkim", "spf")


class StartError(Exception):
    """A process cannot start, for a reason that the person who started it can mend.

    The message is what to print, one line a reason; the process then ends with `exit_code`.
    """

    exit_code = 2


class SettingsError(StartError):
    """Settings are wrong; each line names one and says what is allowed."""


class Listen(NamedTuple):
    """An address to listen on; port 0 stands for any free port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def on_loopback(self) -> bool:
        """True when only this machine can reach the address."""
        if self.host == "localhost":
            return True
        with suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return False


_LISTEN = re.compile(r"(?:\[(?P<v6>[0-9a-fA-F:.]+)\]|(?P<host>[^:\s\[\]]+)):(?P<port>\d{1,5})")


def parse_listen(text: str) -> Listen:
    """Read `host:port` or `[v6]:port`. Raises ValueError."""
    match = _LISTEN.fullmatch(text.strip())
    if not match or int(match["port"]) > 65_535:
        raise ValueError(f"not host:port: {text!r}")
    return Listen(match["v6"] or match["host"], int(match["port"]))


def _listen(value: object) -> object:
    return parse_listen(value) if isinstance(value, str) else value


def _listen_or_none(value: object) -> object:
    return None if value in ("", "none") else _listen(value)


def _path_or_none(value: object) -> object:
    return None if value in ("", "none") else value


def _number_or_none(value: object) -> object:
    return None if value in ("", "none") else value


def _span(value: object) -> object:
    return parse_duration(value) if isinstance(value, str) else value


def _parts(value: object) -> object:
    """A list as the environment writes it: items between commas."""
    if isinstance(value, str):
        return tuple(part for part in (part.strip() for part in value.split(",")) if part)
    return value


Address = Annotated[str, Field(pattern=r"^[^@\s<>,]+@[^@\s<>,]+$")]
Span = Annotated[timedelta, BeforeValidator(_span)]
ListenAt = Annotated[Listen, BeforeValidator(_listen)]


def _default_data_dir() -> Path:
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "pbem"


def _default_sender_auth(given: dict[str, Any]) -> str:
    ways_in = (given["imap_url"], given["webhook_secret"])
    here = given["smtp_listen"].on_loopback and not any(ways_in)
    closed = here and given["relay_url"] == "mailbox"
    return "off" if closed else "dmarc"


class Settings(BaseSettings):
    """All settings of a process, checked and frozen. Made by `load_settings`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        enable_decoding=False,  # a list is written with commas, not as JSON
        extra="forbid",
        frozen=True,
    )

    data_dir: Path = Field(
        default_factory=_default_data_dir,
        description="a folder for database, mailbox, secret and broker",
    )
    database_url: str = Field(
        default_factory=lambda given: f"sqlite:///{given['data_dir'] / 'pbem.sqlite3'}",
        pattern=r"^(sqlite:///.+|(postgresql(\+psycopg)?|postgres)://.+)$",
        repr=False,
        description="sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME",
    )
    broker_url: str | None = Field(
        default=None,
        pattern=r"^(rediss?|redis\+socket)://.+$",
        repr=False,
        description="redis://HOST:PORT/0, rediss://HOST:PORT/0 or redis+socket:///PATH",
    )
    domain: Annotated[str, BeforeValidator(lambda name: str(name).strip().lower())] = Field(
        default="pbem.localhost",
        pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
        description="the part of the games' addresses behind the @, e.g. games.example.org",
    )
    smtp_listen: ListenAt = Field(
        default=Listen("127.0.0.1", 2525),
        description="one host:port, e.g. 127.0.0.1:2525, or [::]:25 for all addresses of both "
        "kinds (port 0: any free one)",
    )
    lmtp_listen: Annotated[Listen | None, BeforeValidator(_listen_or_none)] = Field(
        default=None, description="host:port, e.g. 127.0.0.1:2424 (port 0: any free one), or none"
    )
    http_listen: ListenAt = Field(
        default=Listen("127.0.0.1", 8000),
        description="host:port, e.g. 127.0.0.1:8000 (port 0: any free one)",
    )
    public_url: str = Field(
        default_factory=lambda given: f"http://{given['http_listen']}",
        pattern=r"^https?://[^\s/]+(/\S*)?$",
        description="the address of the web pages as players see it, http://... or https://...",
    )
    relay_url: str = Field(
        default="mailbox",
        repr=False,
        description="smtp://USER:PASSWORD@HOST:PORT, smtps://USER:PASSWORD@HOST:PORT or mailbox",
    )
    imap_url: str | None = Field(
        default=None,
        repr=False,
        description="imaps://USER:PASSWORD@HOST:PORT/FOLDER, a mailbox to fetch mails from",
    )
    imap_every: Span = Field(
        default=timedelta(seconds=30),
        ge=timedelta(seconds=1),
        le=timedelta(hours=1),
        description="a span of time from 1s to 1h",
    )
    imap_done: str | None = Field(
        default=None, description="a folder that fetched mails are moved to, or none"
    )
    webhook_secret: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        description="at least 16 characters that only the sender of the webhook knows",
    )
    sender_auth: str = Field(
        default_factory=_default_sender_auth,
        pattern=r"^(dmarc|off|authserv:\S+)$",
        description="dmarc, authserv:ID or off",
    )
    dkim_selector: str = Field(
        default="",
        pattern=r"^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)?$",
        description="the name in front of ._domainkey of the DNS record with the key",
    )
    dkim_key_file: Annotated[Path | None, BeforeValidator(_path_or_none)] = Field(
        default=None, description="a file with an RSA key in PEM form, or none"
    )
    allow_unproved_senders: bool = Field(default=False, description="yes or no")
    gm: Annotated[tuple[Address, ...], BeforeValidator(_parts)] = Field(
        default=(), description="addresses of game masters with commas between them"
    )
    tls_cert: Annotated[Path | None, BeforeValidator(_path_or_none)] = Field(
        default=None, description="a file with a certificate and its chain in PEM form, or none"
    )
    tls_key: Annotated[Path | None, BeforeValidator(_path_or_none)] = Field(
        default=None, description="a file with the certificate's key in PEM form, or none"
    )
    proxy_peers: Annotated[tuple[IPvAnyNetwork, ...], BeforeValidator(_parts)] = Field(
        default=(),
        description="networks with commas between them, e.g. 10.0.0.5, 192.168.0.0/24",
    )
    run_as: Annotated[str | None, BeforeValidator(_path_or_none)] = Field(
        default=None, pattern=r"^[^\s:]+(:[^\s:]+)?$", description="user, user:group or none"
    )
    rate_per_address: int = Field(default=600, ge=0, description="mails an hour, or 0 for no limit")
    rate_per_sender: int = Field(default=600, ge=0, description="mails an hour, or 0 for no limit")
    spam_header: str = Field(
        default="",
        pattern=r"^[!-9;-~]*$",
        description="the name of a header, e.g. X-Spam-Flag, or nothing",
    )
    arc_sealers: Annotated[tuple[str, ...], BeforeValidator(_parts)] = Field(
        default=(), description="domains with commas between them, e.g. lists.example.org"
    )
    secret: str = Field(default="", repr=False, description="any long text that nobody can guess")
    retry_steps: Annotated[tuple[Span, ...], BeforeValidator(_parts)] = Field(
        default=(
            timedelta(minutes=1),
            timedelta(minutes=5),
            timedelta(minutes=15),
            timedelta(minutes=60),
        ),
        min_length=1,
        description="spans of time with commas between them, e.g. 1m,5m,15m,60m",
    )
    outcome_unknown: Span = Field(
        default=timedelta(minutes=15), description="a span of time, e.g. 15m"
    )
    sweep_every: Span = Field(
        default=timedelta(seconds=1),
        ge=timedelta(seconds=1),
        le=timedelta(minutes=5),
        description="a span of time from 1s to 5m",
    )
    outage: Span = Field(
        default=timedelta(minutes=10),
        ge=timedelta(minutes=1),
        description="a span of time of at least 1m, e.g. 10m",
    )
    safety_stop: Annotated[int | None, BeforeValidator(_number_or_none)] = Field(
        default=50, ge=1, le=100, description="a number of percent from 1 to 100, or none"
    )
    open_house: bool = Field(default=False, description="yes or no")
    worker_concurrency: int = Field(default=2, ge=1, le=256, description="a number from 1 to 256")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003  (named by the base class)
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, the environment over the TOML file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file())

    @field_validator("data_dir")
    @classmethod
    def _whole_path(cls, path: Path) -> Path:
        return path.expanduser().absolute()

    @field_validator("database_url")
    @classmethod
    def _name_the_driver(cls, url: str) -> str:
        return re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", url)

    @field_validator("public_url")
    @classmethod
    def _no_final_slash(cls, url: str) -> str:
        return url.rstrip("/")

    @field_validator("relay_url")
    @classmethod
    def _relay(cls, url: str) -> str:
        parts = urlsplit(url)  # .port raises ValueError itself when it is no port
        if url != "mailbox" and not (parts.scheme in ("smtp", "smtps") and parts.hostname):
            raise ValueError("not a relay")
        _ = parts.port
        return url

    @field_validator("imap_url")
    @classmethod
    def _mailbox(cls, url: str | None) -> str | None:
        if url is not None:
            # The library is slow to import for a command that has nothing to do with it.
            from pbem.mail.imap import parse_mailbox  # noqa: PLC0415

            parse_mailbox(url)
        return url

    @model_validator(mode="after")
    def _senders_proved_on_open_doors(self) -> Self:
        ways = {
            f"PBEM_SMTP_LISTEN is {self.smtp_listen}": not self.smtp_listen.on_loopback,
            "PBEM_IMAP_URL is set": self.imap_url is not None,
            "PBEM_WEBHOOK_SECRET is set": self.webhook_secret is not None,
        }
        open_way = next((way for way, is_open in ways.items() if is_open), None)
        if self.sender_auth == "off" and open_way and not self.allow_unproved_senders:
            raise ValueError(
                f"PBEM_SENDER_AUTH=off is refused while {open_way}: "
                "allowed are dmarc and authserv:ID, or set PBEM_ALLOW_UNPROVED_SENDERS=yes"
            )
        return self

    @model_validator(mode="after")
    def _key_with_its_name(self) -> Self:
        if bool(self.dkim_selector) != (self.dkim_key_file is not None):
            raise ValueError(
                "PBEM_DKIM_SELECTOR and PBEM_DKIM_KEY_FILE go together: letters are signed with "
                "both, and with neither they are not"
            )
        return self

    @model_validator(mode="after")
    def _certificate_with_its_key(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError(
                "PBEM_TLS_CERT and PBEM_TLS_KEY go together: STARTTLS is offered with both, and "
                "with neither it is not"
            )
        return self

    @model_validator(mode="after")
    def _tools_of_proof_are_there(self) -> Self:
        wanted = {
            "PBEM_SENDER_AUTH": self.sender_auth != "off",
            "PBEM_DKIM_KEY_FILE": self.dkim_key_file is not None,
        }
        missing = [module for module in _PROOF_MODULES if find_spec(module) is None]
        for name in (name for name, is_set in wanted.items() if is_set and missing):
            raise ValueError(
                f"{name} needs what is not installed: pip install -r requirements-hosting.lock, "
                "or set PBEM_SENDER_AUTH=off where only friends can reach the port"
            )
        return self

    @property
    def signer(self) -> "Signer | None":
        """What signs letters, if they are signed here. Raises SettingsError for a bad key file."""
        if self.dkim_key_file is None:
            return None
        # Few houses sign, and the library is slow to import for a command that only says a line.
        from pbem.mail.signing import load_signer  # noqa: PLC0415

        try:
            return load_signer(self.domain, self.dkim_selector, self.dkim_key_file)
        except ValueError as error:
            raise SettingsError(f"PBEM_DKIM_KEY_FILE is wrong: {error}") from None

    @property
    def certificate(self) -> "Certificate | None":
        """What STARTTLS shows, if it is offered. Raises SettingsError for files that do not fit."""
        if self.tls_cert is None or self.tls_key is None:
            return None
        from pbem.mail.tls import Certificate  # noqa: PLC0415  # few commands open a door

        try:
            return Certificate(self.tls_cert, self.tls_key)
        except ValueError as error:
            raise SettingsError(f"PBEM_TLS_CERT or PBEM_TLS_KEY is wrong: {error}") from None

    @property
    def shows_mailbox(self) -> bool:
        """Whether the mailbox page may exist: letters stay here and only this machine reads."""
        return self.relay_url == "mailbox" and self.http_listen.on_loopback

    @property
    def house(self) -> House:
        """What the judge knows of this installation."""
        way, _, authserv = self.sender_auth.partition(":")
        return House(
            domain=self.domain,
            secret=self.secret.encode(),
            public_url=self.public_url,
            gm=self.gm,
            proofs=way != "off",
            authserv=authserv or None,
            arc_sealers=tuple(domain.lower() for domain in self.arc_sealers),
            spam_header=self.spam_header or None,
            outage=self.outage,
            safety_stop=self.safety_stop,
            is_open=self.open_house,
        )

    @property
    def run_dir(self) -> Path:
        """The folder of what only a running service needs: lock, socket, ports."""
        return self.data_dir / "run"


def config_file() -> Path:
    """The TOML file: `PBEM_CONFIG`, or `pbem.toml` in the data directory (which may lack it)."""
    named = os.environ.get(f"{PREFIX}CONFIG")
    if named:
        return Path(named).expanduser()
    data_dir = os.environ.get(f"{PREFIX}DATA_DIR")
    return (Path(data_dir).expanduser() if data_dir else _default_data_dir()) / CONFIG_NAME


def nearest_setting(name: str) -> str | None:
    """The setting that somebody meant who wrote this name, with the prefix or without it."""
    written = name.lower().removeprefix(PREFIX.lower())
    return next(iter(get_close_matches(written, Settings.model_fields, n=1, cutoff=0.7)), None)


def load_settings() -> Settings:
    """Read and check all settings; make the data directory and the secret at first run.

    Raises SettingsError with one line for each wrong setting.
    """
    config = config_file()
    if os.environ.get(f"{PREFIX}CONFIG") and not config.is_file():
        raise SettingsError(f"PBEM_CONFIG is wrong: there is no file {config}")
    try:
        settings = Settings()
    except ValidationError as error:
        raise SettingsError("\n".join(_lines(error, config))) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{config} is not a TOML file: {error}") from None
    except OSError as error:
        raise SettingsError(f"{config} cannot be read: {error.strerror}") from None
    return _settled(settings)


def _settled(settings: Settings) -> Settings:
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings.run_dir.mkdir(exist_ok=True, mode=0o700)
        _prove_writable(settings.data_dir, settings.run_dir)
        secret = settings.secret or _kept_secret(settings.data_dir / "secret")
    except OSError as error:
        raise SettingsError(
            f"PBEM_DATA_DIR is wrong: {settings.data_dir} cannot be used ({error.strerror}); "
            "allowed is a folder that this user may write to"
        ) from None
    _ = settings.signer  # a bad key is to be named at the start
    _ = settings.certificate
    return settings.model_copy(update={"secret": secret})


def _prove_writable(*folders: Path) -> None:
    """Raises PermissionError for a folder that this user may only read, before anything waits
    for a lock in it."""
    if not all(os.access(folder, os.W_OK | os.X_OK) for folder in folders):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _kept_secret(path: Path) -> str:
    """The secret of this data directory, made once; linked into place whole, so that two
    processes that start together end with the same one."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text().strip()


def _lines(error: ValidationError, config: Path) -> list[str]:
    """One line a wrong setting, in the order of the class: a list may be wrong in many ways."""
    lines: dict[object, str] = {}
    for detail in error.errors():
        if detail["type"] != "default_factory_not_called":
            setting = detail["loc"][0] if detail["loc"] else str(detail["ctx"]["error"])
            lines.setdefault(setting, _line(detail, config))
    return list(lines.values())


def _line(detail: ErrorDetails, config: Path) -> str:
    if not detail["loc"]:
        return str(detail["ctx"]["error"])
    name = str(detail["loc"][0])
    if detail["type"] == "extra_forbidden":
        near = nearest_setting(name)
        hint = f"; did you mean {near!r}?" if near else ""
        return f"{config.name} is wrong: there is no setting named {name!r}{hint}"
    given = "" if name in _UNSHOWN else f" ({_written(detail['input'])!r})"
    allowed = Settings.model_fields[name].description
    return f"{PREFIX}{name.upper()} is wrong{given}; allowed: {allowed}"


def _written(value: object) -> object:
    """A value as a person writes it: a span has been read already when its bounds are looked at."""
    return f"{value.total_seconds():g}s" if isinstance(value, timedelta) else value
