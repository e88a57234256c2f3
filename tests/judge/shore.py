"""A game on an imported board, with a database of its own and dice from a seed.

Before each act the process forgets all boards, as one that has just been started.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

from pbem.judge import atlas, choosing, compose, export, importing, lobby
from pbem.judge.contents.desk import Shelf, gather
from pbem.judge.house import House
from pbem.judge.lobby import NewSeat
from pbem.render.picture.scene import Scene
from pbem.rules import board as boards
from pbem.rules.seat import COLOURS
from pbem.rules.state import State
from pbem.store import outbox, tables
from pbem.store.engine import session
from tests.judge.one_game import OneGame
from tests.rules.atlas import CARDS, DATA, MAP

BEGIN = datetime(2026, 1, 5, 12, tzinfo=UTC)
HOUSE = House("house.example", b"known to the house alone", gm=())
FILES = tuple(importing.File(name, (DATA / name).read_bytes()) for name in (MAP, CARDS))


def forget() -> None:
    """What a new process knows of boards of other makers: nothing."""
    boards._KEPT.clear()
    boards.load.cache_clear()


def made_up(_scene: Scene) -> bytes:
    """In place of a picture: what those show is tested where they are drawn."""
    return b"\x89PNG made up"


class Shore(OneGame):
    """The game; `languages` has one for each person, the other seats are the computer's."""

    def __init__(
        self,
        *,
        languages: Sequence[str] = (),
        seats: int = 3,
        ruleset: str = "classic-1993",
        files: Sequence[importing.File] = FILES,
        changes: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(HOUSE, BEGIN)
        self._entropy = random.Random(seed).randbytes
        self.bring_in(files)
        self.id = self.new_game(languages, seats, ruleset, changes or {})

    def bring_in(self, files: Sequence[importing.File], name: str = "sea") -> None:
        """Import a board."""
        map_file, *cards = files
        found = importing.survey(map_file, cards[0] if cards else None, name)
        assert found.board is not None, found.faults
        with session(self.engine) as opened:
            importing.keep(opened, found.board, self.now, by="dora")

    def new_game(
        self, languages: Sequence[str], seats: int, ruleset: str, changes: Mapping[str, str]
    ) -> int:
        forget()
        people = [
            NewSeat(colour, f"P{n}", f"p{n}@people.example", languages[n])
            if n < len(languages)
            else NewSeat(colour, f"C{n}", None, "en")
            for n, colour in enumerate(COLOURS[:seats])
        ]
        with session(self.engine) as opened:
            chosen = {"board": atlas.named(opened, "sea"), **changes}
            rules, made = choosing.choose(ruleset, chosen, pace=None, remind=())
            game = lobby.create(
                opened,
                self.now,
                ruleset=rules,
                options=made,
                seats=people,
                language="en",
                entropy=self._entropy,
            )
            lobby.open_game(opened, HOUSE, game, self.now, inviter="", start=True)
            return game.id

    @property
    def state(self) -> State:
        forget()
        with session(self.engine) as opened:
            return atlas.state_of(opened, self.game)

    def drain(self) -> None:
        forget()
        super().drain()

    def play_out(self) -> None:
        """The computers play until somebody has won."""
        for _ in range(400):
            self.now += timedelta(seconds=5)
            self.drain()
            if self.game.over_at is not None:
                return
        raise AssertionError("no end after 400 rounds")

    def say(self, seat: str, text: str) -> tuple[str, str]:
        """The seat's player sends a mail; the kind of its answer, and its text."""
        self.now += timedelta(minutes=1)
        number = self.bring(seat, text)
        self.drain()
        with session(self.engine) as opened:
            (answer,) = outbox.answers_to(opened, number)
        return answer.kind, body(self.written(answer))

    def rows(self) -> list[tables.Outbox]:
        """All letters, oldest first."""
        with session(self.engine) as opened:
            return list(reversed(outbox.letters_to(opened, self.id)))

    def letters(self, kind: str) -> Iterator[EmailMessage]:
        for row in self.rows():
            if row.kind == kind:
                yield self.written(row)

    def written(self, row: tables.Outbox) -> EmailMessage:
        forget()
        with session(self.engine) as opened:
            desk = gather(Shelf(opened), row)
        _, raw = compose.write(HOUSE, row, desk, made_up)
        parsed = message_from_bytes(raw, policy=policy.default)
        assert isinstance(parsed, EmailMessage)
        return parsed

    def record(self, *, public: bool) -> str:
        forget()
        with session(self.engine) as opened:
            return export.export(opened, self.game, public=public)


def body(letter: EmailMessage, form: str = "plain") -> str:
    part = letter.get_body((form,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")
