"""How the tests run while mutants are tried; a plugin of pytest, loaded before any test is.

Only pytest imports it: it changes the settings of all tests in the process. A counterexample is
enough, it need not be short.
"""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "mutants",
    phases=[Phase.explicit, Phase.generate],
    database=None,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("mutants")
