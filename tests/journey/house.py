"""A whole house in processes of its own, known by its commands, settings and mails only."""

import json
import os
import signal
import smtplib
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import count
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pbem.cli import app
from tests.embedded.conftest import alive, children_of, wait_for
from tests.journey.letter import Letter
from tests.journey.sink import Sink

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds for what takes one or two on a machine that has nothing else to do."""

_people = count(1)


def person(name: str) -> str:
    """An address that no other test uses."""
    return f"{name.lower()}.{next(_people)}@people.example"


class House:
    """`pbem serve` in a data directory. With a sink as its relay, else with the local mailbox."""

    def __init__(self, folder: Path, sink: Sink | None = None, **settings: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.output = folder / "serve.log"
        self.sink = sink
        relay = {} if sink is None else {"RELAY_URL": sink.url, "SENDER_AUTH": "off"}
        named = {
            "DATA_DIR": str(self.data),
            "SMTP_LISTEN": "127.0.0.1:0",
            "HTTP_LISTEN": "127.0.0.1:0",
            **relay,
            **settings,
        }
        # A clean environment: nothing of the tests' own may make the house work.
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            **{f"PBEM_{name}": value for name, value in named.items()},
        }
        self.process: subprocess.Popen[bytes] | None = None

    # -- processes -------------------------------------------------------------------------------

    def start(self) -> "House":
        """Start it and wait until it is ready."""
        try:
            self._start()
        except BaseException:
            sys.stderr.write(self.said()[-3000:])
            self.kill()
            raise
        return self

    def _start(self) -> None:
        before = self.said().count("pbem is up")
        with self.output.open("ab") as sink:
            self.process = subprocess.Popen(
                self.command("serve"),
                env=self.environment,
                cwd=self.folder,
                stdout=sink,
                stderr=sink,
            )
        process = self.process
        wait_for(
            lambda: self.said().count("pbem is up") > before or process.poll() is not None,
            PATIENCE,
        )
        assert process.poll() is None, self.said()
        self.wait_ready()

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "pbem", *arguments]

    def stop(self) -> float:
        """SIGTERM; the seconds until it has ended."""
        if self.process is None:
            return 0.0
        begun = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(25)
        finally:
            self.kill()
        return time.monotonic() - begun

    def kill(self) -> None:
        """SIGKILL to the supervisor, and to all below it that does not notice."""
        if self.process is None:
            return
        below = self.tree()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pid in below:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        wait_for(lambda: not any(map(alive, below)), PATIENCE)
        self.process = None

    def tree(self) -> dict[int, str]:
        """The processes below the supervisor with their command lines."""
        return {} if self.process is None else children_of(self.process.pid)

    def child(self, part: str) -> int:
        """The topmost process whose command line holds `part`."""
        wait_for(lambda: any(part in line for line in self.tree().values()), PATIENCE)
        return min(pid for pid, line in self.tree().items() if part in line)

    def said(self) -> str:
        return self.output.read_text(errors="replace") if self.output.exists() else ""

    # -- HTTP ------------------------------------------------------------------------------------

    @property
    def at(self) -> dict[str, Any]:
        """Where it listens, as it noted itself."""
        noted: dict[str, Any] = json.loads((self.data / "run" / "serve.json").read_text())
        return noted

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of a page; 0 when nothing answers."""
        try:
            with urllib.request.urlopen(f"{self.at['url']}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def wait_ready(self) -> None:
        wait_for(lambda: self.get("/readyz")[0] == 200, PATIENCE)

    # -- commands --------------------------------------------------------------------------------

    def run(self, *arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        """One command with its exit code and output."""
        more = {f"PBEM_{name}": value for name, value in settings.items()}
        return subprocess.run(
            self.command(*arguments),
            env={**self.environment, **more},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def ask(self, *arguments: str) -> str:
        """What a command prints. It runs in this process: a new one would take a second."""
        done = CliRunner().invoke(app, list(arguments), env=self.environment)
        assert done.exit_code == 0, done.output
        return done.stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self.ask(*arguments))

    def new_game(self, seats: Mapping[str, str], *arguments: str) -> dict[str, Any]:
        """`pbem game new --json` with seats by colour."""
        named = [f"--seat={colour}={who}" for colour, who in seats.items()]
        made: dict[str, Any] = self.json("game", "new", *named, *arguments, "--json")
        return made

    def show(self, game: str) -> dict[str, Any]:
        shown: dict[str, Any] = self.json("game", "show", game, "--json")
        return shown

    def export(self, game: str, *arguments: str) -> str:
        return self.ask("game", "export", game, *arguments)

    # -- mail ------------------------------------------------------------------------------------

    def smtp(self) -> smtplib.SMTP:
        host, _, port = self.at["smtp"].rpartition(":")
        return smtplib.SMTP(host, int(port), local_hostname="robot.example", timeout=30)

    def send(
        self,
        sender: str,
        to: str,
        text: str,
        *,
        answers: Letter | None = None,
        message_id: str | None = None,
        subject: str = "orders",
    ) -> str:
        """One mail over SMTP; its Message-ID."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Message-ID"] = message_id or make_msgid(domain="people.example")
        if answers is not None:
            mail["In-Reply-To"] = mail["References"] = answers.message_id
        mail.set_content(text)
        self.send_raw(sender, to, mail.as_bytes())
        return str(mail["Message-ID"])

    def send_raw(self, sender: str, to: str, raw: bytes) -> None:
        with self.smtp() as client:
            client.sendmail(sender, [to], raw)

    def reply(self, letter: Letter, text: str, message_id: str | None = None) -> str:
        """The reader of a letter answers it; the answer's Message-ID."""
        return self.send(
            letter.to,
            letter.reply_to,
            text,
            answers=letter,
            message_id=message_id,
            subject=f"Re: {letter.subject}",
        )

    def letter(self, to: str, kind: str, seconds: float = PATIENCE, n: int = 1) -> Letter:
        """The nth letter of a kind to an address, once it is there."""
        sink = self._sink()
        found: list[Letter] = sink.wait(
            lambda: len(all_of := sink.to(to, kind)) >= n and all_of, seconds, f"{kind} to {to}"
        )
        return found[n - 1]

    def answers(self, message_id: str) -> list[Letter]:
        """The letters that answer a mail so far."""
        return [one for one in self._sink().letters if one.in_reply_to == message_id]

    def answer(self, message_id: str, seconds: float = PATIENCE) -> Letter:
        """The letter that answers a mail."""
        found: list[Letter] = self._sink().wait(
            lambda: self.answers(message_id), seconds, f"answer to {message_id}"
        )
        return found[0]

    def say(self, letter: Letter, text: str) -> Letter:
        """Answer a letter and wait for the answer."""
        return self.answer(self.reply(letter, text))

    def _sink(self) -> Sink:
        assert self.sink is not None, "this house keeps its letters"
        return self.sink
