"""`pbem demo` as a newcomer meets it: one command, a letter in the browser, an answer by mail."""

import json
import os
import re
import signal
import smtplib
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import EmailMessage
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Pbem
from tests.embedded.conftest import ROOT, alive, children_of, wait_for

pytestmark = pytest.mark.slow
START = 90  # seconds; a start takes six, but not on a machine that runs ten of them
ANSWER = 10  # seconds; an idle machine answers in less than one


class Demo:
    """One demo whose usual ports are taken, and what it printed."""

    def __init__(self, folder: Path, taken: int) -> None:
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        self.environment = {
            **ours,
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(folder),
            "PBEM_SMTP_LISTEN": f"127.0.0.1:{taken}",
            "PBEM_HTTP_LISTEN": f"127.0.0.1:{taken}",
            "PBEM_RELAY_URL": "smtp://relay.example:25",  # of another installation
        }
        self.output = folder / "output"
        with self.output.open("w") as sink:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pbem", "demo"],
                env=self.environment,
                cwd=ROOT,
                stdout=sink,
                stderr=sink,
            )
        try:
            wait_for(lambda: "Ctrl-C" in self.said() or self.process.poll() is not None, START)
        except BaseException:
            self.process.kill()
            raise
        assert self.process.poll() is None, self.said()

    def said(self) -> str:
        return self.output.read_text()

    def printed(self, pattern: str) -> str:
        found = re.search(pattern, self.said())
        assert found is not None, self.said()
        return found[1]

    def pbem(self, *words: str, stdin: str = "") -> dict[str, Any]:
        """What another command prints about the installation of the demo."""
        environment = {**self.environment, "PBEM_DATA_DIR": self.printed(r"Data: +(\S+)")}
        done = subprocess.run(
            [sys.executable, "-m", "pbem", *words, "--json"],
            env={**environment, "PBEM_RELAY_URL": "mailbox"},
            cwd=ROOT,
            input=stdin,
            capture_output=True,
            check=True,
            text=True,
        )
        printed: dict[str, Any] = json.loads(done.stdout)
        return printed

    def show(self) -> dict[str, Any]:
        return self.pbem("game", "show", "g1")

    def end(self, number: int) -> None:
        """Ask it to end, which must leave neither a process nor a file."""
        below = children_of(self.process.pid)
        data = Path(self.printed(r"Data: +(\S+)"))
        assert data.is_dir()
        self.process.send_signal(number)
        assert self.process.wait(timeout=20) == 0, self.said()
        assert not any(map(alive, below))
        assert not data.exists()
        assert "Traceback" not in self.said()


@contextmanager
def running(folder: Path, number: int) -> Iterator[Demo]:
    """A demo that is asked to end by the signal of that number."""
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        demo = Demo(folder, other.getsockname()[1])
        try:
            yield demo
            demo.end(number)
        finally:
            demo.process.kill()
            demo.process.wait()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with running(tmp_path_factory.mktemp("demo"), signal.SIGTERM) as one:
        yield one


def browser() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))


def test_a_newcomer_finds_a_turn_call_and_the_answer_changes_the_board(demo: Demo) -> None:
    before = demo.show()
    assert (before["on_turn"], before["phase"]) == ("A", "place")
    assert len(before["seats"]) == 3
    to = demo.printed(r"to +(play\+\S+)")
    assert to == before["seats"][0]["reply_to"]

    page = browser()
    mailbox = demo.printed(r"Mailbox: +(\S+)")
    with page.open(mailbox) as people:
        assert "you@pbem.localhost" in people.read().decode()
    with page.open(mailbox.split("?")[0] + "/people/you@pbem.localhost") as person:
        assert "your move, Blue" in person.read().decode()

    own = next(code for code, (owner, _) in before["board"].items() if owner == "A")
    mail = EmailMessage()
    mail["From"] = demo.printed(r"from +(\S+@\S+)")
    mail["To"] = to
    mail["Message-ID"] = "<first@newcomer.example>"
    mail.set_content(f"place {before['to_place']} in {own}\n")
    host, _, port = demo.printed(r"smtp://(\S+)").rpartition(":")
    with smtplib.SMTP(host, int(port), timeout=10) as client:
        client.send_message(mail)

    def answered() -> bool:
        with page.open(mailbox.split("?")[0] + "/people/you@pbem.localhost") as person:
            return "Re: [g1]" in person.read().decode()

    assert wait_for(answered, ANSWER) < ANSWER
    after = demo.show()
    assert after["board"][own][1] == before["board"][own][1] + before["to_place"]
    assert (after["to_place"], after["step"]) == (0, 2)


def test_a_mail_from_a_pipe_is_played_by_the_worker_that_is_up(demo: Demo) -> None:
    to, you = demo.printed(r"to +(play\+\S+)"), demo.printed(r"from +(\S+@\S+)")
    mail = f"From: {you}\nTo: {to}\nMessage-ID: <piped@newcomer.example>\n\nend\n"
    taken = demo.pbem("mail", "ingest", "-", stdin=mail)
    assert (taken["arrived"], taken["status"], taken["result"]) == ("new", "done", "mistakes")


@pytest.mark.parametrize("words", [("--language", "tlh"), ("--setup", "auction")])
def test_a_demo_that_cannot_be_is_misuse(
    pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, str]
) -> None:
    monkeypatch.setenv("PBEM_DATA_DIR", "")  # the demo sets it: so it is put back afterwards
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("signal.signal", lambda *_: None)  # this process keeps its handlers
    result = pbem("demo", *words)
    assert result.exit_code == 2
    assert words[1] in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_neither_a_process_nor_a_file(tmp_path: Path) -> None:
    with running(tmp_path, signal.SIGINT):
        pass
