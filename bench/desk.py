"""The pages of the desk with ten thousand games behind it, as a browser is answered."""

from dataclasses import replace

from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser

from bench.crowd import copied
from bench.figure import Figure
from bench.scale import Scale
from bench.table import HOUSE, Table, begin, database
from bench.yardstick import Span, fastest
from pbem.judge import login
from pbem.settings import Listen
from pbem.store import inbox, outbox
from pbem.store.engine import open_reader, session
from pbem.store.inbox import Delivery
from pbem.store.tables import InboxStatus, Source
from pbem.web.app import make_app
from pbem.web.site import Service, Site

OWNER = "owner@example.net"
TURNS = 12
"""Turns of the game that is looked at; the others are its copies."""

PAGES = (
    "/desk",
    "/desk/games/g1",
    "/desk/games/g1/timeline",
    "/desk/games/g1/mail",
    "/desk/games/g1/players",
    "/desk/games/g1/rules",
    "/desk/games/g1/dice",
    "/desk/games/g1/audit",
    "/desk/games/g1/acts/extend?by=24h",
    "/desk/quarantine",
    "/desk/quarantine/STRAY",
    "/desk/outbox",
    "/desk/outbox?which=sent",
    "/desk/people",
    "/desk/people?like=red@",
    "/desk/audit",
    "/desk/health",
)
UNDER = 100  # milliseconds


def measure(scale: Scale) -> list[Figure]:
    """Each page by the clock on the wall, when least disturbed; its templates compiled before."""
    with database(scale.folder, "desk") as engine:
        table = begin(engine)
        for _ in range(TURNS):
            table.store(table.write())
            _send(table, table.play())
        copied(table, scale.games)
        number = _set_aside(table, scale.games)
        reader = open_reader(str(engine.url))
        house = replace(HOUSE, gm=(OWNER,))
        service = Service(
            house=house,
            engine=engine,
            reader=reader,
            hint=lambda _name, _row: None,
            http=Listen("127.0.0.1", 8000),
            clock=lambda: table.clock.at,
        )
        browser = TestClient(make_app(Site("1", {}, None, service)), base_url=house.public_url)
        _log_in(browser, service)
        spans = {
            path: _loaded(browser, path.replace("STRAY", str(number)), scale.repeats)
            for path in PAGES
        }
        reader.dispose()
    return [
        Figure(f"{path} of {scale.games:,}", span.wall, "ms", under=UNDER)
        for path, span in spans.items()
    ]


def _send(table: Table, letters: list[int]) -> None:
    """The letters as sent, without the work of writing them."""
    with session(table.engine) as opened:
        for letter in letters:
            outbox.mark_sent(opened, letter, table.clock())


def _set_aside(table: Table, games: int) -> int:
    """A mail that came to nothing in every fiftieth game; the row of one of them."""
    mails = [
        Delivery(
            source=Source.SMTP,
            dedupe_key=f"stray{number}",
            received_at=table.clock(),
            recipient="play@games.example.org",
            game_id=number,
            seat="A",
            turn=1,
            step=1,
            mail_from="red@example.net",
            raw=b"From: red@example.net\r\nSubject: Re: my move\r\n\r\nattack the indian one\r\n",
            status=InboxStatus.HELD,
        )
        for number in range(1, games + 1, 50)
    ]
    with session(table.engine) as opened:
        return inbox.add(opened, mails)[0].inbox_id


def _log_in(browser: TestClient, service: Service) -> None:
    with service.writing() as opened:
        link = login.make_link(opened, service.house, OWNER, service.clock(), service.entropy)
    field = LexborHTMLParser(browser.get(link).text).css_first("input[name=form_token]")
    assert field is not None
    answer = browser.post(
        link,
        data={"form_token": field.attributes["value"] or ""},
        headers={"origin": service.house.public_url},
    )
    assert answer.status_code == 200, answer.text


def _loaded(browser: TestClient, path: str, repeats: int) -> Span:
    assert browser.get(path).status_code == 200, path
    return fastest(lambda: browser.get(path), repeats)
