"""An office: a house with games behind the desk, whose pages browsers without a screen open.

The cast of game 1: Anna (A, red), Berta (B, blue), Carla (C, green). Olga owns the house, Gino is
game master of game 1, Dora its deputy, Ugo its auditor; Berta is game master too, so a host.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser

from pbem.judge import login
from pbem.judge.acts import performing
from pbem.judge.acts.ending import Draw, End
from pbem.judge.gm import Why
from pbem.settings import Listen
from pbem.store import appointments, audit, consents, games
from pbem.store.engine import open_engine, open_reader, session
from pbem.store.tables import Office as Post
from pbem.web.app import make_app
from pbem.web.site import Service, Site
from tests.judge.parlour import ANNA, BERTA, Parlour, mail

ORIGIN = "http://127.0.0.1:8000"
HTTP = Listen("127.0.0.1", 8000)
CARLA = "carla@example.org"
OWNER, GM, DEPUTY, AUDITOR = "gm@example.org", "gino@x.example", "dora@x.example", "ugo@x.example"
STRANGER = "nobody@x.example"
PEOPLE = {
    "owner": OWNER,
    "gm": GM,
    "host": BERTA,
    "deputy": DEPUTY,
    "auditor": AUDITOR,
    "player": ANNA,
}
"""By role in game 1."""

_numbers = count(1)


@dataclass
class Office:
    """A parlour with pages; `hinted` are the hints that pages gave."""

    parlour: Parlour
    reader: Any
    http: Listen = HTTP
    hinted: list[tuple[Any, ...]] = field(default_factory=list)

    @property
    def engine(self) -> Any:
        return self.parlour.engine

    @property
    def now(self) -> datetime:
        return self.parlour.now

    @property
    def service(self) -> Service:
        return Service(
            house=self.parlour.house,
            engine=self.engine,
            reader=self.reader,
            hint=lambda *what: self.hinted.append(what),
            http=self.http,
            clock=lambda: self.parlour.now,
            entropy=self._entropy,
        )

    @cached_property
    def app(self) -> FastAPI:
        return make_app(Site("1.2.3", {}, None, self.service))

    def link(self, address: str) -> str:
        """A link as `pbem gm link` prints it, without the host."""
        with session(self.engine) as opened:
            made = login.make_link(opened, self.parlour.house, address, self.now, self._entropy)
        return made.removeprefix(self.parlour.house.public_url)

    def browser(self, address: str | None = None, **settings: Any) -> "Browser":
        """A browser; logged in by a link if an address is given."""
        opened = Browser(TestClient(self.app, base_url=ORIGIN, **settings))
        if address is not None:
            opened.press(opened.get(self.link(address)))
            assert opened.client.cookies.get("pbem_8000")
        return opened

    def stray(self, text: str, subject: str = "Re: my move", sender: str = ANNA) -> int:
        """A mail to Anna's seat that cannot be proved, and so is held; its row."""
        written = mail(text, sender=sender).replace(b"Re: the game", subject.encode())
        (row,) = self.parlour.bring(written, self.parlour.address("A"), mail_from=sender)
        return row.id

    def done(self) -> int:
        """The number of a line of the audit of game 1."""
        with session(self.engine) as opened:
            audit.record(opened, self.now, who=GM, what="extend", game_id=self.parlour.game_id)
            return audit.of_game(opened, self.parlour.game_id)[-1].id

    def asked(self, of: str = "gm") -> int:
        """The number of a question of Gino's: whether game 1 may end, for masters as a draw."""
        with session(self.engine) as opened:
            game = games.lock(opened, self.parlour.game_id)
            game.options = {**game.options, "consent": of}
            open_now = [one for one in consents.open_of(opened, game.id) if one.of == of]
        if open_now:
            return open_now[0].id
        act, why = Draw() if of == "gm" else End("A"), Why(GM, "<i>too long</i>")
        house, number = self.parlour.house, self.parlour.game_id
        done = performing.perform(self.engine, house, number, act, why, self.now)
        assert isinstance(done, performing.Waiting)
        return done.number

    def _entropy(self, size: int) -> bytes:
        return next(_numbers).to_bytes(size, "big")


class Browser:
    """A browser without a screen or script, which fills in forms as a person does."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, **more)

    def page(self, path: str) -> LexborHTMLParser:
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[-2000:])
        return LexborHTMLParser(answer.text)

    def press(self, answer: Any, button: str = "", **fields: str) -> Any:
        """Fill in the first form of a page that has the button (by its words), and press it."""
        action, values = form_of(answer.text, button)
        return self.post(action or str(answer.url.path), values | fields)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Any:
        return self.client.post(path, data=fields, headers={"origin": ORIGIN, **headers})


def form_of(page: str, button: str = "") -> tuple[str, dict[str, Any]]:
    """The action and the fields of the first form whose button has these words."""
    for form in LexborHTMLParser(page).css("form[method=post]"):
        for pressed in form.css("button"):
            if button and button not in pressed.text():
                continue
            fields = _fields(form)
            if name := pressed.attributes.get("name"):
                fields[name] = pressed.attributes.get("value") or ""
            action = pressed.attributes.get("formaction") or form.attributes.get("action")
            return action or "", fields
    raise AssertionError(f"no form with a button {button!r}")


def _fields(form: Any) -> dict[str, Any]:
    """What a browser sends of a form: a list where several boxes of a name are ticked."""
    found: dict[str, Any] = {}
    for node in filter(_counts, form.css("[name]")):
        name, value = str(node.attributes["name"]), _value(node)
        found[name] = value if name not in found else [*_as_list(found[name]), value]
    return found


def _as_list(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _counts(node: Any) -> bool:
    if node.tag == "button":
        return False
    boxes = ("checkbox", "radio")
    return node.attributes.get("type") not in boxes or "checked" in node.attributes


def _value(node: Any) -> str:
    if node.tag == "select":
        chosen = node.css_first("option[selected]") or node.css_first("option")
        return "" if chosen is None else chosen.attributes.get("value", chosen.text()) or ""
    if node.tag == "textarea":
        return str(node.text()).removeprefix("\n")
    return node.attributes.get("value") or ""


@contextmanager
def open_office(folder: Path, http: Listen = HTTP) -> Iterator[Office]:
    """An office with game 1 in its setup, the offices given."""
    parlour = _parlour(folder)
    reader = open_reader(f"sqlite:///{folder}/pbem.sqlite3")
    try:
        yield Office(parlour, reader, http)
    finally:
        reader.dispose()
        parlour.close()


_first: list[tuple[Parlour, bytes]] = []
"""The first parlour of the process, and its database at the beginning: made once, then copied."""


def _parlour(folder: Path) -> Parlour:
    if not _first:
        made = Parlour(folder)
        _give_offices(made)
        made.play()
        _first.append((made, _content(folder / "pbem.sqlite3")))
        return made
    first, content = _first[0]
    (folder / "pbem.sqlite3").write_bytes(content)
    copied = copy(first)
    copied.now = datetime.now(UTC)
    copied.engine = open_engine(f"sqlite:///{folder}/pbem.sqlite3")
    return copied


def _give_offices(parlour: Parlour) -> None:
    given = ((GM, Post.GM), (BERTA, Post.GM), (DEPUTY, Post.DEPUTY), (AUDITOR, Post.AUDITOR))
    with session(parlour.engine) as opened:
        for address, post in given:
            appointments.appoint(opened, parlour.game_id, address, post, OWNER, parlour.now)


def _content(file: Path) -> bytes:
    """The database as one file, what its log holds included."""
    source, whole = sqlite3.connect(file), sqlite3.connect(":memory:")
    with closing(source), closing(whole):
        source.backup(whole)
        return whole.serialize()
