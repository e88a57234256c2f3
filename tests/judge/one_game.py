"""A game with a database of its own, whose clock the test moves: what all such games share."""

from datetime import datetime
from itertools import count

from pbem.judge import deadline, reading
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.mail.reading import Kind, Reading
from pbem.store import games, inbox, tables
from pbem.store.engine import Engine, session
from pbem.store.memory import open_memory
from pbem.store.tables import InboxStatus, Source
from tests.store import boxes


class OneGame:
    """The game; whoever inherits makes it and keeps its `id`."""

    id: int

    def __init__(self, house: House, now: datetime) -> None:
        self.engine: Engine = open_memory()
        self.house = house
        self.now = now
        self._mails = count(1)

    @property
    def game(self) -> tables.Game:
        with session(self.engine) as opened:
            found = games.find(opened, self.id)
        assert found is not None
        return found

    def seat(self, letter: str) -> tables.Seat:
        with session(self.engine) as opened:
            found = games.seat(opened, self.id, letter)
        assert found is not None
        return found

    def bring(
        self, letter: str, text: str, step: int | None = None, turn: int | None = None
    ) -> int:
        """A mail of the seat that comes now, for the current step if none is given; its row."""
        game = self.game
        delivery = inbox.Delivery(
            source=Source.INGEST,
            dedupe_key=f"mail:{next(self._mails)}",
            received_at=self.now,
            game_id=self.id,
            seat=letter,
            turn=game.turn if turn is None else turn,
            step=game.step if step is None else step,
            reading=reading.orders_of(tuple(text.splitlines())),
        )
        with session(self.engine) as opened:
            (receipt,) = inbox.add(opened, [delivery])
        return receipt.inbox_id

    def bring_to(self, to: str, text: str, sender: str, seat: str | None = None) -> int:
        """A mail of that sender to another address of ours than a step's; its row."""
        name, lines = f"<{next(self._mails)}@x.example>", tuple(text.splitlines())
        read = Reading(Kind.ORDERS, sender, None, name, None, (), lines, (), ())
        delivery = inbox.Delivery(
            source=Source.SMTP,
            dedupe_key=f"{to}:{name}",
            received_at=self.now,
            recipient=to,
            game_id=self.id,
            seat=seat,
            reading=read.as_json(),
        )
        with session(self.engine) as opened:
            (receipt,) = inbox.add(opened, [delivery])
        return receipt.inbox_id

    def drain(self) -> None:
        """Play whatever waits, with the game's own dice; nothing may fail."""
        drain(self.engine, self.house, self.id, lambda: self.now)
        self.need_nothing_broken()

    def run_out(self) -> None:
        """The deadline of the turn passes."""
        with session(self.engine) as opened:
            game = games.find(opened, self.id)
            assert game is not None
            assert game.deadline is not None
            deadline.fall_due(opened, game)
            self.now = game.deadline + deadline.SETTLING
        self.drain()

    def need_nothing_broken(self) -> None:
        """No mail may have failed by our own doing."""
        with session(self.engine) as opened:
            rows = boxes.mails(opened, tuple(InboxStatus))
        broken = [row.last_error for row in rows if row.last_error]
        assert not broken, broken[0]
