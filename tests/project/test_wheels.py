"""The first lock is enough for everything but the proof of senders."""

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from tests.project.test_release import pins

ROOT = Path(__file__).parents[2]
# The proof of senders, and what only a migration can import.
APART = (
    "pbem.mail.envelope",
    "pbem.mail.forwarded",
    "pbem.mail.results",
    "pbem.mail.signature",
    "pbem.mail.signed",
    "pbem.store.migrations.env",
)
IMPORT_ALL = """
import importlib, pkgutil, sys
missing, apart = (set(words.split(",")) for words in sys.argv[1:])
sys.modules.update(dict.fromkeys(missing))
for top in ("pbem", "workers"):
    package = importlib.import_module(top)
    for module in pkgutil.walk_packages(package.__path__, f"{top}."):
        if module.name not in apart and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""


def not_in_the_first_lock() -> list[str]:
    """The modules that a house furnished from `requirements.lock` does not have."""
    there = {*pins("requirements.lock"), "pbem"}
    return [
        module
        for module, names in packages_distributions().items()
        if not there & {canonicalize_name(name) for name in names}
    ]


def test_every_other_module_is_imported_without_what_the_first_lock_lacks() -> None:
    missing = not_in_the_first_lock()
    assert "dkim" in missing
    importing = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, ",".join(missing), ",".join(APART)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert importing.returncode == 0, importing.stderr
