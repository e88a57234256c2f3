"""A game on the judge's desk: in memory, with loaded dice and a clock that the test moves.

The cast: Anna (A, red) is on turn, Bruno (B, blue) and Carla (C, yellow) play too. Carla must never
see what is Anna's or Bruno's alone.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from typing import Any

from pbem.judge import choosing, compose
from pbem.judge.acts import performing
from pbem.judge.acts.act import Act
from pbem.judge.acts.performing import Performed
from pbem.judge.contents.desk import Shelf, gather
from pbem.judge.drain import drain
from pbem.judge.gm import Why
from pbem.judge.house import House
from pbem.mail import address
from pbem.rules import notation
from pbem.rules.dice import LoadedDice
from pbem.rules.event import TurnStarted
from pbem.rules.position import SETUP
from pbem.rules.state import State
from pbem.store import games, outbox, tables
from pbem.store.engine import session
from pbem.store.tables import SeatStatus
from tests.judge.one_game import OneGame
from tests.rules.table import drawn

BEGIN = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
GM = "dora@house.example"
HOUSE = House(domain="house.example", secret=b"known to the house alone", gm=(GM,))
PEOPLE = {"A": ("red", "Anna"), "B": ("blue", "Bruno"), "C": ("yellow", "Carla")}
DRAWING = "A SIA 8, NGU 3; B IDA 1, CHN 2; C rest 1"


@dataclass(frozen=True)
class Letter:
    """A letter as it goes out, with the facts of its recipe."""

    row: tables.Outbox
    raw: bytes

    @property
    def kind(self) -> str:
        return self.row.kind

    @property
    def facts(self) -> Mapping[str, Any]:
        facts: Mapping[str, Any] = self.row.recipe["facts"]
        return facts

    @property
    def codes(self) -> list[str]:
        """What became of the services, by code."""
        return [one["code"] for one in self.facts["served"]]

    @cached_property
    def mail(self) -> EmailMessage:
        parsed = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(parsed, EmailMessage)
        return parsed

    @cached_property
    def text(self) -> str:
        part = self.mail.get_body(("plain",))
        assert part is not None
        return str(part.get_content()).replace("\r\n", "\n")

    @property
    def words(self) -> str:
        """The text in one line."""
        return " ".join(self.text.split())

    @cached_property
    def everything(self) -> str:
        """All parts and headers, decoded."""
        parts = [p.get_content() for p in self.mail.walk() if p.get_content_maintype() == "text"]
        files = [p.get_content().decode() for p in self.mail.iter_attachments()]
        return "\n".join([*self.mail.values(), *parts, *files])

    @property
    def twin(self) -> dict[str, Any]:
        """The JSON beside the words."""
        (found,) = self.mail.iter_attachments()
        document: dict[str, Any] = json.loads(found.get_content())
        return document


class Desk(OneGame):
    """One game. `dice` are the faces that will roll, in order."""

    def __init__(
        self,
        drawing: str = DRAWING,
        *,
        dice: str = "",
        house: House = HOUSE,
        chosen: Mapping[str, str] | None = None,
        **position: Any,
    ) -> None:
        super().__init__(house, BEGIN)
        self.dice = LoadedDice([int(face) for face in dice.replace(" ", "")])
        _, self.options = choosing.choose(
            "classic-1993", chosen or {}, pace="48h", remind=["24h", "3h"]
        )
        with session(self.engine) as opened:
            state = drawn(drawing, **position)
            game = games.create(opened, self._game(state), self._seats())
            self.id = game.id
            if state.turn and state.on_turn is not None:
                begun = TurnStarted(state.turn, state.on_turn, state.link, 9, 3, ())
                events = [(state.turn, notation.event_to_json(begun))]
                games.append_events(opened, game, events, self.now, rules_version="test")

    def _game(self, state: State) -> tables.Game:
        return tables.Game(
            created_at=self.now,
            ruleset="classic-1993",
            options=self.options.as_json(),
            state=notation.state_to_json(state),
            phase=state.phase,
            turn=state.turn,
            step=1,
            on_turn=None if state.phase in SETUP else state.on_turn,
            deadline=self.now + timedelta(hours=48),
            chain_last=bytes(32),
            commitment="",
            deck_seed=bytes(32),
            deck_commitment="",
        )

    def _seats(self) -> Iterator[tables.Seat]:
        for letter, (colour, name) in PEOPLE.items():
            yield tables.Seat(
                game_id=0,
                letter=letter,
                colour=colour,
                name=name,
                address=f"{name.lower()}@people.example",
                status=SeatStatus.STANDING,
            )

    def say(self, seat: str, text: str, step: int | None = None, turn: int | None = None) -> Letter:
        """The seat's player sends a mail for the step that is current; its one answer."""
        number = self.send(seat, text, step, turn)
        with session(self.engine) as opened:
            (answer,) = outbox.answers_to(opened, number)
        return self._written(answer)

    def send(self, seat: str, text: str, step: int | None = None, turn: int | None = None) -> int:
        """The same without a look at the answers; the number of the row."""
        self.now += timedelta(minutes=1)
        number = self.bring(seat, text, step, turn)
        self.drain()
        return number

    def perform(self, act: Act, reason: str = "") -> Performed:
        """The game master does this; nothing may refuse it."""
        why = Why("dora", reason)
        done = performing.perform(self.engine, self.house, self.id, act, why, self.now)
        assert isinstance(done, Performed), done
        return done

    def drain(self) -> None:
        """Play whatever waits; nothing may fail."""
        drain(self.engine, self.house, self.id, lambda: self.now, lambda _game, _link: self.dice)
        self.need_nothing_broken()

    def letters(self, to: str | None = None, kind: str | None = None) -> list[Letter]:
        """All letters of the game, or to a seat, or to an address, oldest first."""
        with session(self.engine) as opened:
            rows = list(reversed(outbox.letters_to(opened, self.id)))
        return [
            self._written(row)
            for row in rows
            if to in (None, row.seat, row.to_address) and kind in (None, row.kind)
        ]

    def _written(self, row: tables.Outbox) -> Letter:
        with session(self.engine) as opened:
            kit = gather(Shelf(opened), row)
        return Letter(row, compose.write(self.house, row, kit)[1])

    @property
    def state(self) -> State:
        return notation.state_from_json(self.game.state)

    def is_open(self, recipient: str, letter: str) -> bool:
        """Whether the door would take a mail to that address now."""
        named = address.parse(recipient)
        assert named is not None
        return address.genuine(named, self.house.secret, self.seat(letter).key_epoch)
