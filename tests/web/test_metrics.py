"""Figures for Prometheus: only for programs on this machine."""

import pytest
from fastapi.testclient import TestClient

from pbem.store import clock
from pbem.store.engine import session
from tests.web.office import ORIGIN, Office

HERE, ELSEWHERE = ("127.0.0.1", 5000), ("192.0.2.7", 5000)


def test_the_clock_is_counted(office: Office) -> None:
    with session(office.engine) as opened:
        clock.start(opened, office.parlour.now)
        clock.hold(opened, office.parlour.now, {"missing": 20, "waiting": 30})
    answer = TestClient(office.app, base_url=ORIGIN, client=HERE).get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert "pbem_clock_held 1.0" in answer.text
    assert 'pbem_due{what="deadline"} 0.0' in answer.text
    assert "@" not in answer.text


@pytest.mark.parametrize(
    ("client", "headers"),
    [(ELSEWHERE, {}), (HERE, {"X-Forwarded-For": "192.0.2.7"}), (HERE, {"Forwarded": "for=a"})],
)
def test_nobody_else_may_ask(
    office: Office, client: tuple[str, int], headers: dict[str, str]
) -> None:
    browser = TestClient(office.app, base_url=ORIGIN, client=client)
    assert browser.get("/metrics", headers=headers).status_code == 404
