"""Settings that are allowed, and yet not what somebody wants."""

from collections.abc import Mapping

from pbem.cli.checkup.finding import Finding, ok, warn
from pbem.cli.strays import strays
from pbem.settings import Settings

_SECRET = 16
"""Characters of a secret below which trying all of them is not out of the question."""


def names(environment: Mapping[str, str]) -> Finding:
    """Every variable with our prefix is read by something of ours."""
    found = strays(environment)
    if not found:
        return ok("settings", "all names are known")
    said = f"no setting is called {', '.join(stray.name for stray in found)}"
    near = [stray.near for stray in found if stray.near]
    return warn("settings", said, f"write {', '.join(near)}" if near else "take it out")


def secret(settings: Settings) -> Finding:
    """Nobody can guess what proves addresses and links; the secret itself is never shown."""
    if len(settings.secret) < _SECRET:
        said = f"PBEM_SECRET is shorter than {_SECRET} characters, and can be guessed"
        todo = (
            "set a long one, or none to have it made; letters that were sent under the old one "
            "can then not be answered any more"
        )
        return warn("secret", said, todo)
    return ok("secret", "it is long enough")
