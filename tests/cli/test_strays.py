"""A misspelt setting is named at the start, and does no harm."""

import pytest

from pbem.cli.checkup import setting
from pbem.cli.checkup.finding import Verdict
from pbem.cli.strays import strays
from pbem.embedded.supervisor import SUPERVISOR, child_environment
from pbem.settings import Settings, load_settings
from tests.cli.conftest import Pbem

MISSPELT = "pbem: PBEM_SMPT_LISTEN is no setting; did you mean PBEM_SMTP_LISTEN?\n"


def test_a_misspelt_setting_is_named_and_is_no_error(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SMPT_LISTEN", "0.0.0.0:25")
    listed = pbem("game", "list")
    assert (listed.exit_code, listed.stderr) == (0, MISSPELT)
    monkeypatch.setenv("PBEM_DOMAIN", "not a name")
    wrong = pbem("migrate")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith(f"{MISSPELT}pbem: PBEM_DOMAIN is wrong")


def test_a_child_of_the_supervisor_says_nothing_again(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    pbem("game", "list")
    monkeypatch.setenv("PBEM_SMPT_LISTEN", "0.0.0.0:25")
    for name, value in child_environment(load_settings()).items():
        monkeypatch.setenv(name, value)
    assert pbem("game", "list").stderr == ""


@pytest.mark.parametrize(
    "name",
    ["CONFIG", "TEST_REQUIRE", "CI_TIMED", "DB_PASSWORD", "WORKERS", "SMTP_PORT", "LONG_LAW"],
)
def test_other_things_bear_the_prefix_too(name: str) -> None:
    assert strays({f"PBEM_{name}": "x", SUPERVISOR: "1", "PATH": "/bin", "pbem_gm": "a@b.c"}) == []


def test_what_is_near_to_nothing_is_named_without_its_value() -> None:
    (line,) = map(str, strays({"PBEM_COLOUR": "hush", "PBEM_EMPTY": ""}))
    assert line == "PBEM_COLOUR is no setting; it changes nothing"


def test_every_setting_is_known() -> None:
    assert strays({f"PBEM_{name.upper()}": "x" for name in Settings.model_fields}) == []


def test_the_doctor_names_them_and_a_short_secret(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SECRET", "fifteen letters")
    settings = load_settings()
    short = setting.secret(settings)
    assert short.verdict is Verdict.WARN
    assert "PBEM_SECRET is shorter than 16 characters" in short.said
    assert settings.secret not in str(short)
    assert setting.secret(settings.model_copy(update={"secret": "x" * 16})).verdict is Verdict.OK
    found = setting.names({"PBEM_DOMIAN": "x", "PBEM_COLOUR": "y"})
    assert str(found) == (
        "warn  settings   no setting is called PBEM_COLOUR, PBEM_DOMIAN: write PBEM_DOMAIN"
    )
    monkeypatch.setenv("PBEM_DOMIAN", "x")
    seen = pbem("doctor", "--no-loop", "--json")
    assert '"check": "settings", "verdict": "warn"' in seen.stdout
    assert setting.names({}).verdict is Verdict.OK
