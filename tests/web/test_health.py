"""What monitors ask."""

from fastapi.testclient import TestClient

from pbem.web.app import make_app
from pbem.web.site import Check, Site


def client(**checks: Check) -> TestClient:
    return TestClient(make_app(Site(version="1.2.3", checks=checks)))


def breaks() -> bool:
    raise OSError("the database is away")


def test_the_process_lives_whatever_else_is_down() -> None:
    assert client(down=lambda: False).get("/healthz").status_code == 200


def test_it_is_ready_when_every_check_passes() -> None:
    answer = client(up=lambda: True).get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})


def test_each_failing_check_is_named_in_a_503() -> None:
    answer = client(**{"no worker is up": lambda: False, "fine": lambda: True}).get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == ["no worker is up"]


def test_a_check_that_raises_has_failed() -> None:
    answer = client(**{"the database is not migrated": breaks}).get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == ["the database is not migrated"]
