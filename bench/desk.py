"""All pages with ten thousand games behind them, as the browsers of an owner, a player and a
stranger are answered, and a program.
"""

from dataclasses import replace

from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import update
from sqlmodel import col

from bench.crowd import copied
from bench.figure import Figure
from bench.scale import Scale
from bench.table import HOUSE, Table, begin, database
from bench.yardstick import Span, fastest
from pbem.judge import login
from pbem.settings import Listen
from pbem.store import games, inbox, outbox
from pbem.store.engine import open_reader, session
from pbem.store.inbox import Delivery
from pbem.store.tables import InboxStatus, Seat, Source
from pbem.web.app import make_app
from pbem.web.site import Service, Site

OWNER = "owner@example.net"
TURNS = 12
"""Turns of the game that is looked at; the others are its copies."""

GAME = "/desk/games/g1"
DESK = (
    "/desk",
    *(f"{GAME}{tab}" for tab in ("", "/timeline", "/mail", "/players", "/rules", "/dice")),
    *(f"{GAME}{tab}" for tab in ("/audit", "/acts", "/acts/extend?by=24h")),
    *("/desk/quarantine", "/desk/quarantine/STRAY"),
    *("/desk/outbox", "/desk/outbox?which=sent", "/desk/outbox/1"),
    *("/desk/people", "/desk/people?like=red@", "/desk/people/red@example.net"),
    *("/desk/audit", "/desk/health", "/api/games"),
)
"""Pages of who owns the house: of all its games."""

PLAYER = (
    *("/you", "/games", "/games/g1", "/games/g1?turn=3", "/games/g1/story", "/games/g1/dice"),
    *("/games/g1/letters", "/games/g1/check"),
)
WATCHED = ("/games", "/games/g7", "/games/g7/dice", "/api/games", "/api/games/g7")
"""Pages of whoever comes: every game may be watched, every third one waits for a player."""

UNDER = 100  # milliseconds


def measure(scale: Scale) -> list[Figure]:
    """Each page by the clock on the wall, when least disturbed; its templates compiled before."""
    with database(scale.folder, "desk") as engine:
        table = begin(engine)
        for _ in range(TURNS):
            table.store(table.write())
            _send(table, table.play())
        _open_to_all(table)
        copied(table, scale.games)
        _seek_players(table)
        number = _set_aside(table, scale.games)
        reader = open_reader(str(engine.url))
        service = Service(
            house=replace(HOUSE, gm=(OWNER,)),
            engine=engine,
            reader=reader,
            hint=lambda _name, _row: None,
            http=Listen("127.0.0.1", 8000),
            clock=lambda: table.clock.at,
        )
        app = make_app(Site("1", {}, None, service))
        spans = {}
        for who, address, paths in (
            ("owner", OWNER, DESK),
            ("player", "red@example.net", PLAYER),
            ("stranger", None, WATCHED),
        ):
            browser = TestClient(app, base_url=service.house.public_url)
            if address is not None:
                _log_in(browser, service, address)
            for path in paths:
                told = path.replace("STRAY", str(number))
                spans[f"{who}: {path}"] = _loaded(browser, told, scale.repeats)
        reader.dispose()
    return [
        Figure(f"{page} of {scale.games:,}", span.wall, "ms", under=UNDER)
        for page, span in spans.items()
    ]


def _open_to_all(table: Table) -> None:
    """Whoever likes may watch the game, and the lobby shows it."""
    with session(table.engine) as opened:
        game = games.lock(opened, table.game_id)
        game.options = {**game.options, "spectators": "yes", "listed": "yes"}
        game.listed = True
        opened.add(game)


def _seek_players(table: Table) -> None:
    """A seat of every third game is free for whoever comes."""
    with session(table.engine) as opened:
        free = update(Seat).where(col(Seat.game_id) % 3 == 0, col(Seat.letter) == "B")
        opened.exec(free.values(address=None, open_since=table.clock.at))


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


def _log_in(browser: TestClient, service: Service, address: str) -> None:
    with service.writing() as opened:
        link = login.make_link(opened, service.house, address, service.clock(), service.entropy)
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
