"""Variables that look like settings and are none: they change nothing, so they are named at start.

They are no error, for other things bear the same prefix: what `docker-compose.yml` fills in, what
the tests ask for, or what somebody's scripts call their own.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

import typer

from pbem.embedded.supervisor import SUPERVISOR
from pbem.settings import PREFIX, Settings, load_settings, nearest_setting

_KNOWN = frozenset(
    {
        "CONFIG",
        SUPERVISOR.removeprefix(PREFIX),
        # of docker-compose.yml
        "CATCHER_PORT",
        "DB_PASSWORD",
        "HTTP_PORT",
        "SMTP_PORT",
        "VERSION",
        "WORKERS",
        # of the tests
        "LONG_LAW",
    }
)
_KNOWN_KINDS = ("CI_", "MUTANTS_", "TEST_")


def read_settings() -> Settings:
    """The settings of this process, after a line on standard error for each stray variable.

    Raises SettingsError.
    """
    name_strays()
    return load_settings()


def name_strays() -> None:
    """A line for each stray variable; none in a child of `pbem serve`, which has said it."""
    if not os.environ.get(SUPERVISOR):
        for stray in strays(os.environ):
            typer.echo(f"pbem: {stray}", err=True)


class Stray(NamedTuple):
    """A variable that nothing reads, and the one that was meant, if any is near."""

    name: str
    near: str | None

    def __str__(self) -> str:
        hint = f"did you mean {self.near}?" if self.near else "it changes nothing"
        return f"{self.name} is no setting; {hint}"


def strays(environment: Mapping[str, str]) -> list[Stray]:
    """What has our prefix and a value, and is read by nothing of ours."""
    given = (name for name, value in environment.items() if value)
    ours = ((name, name.upper().removeprefix(PREFIX)) for name in given if _has_prefix(name))
    return [Stray(name, _near(rest)) for name, rest in sorted(ours) if not _is_read(rest)]


def _has_prefix(name: str) -> bool:
    return name.upper().startswith(PREFIX)


def _is_read(name: str) -> bool:
    setting = name.lower() in Settings.model_fields
    return setting or name in _KNOWN or name.startswith(_KNOWN_KINDS)


def _near(name: str) -> str | None:
    found = nearest_setting(name)
    return None if found is None else f"{PREFIX}{found.upper()}"
