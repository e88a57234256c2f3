"""Every page for everybody: what each role is given, and what it is refused.

A route without a line here fails, so that none can be added without saying whose it is.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from pbem.judge import quarantine
from pbem.judge.acts.registry import ACTS
from pbem.store.engine import session
from pbem.web.desk.live import Watcher
from pbem.web.static_files import address_of
from tests.web.office import PEOPLE, Browser, Office, open_office

ROLES = (*PEOPLE, "anonymous")
ALL = frozenset(ROLES)
KNOWN = ALL - {"anonymous"}
DESK = KNOWN - {"player"}
NO_RIVAL = DESK - {"host"}
MENDS = NO_RIVAL - {"auditor"}
ACTS_A = DESK - {"auditor"}
MASTERS = frozenset({"owner", "gm"})
OWNERS = frozenset({"owner"})
FOUNDERS = frozenset({"owner", "gm", "host"})
SEATED = frozenset({"player", "host"})
ANNA_ALONE = frozenset({"player"})

GAME = "/desk/games/{public_id}"
SEEN = "/games/{public_id}"
TABLE: dict[tuple[str, str], frozenset[str]] = {
    ("GET", "/"): ALL,
    ("GET", "/static/{name}"): ALL,
    ("GET", "/style.css"): ALL,
    ("GET", "/login"): ALL,
    ("POST", "/login"): ALL,
    ("GET", "/login/sent"): ALL,
    ("GET", "/login/{token}"): ALL,
    ("POST", "/login/{token}"): ALL,
    ("GET", "/you"): KNOWN,
    ("GET", "/you/visits"): KNOWN,
    ("POST", "/you/language"): KNOWN,
    ("POST", "/logout"): KNOWN,
    ("POST", "/logout/everywhere"): KNOWN,
    ("GET", "/you/keys"): KNOWN,
    ("POST", "/you/keys"): KNOWN,
    ("POST", "/you/keys/{number}/revoke"): KNOWN,
    ("GET", "/games"): ALL,
    ("GET", "/games/new"): FOUNDERS,
    ("POST", "/games/new"): FOUNDERS,
    ("GET", "/games/made/{public_id}"): ACTS_A,
    ("POST", f"{SEEN}/join"): KNOWN,
    ("GET", f"{SEEN}/rematch"): ACTS_A,
    ("POST", f"{SEEN}/rematch"): ACTS_A,
    ("GET", "/api/games"): ALL,
    ("GET", f"/api{SEEN}"): KNOWN,
    ("GET", f"/api{SEEN}/turns"): KNOWN,
    ("GET", f"/api{SEEN}/events"): KNOWN,
    ("GET", f"/api{SEEN}/board"): KNOWN,
    ("GET", f"/api{SEEN}/record"): KNOWN,
    ("GET", SEEN): KNOWN,
    ("GET", f"{SEEN}/story"): KNOWN,
    ("GET", f"{SEEN}/dice"): KNOWN,
    ("GET", f"{SEEN}/record.txt"): KNOWN,
    ("GET", f"{SEEN}/letters"): SEATED,
    ("GET", f"{SEEN}/letters/{{number}}"): ANNA_ALONE,
    ("GET", f"{SEEN}/letters/{{number}}/page"): ANNA_ALONE,
    ("GET", f"{SEEN}/check"): SEATED,
    ("POST", f"{SEEN}/check"): SEATED,
    ("GET", f"{SEEN}/consents/{{number}}"): SEATED,
    ("POST", f"{SEEN}/consents/{{number}}"): SEATED,
    ("GET", "/desk"): DESK,
    ("GET", "/desk/events"): DESK,
    ("GET", GAME): DESK,
    ("GET", f"{GAME}/timeline"): DESK,
    ("GET", f"{GAME}/mail"): DESK,
    ("GET", f"{GAME}/players"): DESK,
    ("GET", f"{GAME}/rules"): DESK,
    ("GET", f"{GAME}/dice"): DESK,
    ("GET", f"{GAME}/audit"): DESK,
    ("GET", f"{GAME}/record.txt"): DESK,
    ("GET", f"{GAME}/acts"): DESK,
    ("GET", f"{GAME}/acts/{{name}}"): ACTS_A,
    ("POST", f"{GAME}/acts/{{name}}/preview"): ACTS_A,
    ("POST", f"{GAME}/acts/{{name}}"): ACTS_A,
    ("GET", f"{GAME}/consents/{{number}}"): DESK,
    ("POST", f"{GAME}/consents/{{number}}"): MASTERS,
    ("GET", f"{GAME}/done/{{number}}"): DESK,
    ("GET", f"{GAME}/webhooks"): ACTS_A,
    ("POST", f"{GAME}/webhooks"): ACTS_A,
    ("POST", f"{GAME}/webhooks/{{number}}/test"): ACTS_A,
    ("POST", f"{GAME}/webhooks/{{number}}/remove"): ACTS_A,
    ("GET", f"{GAME}/hands"): MASTERS,
    ("POST", f"{GAME}/hands"): MASTERS,
    ("POST", f"{GAME}/offices"): MASTERS,
    ("POST", f"{GAME}/offices/dismiss"): MASTERS,
    ("GET", "/desk/quarantine"): DESK,
    ("GET", "/desk/quarantine/{number}"): NO_RIVAL,
    ("POST", "/desk/quarantine/{number}/check"): NO_RIVAL,
    ("POST", "/desk/quarantine/{number}/apply"): MENDS,
    ("POST", "/desk/quarantine/{number}/retry"): MENDS,
    ("POST", "/desk/quarantine/{number}/discard"): MENDS,
    ("GET", "/desk/outbox"): DESK,
    ("GET", "/desk/outbox/{number}"): DESK,
    ("GET", "/desk/people"): DESK,
    ("GET", "/desk/people/{address:path}"): DESK,
    ("POST", "/desk/people/export"): OWNERS,
    ("POST", "/desk/people/erase"): OWNERS,
    ("GET", "/desk/audit"): DESK,
    ("GET", "/desk/health"): OWNERS,
    ("POST", "/desk/health/release"): OWNERS,
    ("POST", "/desk/health/stop"): OWNERS,
    ("POST", "/desk/health/go-on"): OWNERS,
}
"""Who is given what in game 1. The rest of `May` is in the acts, see below."""

ELSEWHERE = frozenset(
    {
        "/healthz",
        "/readyz",
        "/metrics",
        "/rules",
        "/rules/{language}",
        "/schemas/letter-1.json",
        "/api/openapi.json",
        "/games/{public_id}/news.atom",
    }
)
"""Open to everybody, and tested where they are told of."""

OWN_KEY = ("/mailbox", "/stop", "/unsubscribe", "/calendar", "/feeds", "/mail")
"""Pages whose address, or cookie, holds a key of their own."""

FIELDS = {
    ("POST", f"{GAME}/acts/{{name}}"): {"by": "24h"},
    ("POST", f"{GAME}/acts/{{name}}/preview"): {"by": "24h"},
    ("POST", f"{GAME}/offices"): {"address": "nobody", "office": "gm"},
    ("POST", f"{GAME}/offices/dismiss"): {"address": "nobody@x.example"},
    ("POST", "/desk/people/export"): {"address": PEOPLE["player"]},
    ("POST", "/desk/people/erase"): {"address": PEOPLE["player"], "typed": "another"},
    ("POST", "/you/language"): {"language": "en"},
}
"""What the forms bring: enough to pass the door, mostly too little to do anything."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with open_office(Path(tmp_path_factory.mktemp("office"))) as opened:
        opened.app.state.watcher = Watcher(lambda: 0, stay=0)  # a stream that ends at once
        yield opened


@pytest.fixture(scope="module")
def browsers(office: Office) -> Callable[[str], Browser]:
    """The browser of a role, logged in again where it has logged out."""
    kept: dict[str, Browser] = {}

    def of(role: str) -> Browser:
        address = PEOPLE.get(role)
        known = role in kept and bool(kept[role].client.cookies.get("pbem_8000"))
        if role not in kept or known != (address is not None):
            kept[role] = office.browser(address)
        return kept[role]

    return of


def routes(office: Office) -> set[tuple[str, str]]:
    return {
        (method, route.path)
        for route in every(office.app.routes)
        for method in route.methods or ()
        if route.path not in ELSEWHERE and not route.path.startswith(OWN_KEY)
    }


def every(found: Iterable[BaseRoute]) -> Iterator[APIRoute]:
    """The routes with those of routers that the application holds whole."""
    for route in found:
        if isinstance(route, APIRoute):
            yield route
        elif (inner := getattr(route, "original_router", None)) is not None:
            yield from every(inner.routes)
        else:
            raise AssertionError(f"no page of ours: {route!r}")


def test_every_route_says_whose_it_is(office: Office) -> None:
    assert routes(office) == set(TABLE)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", TABLE, ids=" ".join)
def test_a_role_is_given_what_is_its_own(
    office: Office, browsers: Callable[[str], Browser], route: tuple[str, str], role: str
) -> None:
    browser, path = browsers(role), address(office, route)
    if route[0] == "GET":
        answer = browser.client.get(path, follow_redirects=False)
    else:
        fields = FIELDS.get(route, {}) | {"form_token": token(browser)}
        headers = {"origin": "http://127.0.0.1:8000"}
        answer = browser.client.post(path, data=fields, headers=headers, follow_redirects=False)
    if role in TABLE[route]:
        assert answer.status_code not in (401, 403, 404, 500), answer.text
    elif role == "anonymous":
        assert answer.status_code == 401
    else:
        assert answer.status_code in (403, 404)
    if role not in TABLE[route]:
        assert "anna@example.com" not in answer.text


def address(office: Office, route: tuple[str, str]) -> str:
    """The route with real things in the place of its parameters."""
    path = route[1]
    if "{token}" in path:
        return office.link(PEOPLE["player"])
    if "/quarantine/{number}" in path:
        return path.format(number=stray(office))
    if "/done/{number}" in path:
        return path.format(public_id="g1", number=office.done())
    if "/consents/{number}" in path:
        asked = office.asked("gm" if path.startswith("/desk") else "players")
        return path.format(public_id="g1", number=asked)
    if "/static/" in path:
        return address_of("live.js")
    of = {"public_id": "g1", "name": "extend", "number": 1, "address": PEOPLE["player"]}
    return path.replace(":path", "").format(**of)


def stray(office: Office) -> int:
    """A mail in quarantine: the last one, unless somebody has settled it."""
    with session(office.engine) as opened:
        kept = quarantine.listing(opened, limit=1)
    return kept[0].id if kept else office.stray("end")


def token(browser: Browser) -> str:
    """What stands in the forms of this browser's pages."""
    page = browser.page("/login")
    field = page.css_first("input[name=form_token]")
    assert field is not None
    return field.attributes["value"] or ""


@pytest.mark.parametrize("role", [*PEOPLE, "anonymous"])
def test_a_game_that_there_is_not_is_answered_as_one_of_others(
    browsers: Callable[[str], Browser], role: str
) -> None:
    """But for who owns the house, to whom all games belong."""
    answers = [browsers(role).get(f"/desk/games/{game}") for game in ("g77", "g0", "x")]
    assert {answer.status_code for answer in answers} <= {401, 404}


@pytest.mark.parametrize(
    ("role", "grades"),
    [("owner", "ABC"), ("gm", "ABC"), ("host", "A"), ("deputy", "AB"), ("auditor", "")],
)
def test_acts_are_offered_by_their_grade(
    browsers: Callable[[str], Browser], role: str, grades: str
) -> None:
    browser = browsers(role)
    page = browser.page("/desk/games/g1/acts")
    links = {a.attributes["href"] for a in page.css("main a")}
    offered = {name for name in ACTS if f"/desk/games/g1/acts/{name}" in links}
    assert offered == {name for name, act in ACTS.items() if act.grade in grades}
    for name in ACTS:
        got = browser.get(f"/desk/games/g1/acts/{name}").status_code
        assert got == (200 if name in offered else 403)
