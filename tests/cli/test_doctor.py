"""`pbem doctor`: each check well and not well, with our own name system and real servers."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import app
from pbem.cli.checkup import finding, loop, names, service
from pbem.cli.checkup.finding import Finding, Verdict, examine, ok
from pbem.cli.doctor import examine_all
from pbem.judge import handed_on
from pbem.settings import Settings, load_settings
from pbem.store import migrate
from pbem.store.engine import open_engine, session
from pbem.store.tables import InboxStatus, Source
from tests.judge.server import Server, listening
from tests.mail.forge import Names, Zone, key
from tests.store import boxes

DOMAIN, SENDER = "games.example.org", "192.0.2.10"
GOOD: Zone = {
    ("example.com", "TXT"): ("v=spf1 -all",),
    (DOMAIN, "MX"): ("20 spare.example.org.", "10 mx.example.org."),
    ("mx.example.org", "A"): (SENDER,),
    ("spare.example.org", "A"): ("192.0.2.11",),
    ("relay.example.org", "A"): (SENDER,),
    (DOMAIN, "TXT"): ("v=spf1 ip4:192.0.2.10 -all", "another=record"),
    (f"s1._domainkey.{DOMAIN}", "TXT"): (key()[1],),
    (f"_dmarc.{DOMAIN}", "TXT"): ("v=DMARC1; p=none",),
    ("10.2.0.192.in-addr.arpa", "PTR"): ("relay.example.org.",),
}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A house on the internet, whose relay is another machine."""
    (tmp_path / "key.pem").write_bytes(key()[0])
    for name, value in {
        "DATA_DIR": str(tmp_path / "data"),
        "DOMAIN": DOMAIN,
        "RELAY_URL": "smtp://relay.example.org",
        "PUBLIC_URL": "https://games.example.org",
        "DKIM_SELECTOR": "s1",
        "DKIM_KEY_FILE": str(tmp_path / "key.pem"),
    }.items():
        monkeypatch.setenv(f"PBEM_{name}", value)
    monkeypatch.delenv("PBEM_BROKER_URL", raising=False)
    return load_settings()


def changed(settings: Settings, **other: object) -> Settings:
    return settings.model_copy(update=other)


def of_names(settings: Settings, zone: Zone = GOOD, down: tuple[str, ...] = ()) -> names.Names:
    return names.Names(settings, Names(zone, down=down))


def without(*gone: tuple[str, str]) -> Zone:
    return {name: found for name, found in GOOD.items() if name not in gone}


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mx", "spf", "dkim", "dmarc", "ptr"])
def test_names_in_order(settings: Settings, kind: str) -> None:
    found: Finding = getattr(of_names(settings), kind)()
    assert (found.check, found.verdict, found.todo) == (kind, Verdict.OK, "")


OTHER_KEY = key(1024)[1]


@pytest.mark.parametrize(
    ("kind", "zone", "said"),
    [
        ("mx", without((DOMAIN, "MX")), "has no MX"),
        ("mx", without(("mx.example.org", "A")), "mx.example.org has no address"),
        ("spf", without((DOMAIN, "TXT")), "has 0 SPF records"),
        ("spf", {**GOOD, (DOMAIN, "TXT"): ("v=spf1 -all", "v=spf1 mx -all")}, "has 2 SPF records"),
        ("spf", {**GOOD, (DOMAIN, "TXT"): ("v=spf1 -all",)}, f"does not let {SENDER} send"),
        ("dkim", without((f"s1._domainkey.{DOMAIN}", "TXT")), "does not prove our letters"),
        ("dkim", {**GOOD, (f"s1._domainkey.{DOMAIN}", "TXT"): (OTHER_KEY,)}, "does not prove"),
        ("dmarc", without((f"_dmarc.{DOMAIN}", "TXT")), "has 0 DMARC records"),
        ("ptr", without(("10.2.0.192.in-addr.arpa", "PTR")), f"{SENDER} has no name"),
        (
            "ptr",
            {**GOOD, ("10.2.0.192.in-addr.arpa", "PTR"): ("spare.example.org.",)},
            "that leads back",
        ),
    ],
)
def test_names_that_are_wrong(settings: Settings, kind: str, zone: Zone, said: str) -> None:
    found: Finding = getattr(of_names(settings, zone), kind)()
    assert found.verdict is Verdict.FAIL
    assert said in found.said
    assert found.todo


def test_who_does_not_sign_is_told_that_the_relay_has_to(settings: Settings) -> None:
    unsigned = changed(settings, dkim_selector="", dkim_key_file=None)
    assert of_names(unsigned).dkim().verdict is Verdict.WARN


def test_a_name_system_that_is_down_ends_the_questions(settings: Settings) -> None:
    down = Names(GOOD, down=("",))
    found = {f.check: f for f in examine_all(settings, lambda _: down, loop=False)}
    assert found["dns"].verdict is Verdict.FAIL
    assert "mx" not in found


def test_a_domain_of_this_machine_is_not_asked_about(settings: Settings) -> None:
    asked = Names(GOOD)
    local = changed(settings, domain="pbem.localhost", relay_url="mailbox")
    found = {f.check: f for f in examine_all(local, lambda _: asked, loop=False)}
    assert found["names"].verdict is Verdict.WARN
    assert asked.asked == []


# -- the service -----------------------------------------------------------------------------------


def test_a_database_that_is_not_there_is_not_made(settings: Settings) -> None:
    assert service.database(settings).todo.startswith("run pbem migrate")
    assert not (settings.data_dir / "pbem.sqlite3").exists()
    migrate.migrate(settings.database_url)
    assert service.database(settings).verdict is Verdict.OK


def test_a_database_that_is_away_is_named_with_its_setting(settings: Settings) -> None:
    away = changed(settings, database_url="postgresql+psycopg://u:hush@127.0.0.1:9/pbem")
    found = service.database(away)
    assert found.verdict is Verdict.FAIL
    assert found.todo == "start the database, or mend PBEM_DATABASE_URL"
    assert "psycopg" not in found.said
    assert "hush" not in str(found)


def test_a_broker_that_is_away(settings: Settings, redis_url: str) -> None:
    assert service.broker(settings).verdict is Verdict.WARN
    here, gone = (changed(settings, broker_url=url) for url in (redis_url, "redis://127.0.0.1:1/0"))
    assert service.broker(here).verdict is Verdict.OK
    away = service.broker(gone)
    assert away.verdict is Verdict.FAIL
    assert "PBEM_BROKER_URL" in away.said


def test_a_clock_and_the_databases(settings: Settings, postgres_url: str) -> None:
    for url in (settings.database_url, postgres_url):
        found = service.clock(changed(settings, database_url=url))
        assert found.verdict in (Verdict.OK, Verdict.WARN), found


def test_all_words_are_there() -> None:
    assert service.words() == ok("words", "letters, pages and orders in en, it, nl, sl")


def test_a_relay_lets_us_in_and_nothing_is_sent(settings: Settings) -> None:
    with listening(Server()) as server:
        url = f"smtp://127.0.0.1:{server.port}"
        found = service.relay(changed(settings, relay_url=url))
    assert found.verdict is Verdict.OK
    assert "lets us in" in found.said
    assert server.taken == []
    found = service.relay(changed(settings, relay_url=url))
    assert found.verdict is Verdict.FAIL


def test_links_that_lead_nowhere(settings: Settings) -> None:
    assert service.pages(settings).verdict is Verdict.OK
    here = changed(settings, public_url="http://127.0.0.1:8000")
    assert service.pages(here).verdict is Verdict.FAIL


# -- the way of a mail -----------------------------------------------------------------------------


@dataclass
class Home:
    """A relay that brings mail for us home, as the internet does."""

    settings: Settings
    lost: bool = False
    came: list[bytes] = field(default_factory=list)

    def take(self, to: str, raw: bytes) -> str | None:
        self.came.append(raw)
        if self.lost:
            return None
        engine = open_engine(self.settings.database_url)
        received = b"Received: from outside\r\n" + raw
        with session(engine) as opened:
            now = datetime.now(UTC)
            handed_on.take(opened, self.settings.house, received, Source.SMTP, now, to=(to,))
        engine.dispose()
        return None


@pytest.fixture
def home(settings: Settings) -> Iterator[Home]:
    migrate.migrate(settings.database_url)
    found = Home(settings)
    with listening(Server(at_data=found.take)) as server:
        found.settings = changed(settings, relay_url=f"smtp://127.0.0.1:{server.port}")
        yield found


def test_a_mail_to_ourselves_comes_home_and_leaves_no_work(home: Home) -> None:
    assert loop.loop(home.settings).verdict is Verdict.OK
    engine = open_engine(home.settings.database_url)
    with session(engine) as opened:
        assert [r.result for r in boxes.mails(opened, [InboxStatus.IGNORED])] == ["loop-test"]
        assert not boxes.mails(opened, [InboxStatus.SET_ASIDE])
    engine.dispose()


def test_a_mail_that_is_lost_on_the_way(home: Home) -> None:
    home.lost = True
    found = loop.loop(home.settings, patience=0.5)
    assert found.verdict is Verdict.FAIL
    assert len(home.came) == 1


# -- the command -----------------------------------------------------------------------------------


def test_a_check_that_never_ends_has_failed() -> None:
    def never() -> Finding:
        time.sleep(30)
        return ok("slow", "")

    began = time.monotonic()
    found = examine("slow", never, patience=0.2)
    assert (found.verdict, time.monotonic() - began < 5) == (Verdict.FAIL, True)


def test_a_check_that_raises_has_failed_in_one_line() -> None:
    def broken() -> Finding:
        raise OSError("no route\nto host")

    assert str(examine("relay", broken)) == (
        "fail  relay      no route: this check could not be made"
    )


def test_the_command_says_a_line_each_and_fails_with_what_fails(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = Names(down=("",))
    monkeypatch.setattr("pbem.mail.resolver.lookup_within", lambda _: down)
    monkeypatch.setattr(finding, "PATIENCE", 3.0)
    monkeypatch.setenv("PBEM_RELAY_URL", "smtp://127.0.0.1:1")
    plain = CliRunner().invoke(app, ["doctor", "--no-loop"])
    assert plain.exit_code == 1
    lines = plain.stdout.splitlines()
    assert all(line.split()[0] in ("ok", "warn", "fail") for line in lines)
    told = CliRunner().invoke(app, ["doctor", "--no-loop", "--json"])
    checks = [json.loads(line) for line in told.stdout.splitlines()]
    assert [check["check"] for check in checks] == [line.split()[1] for line in lines]
    assert {"database", "broker", "clock", "words", "tls", "relay", "dns"} <= {
        check["check"] for check in checks
    }
    del settings
