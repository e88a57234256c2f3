"""A real mailbox is polled: each mail is taken once, and marked when it is safe."""

import imaplib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.cli.polling import Poller
from pbem.mail.imap import ImapError, Mailbox
from pbem.store import folders, tables
from pbem.store.engine import session
from pbem.store.tables import InboxStatus, Source
from tests.conftest import require
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, DOMAIN, Parlour, mail
from tests.mail.forge import Names, keys, signed
from tests.servers.daemons import dovecot, free_port, wait_until
from tests.store import boxes

USER = "games"


class Post:
    """The mailbox of a provider, and the house that fetches from it."""

    def __init__(self, house: Parlour, folder: Path, port: int) -> None:
        self.house, self.folder, self.port = house, folder, port
        self.hints: list[int] = []
        self.poller = self.another()

    def another(self, done: str | None = None) -> Poller:
        mailbox = Mailbox("127.0.0.1", self.port, USER, "secret", tls=False)
        return Poller(
            mailbox,
            self.house.engine,
            self.house.house,
            lambda _name, game: self.hints.append(game),
            done,
            lambda: self.house.now,
        )

    @contextmanager
    def client(self) -> Iterator[imaplib.IMAP4]:
        with imaplib.IMAP4("127.0.0.1", self.port) as client:
            client.login(USER, "secret")
            client.select("INBOX")
            yield client

    def put(self, raw: bytes, flags: str = "") -> None:
        with self.client() as client:
            status, _ = client.append("INBOX", flags, None, raw)
        assert status == "OK"

    def with_flag(self, flag: str, folder: str = "INBOX") -> int:
        with self.client() as client:
            client.select(folder)
            _, (found,) = client.search(None, flag)
        return len(found.split())

    def rows(self) -> list[tables.Inbox]:
        with session(self.house.engine) as opened:
            return list(boxes.mails(opened, tuple(InboxStatus)))


@pytest.fixture
def post(parlour: OpenParlour, open_folder: Path) -> Iterator[Post]:
    require("dovecot")
    house = parlour(names=Names(keys()))
    house.play()
    port = free_port()
    with dovecot(open_folder, port):
        found = Post(house, open_folder, port)
        yield found
        found.poller.close()


def order(house: Parlour) -> bytes:
    return signed(mail("board", f"Delivered-To: {house.address()}"))


def test_a_mailbox_is_read_once_and_marked(post: Post) -> None:
    house = post.house
    post.put(b"Subject: of last year\r\n\r\nread long ago\r\n", flags=r"\Seen")
    post.put(order(house))
    post.put(signed(mail("hello", "To: somebody@else.example")))
    assert post.poller.round() is False
    (row,) = post.rows()
    assert (row.source, row.peer, row.recipient) == (Source.IMAP, "", house.address())
    assert post.hints == [house.game_id]
    assert post.with_flag("SEEN") == 2, "a mail that is not for us is left as it is"
    house.play()
    assert house.letters(to=ANNA, kind="done")

    post.put(order(house))
    for _ in range(3):
        post.poller.round()
    assert len(post.rows()) == 2

    # Killed between the commit and the mark, or another numbering: what comes twice is one mail.
    with session(house.engine) as opened:
        folders.keep(opened, post.poller.mailbox.name, 1, 0, house.now)
    with post.client() as client:
        client.store("1:*", "-FLAGS", r"(\Seen)")
    post.poller.round()
    assert len(post.rows()) == 2
    assert post.with_flag("UNSEEN") == 2


def test_mails_move_where_that_is_wanted_and_large_ones_are_flagged(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.cli.polling._TOO_LARGE", 50_000)
    poller = post.another("Taken")
    post.put(order(post.house))
    post.put(mail("x" * 60_000, f"Delivered-To: {post.house.address()}"))
    post.put(mail("hello", f"To: postmaster@{DOMAIN}"))
    poller.round()
    assert [row.recipient for row in post.rows()] == [
        post.house.address(),
        f"postmaster@{DOMAIN}",
    ]
    assert post.with_flag("ALL") == post.with_flag("FLAGGED") == 1
    assert post.with_flag("ALL", "Taken") == 2
    poller.close()


def test_a_server_that_goes_away_and_comes_back(parlour: OpenParlour, open_folder: Path) -> None:
    require("dovecot")
    house, port = parlour(names=Names(keys())), free_port()
    with dovecot(open_folder, port):
        post = Post(house, open_folder, port)
        post.put(order(house))
        assert post.poller.round() is False
    with pytest.raises(ImapError):
        post.poller.round()
    with pytest.raises(ImapError, match="refused"):
        post.poller.round()
    with dovecot(open_folder, port):
        post.put(order(house))
        post.poller.round()
        wrong = Poller(
            Mailbox("127.0.0.1", port, USER, "guessed", tls=False),
            house.engine,
            house.house,
            lambda *_: None,
        )
        with pytest.raises(ImapError, match=r"(?i)authentication"):
            wrong.round()
    post.poller.close()
    assert len(post.rows()) == 2


def test_the_command_fetches_until_it_is_asked_to_end(post: Post, tmp_path: Path) -> None:
    post.put(order(post.house))
    environment = {
        **os.environ,
        "PBEM_DATA_DIR": str(tmp_path / "data"),
        "PBEM_DATABASE_URL": str(post.house.engine.url),
        "PBEM_DOMAIN": DOMAIN,
        "PBEM_SECRET": "a secret",
        "PBEM_IMAP_URL": f"imap://{USER}:secret@127.0.0.1:{post.port}/INBOX",
        "PBEM_IMAP_EVERY": "1s",
    }
    command = [sys.executable, "-m", "pbem", "imap"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process:
        try:
            wait_until(post.rows)
            post.put(order(post.house))
            wait_until(lambda: len(post.rows()) == 2)
        finally:
            process.terminate()
            _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")
    assert post.with_flag("SEEN") == 2
