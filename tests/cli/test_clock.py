"""`pbem clock`: what is due next, and the release after the safety stop."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pbem.store import clock
from pbem.store.engine import open_engine, session
from tests.cli.conftest import Pbem


def test_the_clock_shows_what_comes_and_is_released_once(pbem: Pbem, tmp_path: Path) -> None:
    seats = ("--seat", "red=anna@people.example", "--seat", "blue=bruno@people.example")
    made = pbem("game", "new", *seats, "--set", "at=20:00", "--set", "gap=6h", "--json")
    assert made.exit_code == 0, made.output
    shown = json.loads(pbem("clock", "show", "--json").stdout)
    assert [(thing["game"], thing["what"]) for thing in shown["next"]] == [("g1", "deadline")]
    refused = pbem("clock", "release")
    assert (refused.exit_code, refused.stderr.strip()) == (1, "pbem: the clock is not held")
    engine = open_engine(f"sqlite:///{tmp_path}/data/pbem.sqlite3")
    now = datetime.now(UTC)
    with session(engine) as opened:
        clock.start(opened, now)
        clock.hold(opened, now, {"missing": 20, "waiting": 30})
    engine.dispose()
    assert "20 of 30 seats would have missed" in pbem("clock", "show").stdout
    assert "deadlines move by that time" in pbem("clock", "release").stdout
    with closing(sqlite3.connect(tmp_path / "data" / "pbem.sqlite3")) as database:
        assert database.execute("SELECT cause FROM outage").fetchall() == [("held",)]


def test_every_option_of_the_clock_can_be_set(pbem: Pbem) -> None:
    options = {
        "days": "mon-fri",
        "hours": "8-22",
        "zone": "Europe/Rome",
        "setup_pace": "72h",
        "grace": "10m",
        "invitation": "3d",
        "session": "3h",
        "late_after": "1",
        "vacant": "replacement",
        "time_bank": "24h",
        "away_days": "20",
        "away_shown": "yes",
        "pause": "7d",
        "stalled": "60d",
        "round_limit": "20",
    }
    changes = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    seats = ("--seat", "red=anna@people.example", "--seat", "blue=bruno@people.example")
    made = pbem("game", "new", *seats, "--pace", "24h", *changes, "--json")
    assert made.exit_code == 0, made.output
    wrong = pbem("game", "new", *seats, "--set", "hours=22-8")
    assert wrong.exit_code == 2
    assert "hours: not hours of a day" in wrong.stderr


def test_a_reminder_before_the_turn_is_refused_and_the_usual_ones_give_way(pbem: Pbem) -> None:
    seats = ("--seat", "red=anna@people.example", "--seat", "blue=bruno@people.example")
    wrong = pbem("game", "new", *seats, "--pace", "12h", "--remind", "24h,3h")
    assert wrong.exit_code == 2
    assert "remind: one would come before its turn begins; give times shorter" in wrong.stderr
    for times in ((), ("--remind", "3h"), ("--remind", "none")):
        assert pbem("game", "new", *seats, "--pace", "12h", *times).exit_code == 0
