"""Settings: where they come from, what they become, and what is said about wrong ones."""

import stat
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.settings import Listen, SettingsError, load_settings, parse_listen
from tests.mail.forge import key


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory, and nothing else set."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "data"))
    for name in ("CONFIG", "DATABASE_URL", "BROKER_URL", "SECRET", "SMTP_LISTEN", "RELAY_URL"):
        monkeypatch.delenv(f"PBEM_{name}", raising=False)
    return tmp_path / "data"


def complaint() -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_nothing_set_is_a_service_on_this_machine_only(home: Path) -> None:
    settings = load_settings()
    assert settings.database_url == f"sqlite:///{home}/pbem.sqlite3"
    assert settings.broker_url is None
    assert settings.lmtp_listen is None
    assert str(settings.smtp_listen) == "127.0.0.1:2525"
    assert settings.public_url == "http://127.0.0.1:8000"
    assert settings.relay_url == "mailbox"
    assert settings.shows_mailbox
    assert settings.sender_auth == "off"
    assert [step.total_seconds() / 60 for step in settings.retry_steps] == [1, 5, 15, 60]


def test_default_folder_follows_the_desktop_standard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_DATA_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", str(Path.cwd() / "nowhere-written"))
    monkeypatch.setattr(Path, "mkdir", lambda *_args, **_kw: None)
    monkeypatch.setattr("pbem.settings.os.access", lambda *_: True)
    monkeypatch.setenv("PBEM_SECRET", "given")
    assert load_settings().data_dir == Path.cwd() / "nowhere-written" / "pbem"


def test_a_folder_that_may_only_be_read_is_named_at_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_settings()
    monkeypatch.setattr("pbem.settings.os.access", lambda path, _mode: path != home)
    assert complaint() == (
        f"PBEM_DATA_DIR is wrong: {home} cannot be used (Permission denied); "
        "allowed is a folder that this user may write to"
    )


def test_environment_wins_over_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    (home / "pbem.toml").write_text(
        'domain = "Games.Example"\nretry_steps = ["2m", "1h"]\ngm = ["a@x.example"]\n'
        "worker_concurrency = 3\n"
    )
    monkeypatch.setenv("PBEM_GM", "b@x.example, c@x.example")
    settings = load_settings()
    assert settings.domain == "games.example"
    assert settings.retry_steps == (timedelta(minutes=2), timedelta(hours=1))
    assert settings.gm == ("b@x.example", "c@x.example")
    assert settings.worker_concurrency == 3


def test_named_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "other.toml"
    config.write_text('smtp_listen = "[::1]:0"\n')
    monkeypatch.setenv("PBEM_CONFIG", str(config))
    assert load_settings().smtp_listen == Listen("::1", 0)


def test_secret_is_made_once_and_closed_to_others(home: Path) -> None:
    first = load_settings().secret
    assert len(first) >= 32
    assert load_settings().secret == first
    assert stat.S_IMODE((home / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_secret_of_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    load_settings()
    monkeypatch.setenv("PBEM_SECRET", "from outside")
    assert load_settings().secret == "from outside"


def test_secret_and_passwords_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SECRET", "s3cr3t")
    monkeypatch.setenv("PBEM_RELAY_URL", "smtp://me:passw0rd@relay.example:587")
    shown = repr(load_settings())
    assert "s3cr3t" not in shown
    assert "passw0rd" not in shown


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("DATABASE_URL", "mysql://host/name", "postgresql://"),
        ("BROKER_URL", "amqp://host", "redis://"),
        ("DOMAIN", "no spaces here", "games.example.org"),
        ("SMTP_LISTEN", "2525", "host:port"),
        ("SMTP_LISTEN", "127.0.0.1:70000", "host:port"),
        ("SMTP_LISTEN", "0.0.0.0:25,[::]:25", "[::]:25 for all addresses of both kinds"),
        ("PROXY_PEERS", "10.0.0.5, balancer", "192.168.0.0/24"),
        ("PROXY_PEERS", "10.0.0.5/8", "192.168.0.0/24"),
        ("RUN_AS", "a b", "user:group"),
        ("RATE_PER_ADDRESS", "-1", "0 for no limit"),
        ("RATE_PER_SENDER", "many", "0 for no limit"),
        ("SPAM_HEADER", "X-Spam: yes", "X-Spam-Flag"),
        ("LMTP_LISTEN", "elsewhere", "or none"),
        ("HTTP_LISTEN", "http://127.0.0.1:80", "host:port"),
        ("PUBLIC_URL", "games.example.org", "https://"),
        ("RELAY_URL", "ftp://relay", "mailbox"),
        ("RELAY_URL", "smtp://relay:port", "mailbox"),
        ("SENDER_AUTH", "maybe", "authserv:ID"),
        ("ALLOW_UNPROVED_SENDERS", "perhaps", "yes or no"),
        ("GM", "a@x.example, nobody", "addresses"),
        ("RETRY_STEPS", "1m,5", "1m,5m,15m,60m"),
        ("RETRY_STEPS", ",", "1m,5m,15m,60m"),
        ("OUTCOME_UNKNOWN", "15", "e.g. 15m"),
        ("SWEEP_EVERY", "0s", "1s to 5m"),
        ("WORKER_CONCURRENCY", "0", "1 to 256"),
    ],
)
def test_wrong_setting_is_one_line_with_its_name(
    name: str, value: str, allowed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"PBEM_{name}", value)
    line = complaint()
    assert line.startswith(f"PBEM_{name} is wrong")
    assert allowed in line
    assert "\n" not in line


def test_each_wrong_setting_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SMTP_LISTEN", "x")
    monkeypatch.setenv("PBEM_GM", "y")
    assert [line.split()[0] for line in complaint().splitlines()] == [
        "PBEM_SMTP_LISTEN",
        "PBEM_GM",
    ]


def test_a_span_out_of_bounds_is_told_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_OUTAGE", "10s")
    assert complaint().startswith("PBEM_OUTAGE is wrong ('10s'); allowed: ")


def test_wrong_url_with_a_password_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_RELAY_URL", "imap://me:passw0rd@relay.example")
    assert "passw0rd" not in complaint()


def test_unknown_name_in_the_file_is_named(home: Path) -> None:
    home.mkdir()
    (home / "pbem.toml").write_text('domian = "x.example"\n')
    wrong = "pbem.toml is wrong: there is no setting named"
    assert complaint() == f"{wrong} 'domian'; did you mean 'domain'?"
    (home / "pbem.toml").write_text('colour = "red"\n')
    assert complaint() == f"{wrong} 'colour'"


def test_file_that_is_no_toml_is_named(home: Path) -> None:
    home.mkdir()
    (home / "pbem.toml").write_text("domain is x\n")
    assert f"{home}/pbem.toml is not a TOML file" in complaint()


def test_missing_named_file_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_CONFIG", "/nowhere/pbem.toml")
    assert complaint().startswith("PBEM_CONFIG is wrong")


def test_data_directory_that_cannot_be_made_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "file" / "below"))
    assert complaint().startswith("PBEM_DATA_DIR is wrong")


@pytest.mark.parametrize(
    ("smtp", "relay", "auth"),
    [
        ("127.0.0.1:2525", "mailbox", "off"),
        ("[::1]:2525", "mailbox", "off"),
        ("0.0.0.0:25", "mailbox", "dmarc"),
        ("127.0.0.1:2525", "smtp://relay.example", "dmarc"),
    ],
)
def test_senders_are_proved_unless_all_mail_stays_here(
    smtp: str, relay: str, auth: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SMTP_LISTEN", smtp)
    monkeypatch.setenv("PBEM_RELAY_URL", relay)
    assert load_settings().sender_auth == auth


def test_unproved_senders_on_an_open_door_must_be_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SMTP_LISTEN", "0.0.0.0:25")
    monkeypatch.setenv("PBEM_SENDER_AUTH", "off")
    assert complaint().startswith("PBEM_SENDER_AUTH=off is refused")
    monkeypatch.setenv("PBEM_ALLOW_UNPROVED_SENDERS", "yes")
    assert load_settings().sender_auth == "off"


@pytest.mark.parametrize(
    ("http", "relay"), [("0.0.0.0:8000", "mailbox"), ("127.0.0.1:8000", "smtp://relay.example")]
)
def test_mailbox_page_needs_loopback_and_the_mailbox(
    http: str, relay: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HTTP_LISTEN", http)
    monkeypatch.setenv("PBEM_RELAY_URL", relay)
    assert not load_settings().shows_mailbox


@pytest.mark.parametrize("text", ["127.0.0.1:25", "[::1]:0", "mail.example:2525"])
def test_address_to_listen_on_round_trips(text: str) -> None:
    assert str(parse_listen(text)) == text


@pytest.mark.parametrize(
    ("auth", "proofs", "authserv"),
    [
        ("off", False, None),
        ("dmarc", True, None),
        ("authserv:mx.example.org", True, "mx.example.org"),
    ],
)
def test_the_house_knows_how_senders_are_proved(
    monkeypatch: pytest.MonkeyPatch, auth: str, proofs: bool, authserv: str | None
) -> None:
    monkeypatch.setenv("PBEM_SENDER_AUTH", auth)
    house = load_settings().house
    assert (house.proofs, house.authserv) == (proofs, authserv)


def test_a_key_and_its_selector_go_together(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().signer is None
    monkeypatch.setenv("PBEM_DKIM_SELECTOR", "games")
    with pytest.raises(SettingsError, match="go together"):
        load_settings()
    monkeypatch.setenv("PBEM_DKIM_KEY_FILE", str(home / "key.pem"))
    with pytest.raises(SettingsError, match=r"PBEM_DKIM_KEY_FILE is wrong: .*cannot be read"):
        load_settings()
    (home / "key.pem").write_bytes(key(2048)[0])
    signer = load_settings().signer
    assert signer is not None
    assert (signer.domain, signer.selector) == ("pbem.localhost", "games")


def test_a_certificate_and_its_key_go_together(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().certificate is None
    monkeypatch.setenv("PBEM_TLS_CERT", str(home / "cert.pem"))
    with pytest.raises(SettingsError, match="PBEM_TLS_CERT and PBEM_TLS_KEY go together"):
        load_settings()
    monkeypatch.setenv("PBEM_TLS_KEY", str(home / "key.pem"))
    for name in ("cert.pem", "key.pem"):
        with pytest.raises(SettingsError, match=rf"PBEM_TLS_KEY is wrong: .*{name}: No such file"):
            load_settings()
        (home / name).write_text("nonsense")
    with pytest.raises(SettingsError, match="PBEM_TLS_CERT or PBEM_TLS_KEY is wrong") as caught:
        load_settings()
    assert "\n" not in str(caught.value)


def test_what_the_house_knows_of_forwarders_and_spam(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_ARC_SEALERS", "lists.example.org, example.com")
    monkeypatch.setenv("PBEM_SPAM_HEADER", "X-Spam-Flag")
    house = load_settings().house
    assert house.arc_sealers == ("lists.example.org", "example.com")
    assert house.spam_header == "X-Spam-Flag"


@pytest.mark.parametrize("auth", ["dmarc", "authserv:mx.example.org"])
def test_proof_without_its_libraries_says_what_to_install(
    auth: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.settings.find_spec", lambda _module: None)
    load_settings()
    monkeypatch.setenv("PBEM_SENDER_AUTH", auth)
    assert "PBEM_SENDER_AUTH needs what is not installed" in complaint()


@pytest.mark.parametrize(
    "url", ["imaps://host/INBOX", "http://u:p@host", "imaps://u:secret-word@", "imaps://u@host"]
)
def test_a_wrong_mailbox_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("PBEM_IMAP_URL", url)
    with pytest.raises(SettingsError, match="PBEM_IMAP_URL is wrong; allowed: imaps://") as caught:
        load_settings()
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("IMAP_URL", "imaps://u:p@mail.example.org"), ("WEBHOOK_SECRET", "0123456789abcdef")],
)
def test_another_way_in_wants_senders_proved(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"PBEM_{name}", value)
    assert load_settings().sender_auth == "dmarc"
    monkeypatch.setenv("PBEM_SENDER_AUTH", "off")
    with pytest.raises(SettingsError, match=f"refused while PBEM_{name} is set"):
        load_settings()
    monkeypatch.setenv("PBEM_ALLOW_UNPROVED_SENDERS", "yes")
    assert load_settings().sender_auth == "off"


def test_a_short_webhook_secret_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_WEBHOOK_SECRET", "short")
    with pytest.raises(SettingsError, match="PBEM_WEBHOOK_SECRET is wrong; allowed") as caught:
        load_settings()
    assert "short" not in str(caught.value)
