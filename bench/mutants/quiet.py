"""How the tests run while mutants are tried; a plugin of pytest, loaded before any test is.

Only pytest imports it: it changes the settings of all tests in the process.

A counterexample is enough, it need not be short. Where `PBEM_MUTANTS_SECONDS` names a file with the
seconds that each test takes, the quick ones come first.
"""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from bench.mutants.trial import SECONDS

settings.register_profile(
    "mutants",
    phases=[Phase.explicit, Phase.generate],
    database=None,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("mutants")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The quick tests first."""
    if SECONDS in os.environ:
        seconds = json.loads(Path(os.environ[SECONDS]).read_text(encoding="utf-8"))
        items.sort(key=lambda item: seconds.get(item.nodeid, 0.0))
