"""docker-compose.yml, as far as it can be read without Compose (`.ci/run` asks a real one)."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ROLES = ("migrate", "smtp", "web", "worker", "sweep", "imap")
Service = dict[str, Any]


@pytest.fixture(scope="module")
def services() -> dict[str, Service]:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    found: dict[str, Service] = compose["services"]
    return found


@pytest.mark.parametrize("role", ROLES)
def test_each_role_runs_its_single_command_from_one_image(
    services: dict[str, Service], role: str
) -> None:
    assert services[role]["command"] == [role]
    assert services[role]["image"] == services["web"]["image"]
    assert "stop_grace_period" in services[role]


def test_only_who_asks_for_it_polls_a_mailbox(services: dict[str, Service]) -> None:
    assert {name for name, service in services.items() if "profiles" in service} == {"imap"}
    assert services["imap"]["profiles"] == ["imap"]


def test_migration_runs_once_and_before_all_others(services: dict[str, Service]) -> None:
    assert services["migrate"]["restart"] == "no"
    for role in set(ROLES) - {"migrate"}:
        condition = services[role]["depends_on"]["migrate"]["condition"]
        assert condition == "service_completed_successfully"


def test_every_lasting_service_has_a_health_check(services: dict[str, Service]) -> None:
    image = (ROOT / "Dockerfile").read_text()
    checked = {
        name for name, service in services.items() if service.get("healthcheck", {}).get("test")
    }
    assert set(services) - checked == {"migrate", "web"}  # web takes the check of the image
    assert "HEALTHCHECK" in image


def test_required_variables_have_no_default_and_are_listed_at_the_top() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    required = set(re.findall(r"\$\{(\w+):\?", text))
    listed = text.partition("# Required")[2].partition("# Optional")[0]
    assert required == set(re.findall(r"PBEM_\w+", listed))


def test_images_are_named_with_their_version(services: dict[str, Service]) -> None:
    foreign = [service["image"] for name, service in services.items() if name not in ROLES]
    assert all(re.search(r":v?\d", image) for image in foreign)
