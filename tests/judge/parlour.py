"""A house with one game on a database of its own, that mails are brought to and answers read in."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import parseaddr
from itertools import count
from pathlib import Path

from pbem.judge import choosing, dispatch, intake, lobby, lobby_mail
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.judge.lobby import NewSeat
from pbem.mail.smtpd import Arrival
from pbem.store import games, inbox, outbox, tables
from pbem.store.engine import open_engine, session
from pbem.store.tables import Source
from tests.mail.forge import Names
from tests.store import boxes, fresh

ANNA, BERTA = "anna@example.com", "berta@example.net"
DOMAIN = "games.example.org"
_numbers = count(1)


class Parlour:
    """Anna (A) and Berta (B) at a table of two, open at turn 1; `names` is the name system.

    `letters` are all that were sent, in the order in which they were written.
    """

    def __init__(
        self,
        folder: Path,
        *,
        proofs: bool = True,
        authserv: str | None = None,
        spam_header: str | None = None,
        start: bool = True,
        names: Names | None = None,
        ruleset: str = "classic-1993",
        seats: int = 3,
        chosen: Mapping[str, str] | None = None,
    ) -> None:
        self.house = House(
            DOMAIN,
            b"a secret",
            gm=("gm@example.org",),
            proofs=proofs,
            authserv=authserv,
            spam_header=spam_header,
        )
        self.names = names or Names()
        self.now = datetime.now(UTC)
        self.engine = open_engine(fresh.new_file(folder / "pbem.sqlite3"))
        self.post = dispatch.Post(None, (timedelta(minutes=1),), timedelta(minutes=15))
        self.game_id = self.new_game(start=start, ruleset=ruleset, seats=seats, chosen=chosen)

    def new_game(
        self,
        *,
        start: bool = True,
        ruleset: str = "classic-1993",
        seats: int = 3,
        chosen: Mapping[str, str] | None = None,
    ) -> int:
        """A game of Anna and Berta, with Carla if it is for three; its id."""
        rules, settled = choosing.choose(ruleset, chosen or {}, pace=None, remind=())
        people = [
            NewSeat("red", "Anna", ANNA, "en"),
            NewSeat("blue", "Berta", BERTA, "en"),
            NewSeat("green", "Carla", "carla@example.org", "en"),
        ]
        with session(self.engine) as opened:
            game = lobby.create(
                opened,
                self.now,
                ruleset=rules,
                options=settled,
                seats=people[:seats],
                language="en",
                entropy=bytes,
            )
            lobby.open_game(opened, self.house, game, self.now, inviter="gm", start=start)
            return game.id

    def close(self) -> None:
        self.engine.dispose()

    # -- mail in ---------------------------------------------------------------------------------

    def address(self, letter: str = "A", game_id: int | None = None) -> str:
        """Where the seat's newest letter is answered."""
        with session(self.engine) as opened:
            seats = games.seats(opened, game_id or self.game_id)
        found = next(seat for seat in seats if seat.letter == letter).last_letter_address
        assert found is not None
        return found

    def bring(
        self,
        raw: bytes,
        *to: str,
        mail_from: str = ANNA,
        peer: str = "192.0.2.25",
        source: Source = Source.SMTP,
    ) -> list[tables.Inbox]:
        """Take a mail in at the door, play all that waits, send all letters; the mail's rows.

        The door refuses with AssertionError.
        """
        for recipient in to:
            with session(self.engine) as opened:
                refusal = intake.refuse_recipient(opened, self.house, recipient, self.now)
            assert refusal is None, refusal
        taken = self.let_in(raw, *to, mail_from=mail_from, peer=peer, source=source)
        self.play()
        return [self.row(inbox_id) for inbox_id in taken]

    def let_in(
        self,
        raw: bytes,
        *to: str,
        mail_from: str = ANNA,
        peer: str = "192.0.2.25",
        source: Source = Source.SMTP,
    ) -> list[int]:
        """Take a mail in that the door has let pass, and no more; the ids of its rows."""
        arrival = Arrival(raw, mail_from, to, self.now, peer, "mail.example.com")
        with session(self.engine) as opened:
            receipts = inbox.add(opened, intake.deliveries(arrival, source))
        return [receipt.inbox_id for receipt in receipts]

    def play(self) -> None:
        """Play what may be played now, and send what may be sent."""
        with session(self.engine) as opened:
            waiting = boxes.waiting_games(opened, self.now)
        for game_id in waiting:
            drain(self.engine, self.house, game_id, lambda: self.now, lookups=lambda _: self.names)
        lobby_mail.drain(self.engine, self.house, lambda: self.now, bytes, lookups=self._lookups)
        with session(self.engine) as opened:
            unsent = boxes.sendable(opened, self.now)
        for letter in unsent:
            sent = dispatch.send(self.engine, self.house, self.post, letter, lambda: self.now)
            assert sent, self._letter(letter).last_error

    def _lookups(self, _seconds: float) -> Names:
        return self.names

    def _letter(self, outbox_id: int) -> tables.Outbox:
        with session(self.engine) as opened:
            found = outbox.find(opened, outbox_id)
        assert found is not None
        return found

    def row(self, inbox_id: int) -> tables.Inbox:
        with session(self.engine) as opened:
            found = inbox.find(opened, inbox_id)
        assert found is not None
        assert found.last_error is None or found.status != tables.InboxStatus.DEAD
        return found

    # -- mail out --------------------------------------------------------------------------------

    def letters(self, *, kind: str | None = None, to: str | None = None) -> list[Message]:
        """The letters that were written, oldest first."""
        with session(self.engine) as opened:
            written = boxes.letters(opened)
        assert all(letter.composed is not None for letter in written)
        sent = [message_from_bytes(letter.composed or b"") for letter in written]
        return [
            letter
            for letter in sent
            if kind in (None, letter["X-PBEM-Kind"])
            and to in (None, parseaddr(str(letter["To"]))[1])
        ]

    def answers(self, row: tables.Inbox) -> list[str]:
        """The kinds of the letters that answer a mail of the inbox."""
        with session(self.engine) as opened:
            return [letter.kind for letter in outbox.answers_to(opened, row.id)]

    def step(self) -> tuple[int, int, int]:
        """Turn, step and version of the game: what changes when anything is played."""
        with session(self.engine) as opened:
            game = games.find(opened, self.game_id)
        assert game is not None
        return game.turn, game.step, game.version


def mail(
    text: str,
    *headers: str,
    sender: str = f"Anna <{ANNA}>",
    message_id: str | None = "",
    reply_to: str | None = None,
) -> bytes:
    """A plain mail as bytes; `message_id` "" for a fresh one, None for none."""
    own = f"<m{next(_numbers)}@example.com>" if message_id == "" else message_id
    lines = [f"From: {sender}", f"To: {DOMAIN}", "Subject: Re: the game", *headers]
    lines += [] if own is None else [f"Message-ID: {own}"]
    lines += [] if reply_to is None else [f"In-Reply-To: {reply_to}"]
    return "\r\n".join([*lines, "", *text.split("\n"), ""]).encode()


def text_of(letter: Message) -> str:
    """The text part of a letter, its lines unfolded from quoted-printable."""
    part = next(part for part in letter.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("utf-8")


def words_of(letter: Message) -> str:
    """The text part in one line."""
    return re.sub(r"\s+", " ", text_of(letter))


def kinds(letters: Sequence[Message]) -> list[str]:
    return [str(letter["X-PBEM-Kind"]) for letter in letters]
