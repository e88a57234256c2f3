"""A running game of six people on a database of its own, and the mails that they would send."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from pbem.judge import computer, dispatch, intake, lobby, setup_lists
from pbem.judge.choosing import choose
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.judge.progress import Progress
from pbem.judge.reply_to import seat_address
from pbem.mail.smtpd import Arrival
from pbem.rules import notation
from pbem.rules.seat import COLOURS, Seat
from pbem.rules.view import View, view
from pbem.store import games, inbox, tables
from pbem.store.engine import Engine, open_engine, session
from pbem.store.migrate import migrate
from pbem.store.tables import Source

SECRET = "benches have a secret of their own"
HOUSE = House("games.example.org", SECRET.encode())
BEGUN = datetime(2026, 12, 1, 12, tzinfo=UTC)
POST = dispatch.Post(None, (timedelta(minutes=1),), timedelta(minutes=15))
"""Letters stay in the local mailbox: what a relay takes is not ours to measure."""


@dataclass(slots=True)
class Clock:
    """A clock that moves on by a second whenever it is looked at."""

    at: datetime = BEGUN

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


@dataclass(slots=True)
class Table:
    """One game and its database."""

    engine: Engine
    game_id: int
    clock: Clock
    sent: int = 0

    def write(self) -> Arrival:
        """The mail of the seat on turn: a whole turn."""
        with session(self.engine) as opened:
            game = games.find(opened, self.game_id)
            assert game is not None
            assert game.on_turn is not None
            seat = games.seat(opened, game.id, game.on_turn)
        assert seat is not None
        seen = view(notation.state_from_json(game.state), Seat(seat.letter))
        to = seat_address(HOUSE, seat, game.turn, game.step)
        return self._mail(seat, to, (*computer.orders(seen), *_strikes(seen), "end"))

    def _mail(self, seat: tables.Seat, to: str, lines: tuple[str, ...]) -> Arrival:
        self.sent += 1
        assert seat.address is not None
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = seat.address, to, "Re: your turn"
        mail["Message-ID"] = f"<{self.game_id}.{self.sent}@mail.example.net>"
        mail.set_content("\n".join(lines) + "\n\nGreetings from the North\n")
        return Arrival(mail.as_bytes(), seat.address, (to,), self.clock(), "127.0.0.1")

    def store(self, arrival: Arrival) -> None:
        """What the door does with a mail."""
        with session(self.engine) as opened:
            inbox.add(opened, intake.deliveries(arrival, Source.SMTP))

    def play(self) -> list[int]:
        """What a worker does with the game's mails; the outbox ids of the letters."""
        letters: list[int] = []
        drain(self.engine, HOUSE, self.game_id, self.clock, on_letters=letters.extend)
        return letters

    def send(self, *letters: int) -> None:
        """What a worker does with letters that one task names."""
        assert len(dispatch.send_all(self.engine, HOUSE, POST, letters, self.clock)) == len(letters)


def _strikes(seen: View) -> list[str]:
    """An attack from where the most armies stand, as a person writes it."""
    assert seen.reader is not None
    border = [code for code in seen.held(seen.reader) if seen.threat(code)]
    if not border:
        return []
    source = max(border, key=lambda code: seen.armies[code])
    target = min(seen.enemies(source), key=lambda code: seen.armies[code])
    return [f"attack {target} from {source} until captured"]


@contextmanager
def database(folder: Path, name: str) -> Iterator[Engine]:
    """An empty SQLite database in the folder."""
    with opened(f"sqlite:///{folder / name}.sqlite3") as engine:
        yield engine


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """The database at the URL, brought to today's tables."""
    migrate(url)
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def begin(engine: Engine, seats: int = 6) -> Table:
    """A game in its first turn, whose setup is over."""
    chance = random.Random(6)
    clock = Clock()
    ruleset, options = choose("classic-1993", {"setup": "deal"}, pace="48h", remind=["24h"])
    people = [
        lobby.NewSeat(colour, f"Player {colour}", f"{colour}@example.net", "en")
        for colour in COLOURS[:seats]
    ]
    with session(engine) as opened_here:
        game = lobby.create(
            opened_here,
            clock(),
            ruleset=ruleset,
            options=options,
            seats=people,
            language="en",
            entropy=chance.randbytes,
        )
        locked = games.lock(opened_here, game.id)
        progress = Progress(opened_here, HOUSE, locked, clock(), None)
        lobby.begin_setup(progress)
        setup_lists.finish_setup(progress)
        letters = progress.close()
    table = Table(engine, game.id, clock)
    table.send(*letters)
    return table
