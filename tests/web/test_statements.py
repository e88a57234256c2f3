"""How often a page asks the database: as often for many games, turns and mails as for few."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import ANNA
from tests.web.office import OWNER, Browser, Office
from tests.web.test_table import run_out

LISTS = {
    OWNER: (
        *("/desk", "/desk?which=over", "/desk/quarantine", "/desk/outbox?which=sent"),
        *("/desk/outbox", "/desk/people", "/desk/audit", "/desk/health", "/api/games"),
    ),
    ANNA: ("/you", "/games"),
    None: ("/games", "/api/games"),
}
"""Pages of many games, by who looks."""

OF_A_GAME = {
    OWNER: ("", "/timeline", "/mail", "/players", "/dice", "/audit"),
    ANNA: ("", "/story", "/dice", "/letters"),
}
"""Pages of a game, of its desk and its table."""


@contextmanager
def counted(office: Office) -> Iterator[list[str]]:
    """The statements that the database is asked in the block."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        asked.append(statement)

    engines = (office.engine, office.reader)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield asked
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


def asked_for(office: Office, browser: Browser, paths: tuple[str, ...]) -> dict[str, int]:
    """How many statements each page takes, whose answer is 200."""
    found = {}
    for path in paths:
        with counted(office) as asked:
            answer = browser.get(path)
        assert answer.status_code == 200, path
        found[path] = len(asked)
    return found


def more_games(office: Office, times: int) -> None:
    """Games that everybody may watch, each with a mail set aside; every other one a turn late."""
    for number in range(times):
        game_id = office.parlour.new_game()
        with session(office.engine) as opened:
            game = games.lock(opened, game_id)
            game.options = {**game.options, "spectators": ("yes", "delayed")[number % 2]}
            game.listed = True
            opened.add(game)
        office.parlour.play()
        office.stray(f"the mail of {game_id}")


def test_a_list_of_games_asks_as_often_for_many_as_for_few(office: Office) -> None:
    browsers = {who: office.browser(who) for who in LISTS}
    more_games(office, 2)
    few = {who: asked_for(office, browsers[who], paths) for who, paths in LISTS.items()}
    more_games(office, 4)
    many = {who: asked_for(office, browsers[who], paths) for who, paths in LISTS.items()}
    assert many == few
    assert max(max(pages.values()) for pages in many.values()) <= 30


@pytest.mark.parametrize(("who", "start"), [(OWNER, "/desk/games/g1"), (ANNA, "/games/g1")])
def test_a_page_of_a_game_asks_as_often_after_many_turns(
    office: Office, who: str, start: str
) -> None:
    paths = tuple(f"{start}{path}" for path in OF_A_GAME[who])
    browser = office.browser(who)
    run_out(office, 2)
    few = asked_for(office, browser, paths)
    run_out(office, 3)
    assert asked_for(office, browser, paths) == few
