"""Plays a case through the judge: a game in memory, loaded dice, a clock that stands still."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from pbem.judge import atlas, choosing, compose, deadline, reading
from pbem.judge.cases import position
from pbem.judge.cases.case import Case, CaseError
from pbem.judge.contents.desk import Shelf, gather
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.judge.progress import RULES_VERSION
from pbem.mail import glance
from pbem.mail.normalise import order_lines
from pbem.rules import notation
from pbem.rules.claim import acting
from pbem.rules.dice import LoadedDice
from pbem.rules.event import TurnStarted
from pbem.rules.position import SETUP, TURN, Phase, changed
from pbem.rules.reinforce import reinforcements
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.state import State
from pbem.store import games, inbox, outbox, tables
from pbem.store.engine import Engine, Session, session
from pbem.store.tables import SeatStatus, Source

BEGIN = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
HOUSE = House(domain="cases.invalid", secret=b"cases have no secrets")
FOR_EVER = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Course:
    """What came of a case: the state before and after, the last answer, all that happened."""

    before: State
    after: State
    kind: str
    facts: Mapping[str, Any]
    events: tuple[str, ...]
    dice_used: int
    dice_left: int
    letters: Mapping[Seat, str]
    error: str | None


class Sitting:
    """One case at play."""

    def __init__(self, case: Case, engine: Engine) -> None:
        self.case = case
        self.engine = engine
        self.by_colour = position.seats(case)
        rules, chosen = choosing.choose(case.ruleset, case.options, pace="48h", remind=[])
        self.state = position.state(case, rules, chosen.board_id)
        self.options = chosen
        self.dice = LoadedDice(case.given.get("dice", ()))
        self.now = BEGIN
        self.numbers = count(1)
        self.last: int | None = None
        self.error: str | None = None

    def play(self) -> Course:
        """All that is given, in order."""
        with session(self.engine) as opened:
            game = games.create(opened, self._game(), self._seats())
            self.game_id = game.id
            if self.state.phase in TURN:
                self._begin_turn(opened, game)
            self.first_event = game.last_seq + 1
        self._set_up()
        for seat, lines, step in self._mails():
            self._mail(seat, lines, step)
        if self.case.given.get("deadline") or self._lists_left():
            self._deadline()
        return self._course()

    def _begin_turn(self, opened: Session, game: tables.Game) -> None:
        """The start of the turn, which the letters go back to; no event of the case itself."""
        state, seat = self.state, acting(self.state)
        due = reinforcements(state, seat)
        begun = TurnStarted(
            turn=state.turn,
            seat=seat,
            link=state.link,
            territories=due.territories,
            armies_for_territories=due.armies_for_territories,
            continents=due.continents,
        )
        event = notation.event_to_json(begun)
        games.append_events(
            opened, game, [(state.turn, event)], self.now, rules_version=RULES_VERSION
        )

    def _set_up(self) -> None:
        """What the seats had ordered before: in force, whatever turn it is to act from."""
        texts = [*self.case.given.get("settings", {}).items()]
        texts += self.case.position.get("defence", {}).items()
        if not texts:
            return
        turn = self.state.turn
        self._put(changed(self.state, turn=0))
        for colour, text in texts:
            self._mail(self.by_colour[colour], _parted(text), step=None)
            self._check_read(colour, text)
        self._put(changed(self.state, turn=turn))
        self.last = None

    def _check_read(self, colour: str, text: str) -> None:
        """Standing orders must be read; the game may refuse them, as it would anybody's."""
        _, facts = self._last_answer()
        if any("refused" not in mistake["facts"] for mistake in facts.get("mistakes", ())):
            raise CaseError(f"case {self.case.id}: {colour} orders {text!r}, which cannot be read")

    def _put(self, state: State) -> None:
        with session(self.engine) as opened:
            game = games.find(opened, self.game_id)
            assert game is not None
            game.turn, game.state = state.turn, notation.state_to_json(state)
            opened.add(game)

    def _game(self) -> tables.Game:
        phase = self.state.phase
        return tables.Game(
            created_at=self.now,
            ruleset=self.case.ruleset,
            options=self.options.as_json(),
            language=self.case.language,
            state=notation.state_to_json(self.state),
            phase=phase,
            turn=self.state.turn,
            step=1,
            on_turn=None if phase in SETUP else self.state.on_turn,
            deadline=self.now + timedelta(hours=48),
            chain_last=bytes(32),
            commitment="",
            deck_seed=bytes(32),
            deck_commitment="",
        )

    def _seats(self) -> list[tables.Seat]:
        playing = self.state.phase in TURN or self.state.phase in SETUP
        status = SeatStatus.STANDING if playing else SeatStatus.INVITED
        return [
            tables.Seat(
                game_id=0,
                letter=seat,
                colour=colour,
                name=colour.capitalize(),
                address=f"{colour}@cases.invalid",
                language=self.case.language,
                status=status,
            )
            for colour, seat in self.by_colour.items()
            if seat != NEUTRAL
        ]

    def _mails(self) -> Iterator[tuple[Seat | None, list[str], int | None]]:
        given = self.case.given
        if "lists" in given and self.state.phase is Phase.INVITED:
            # Who has wishes for the setup has joined; the dice for who begins come first.
            yield from ((seat, ["yes"], None) for seat in self.state.seats)
        for colour, text in given.get("lists", {}).items():
            if text.strip():
                yield self.by_colour[colour], _parted(text), None
        mails = given.get("mails", [])
        if "orders" in given:
            mails = [given["orders"], *mails]
        for mail in mails:
            if isinstance(mail, str):
                yield None, order_lines(mail), None
            else:
                colour = mail.get("seat")
                seat = None if colour is None else self.by_colour[colour]
                yield seat, order_lines(mail["text"]), mail.get("step")

    def _mail(self, seat: Seat | None, lines: Sequence[str], step: int | None) -> None:
        """One mail, by default of the seat on turn for the step that is current."""
        if self.error is not None:
            return
        self.now += timedelta(minutes=1)
        with session(self.engine) as opened:
            game = games.find(opened, self.game_id)
            assert game is not None
            on_turn = atlas.state_of(opened, game).on_turn
            sender = seat or on_turn
            if sender is None:
                raise CaseError(
                    f"case {self.case.id}: nobody is on turn; name the seat of the mail"
                )
            delivery = inbox.Delivery(
                source=Source.INGEST,
                dedupe_key=f"case:{self.game_id}:{next(self.numbers)}",
                received_at=self.now,
                game_id=self.game_id,
                seat=sender,
                turn=game.turn,
                step=game.step if step is None else step,
                reading=reading.orders_of(tuple(lines)),
            )
            (receipt,) = inbox.add(opened, [delivery])
        self.last = receipt.inbox_id
        self._drain()

    def _lists_left(self) -> bool:
        """Whether lists were given and the setup still waits for others: they have none."""
        if "lists" not in self.case.given:
            return False
        with session(self.engine) as opened:
            game = games.find(opened, self.game_id)
            return game is not None and game.phase in SETUP

    def _deadline(self) -> None:
        if self.error is not None:
            return
        with session(self.engine) as opened:
            game = games.find(opened, self.game_id)
            assert game is not None
            if game.deadline is None:
                raise CaseError(f"case {self.case.id}: nothing has a deadline here")
            deadline.fall_due(opened, game)
            self.now = game.deadline + deadline.SETTLING
        self._drain()

    def _drain(self) -> None:
        """Plays what waits; a row that raised would hold up all that follow."""
        drain(self.engine, HOUSE, self.game_id, lambda: self.now, lambda _game, _link: self.dice)
        with session(self.engine) as opened:
            waiting = inbox.next_accepted(opened, self.game_id, self.now + FOR_EVER)
            self.error = None if waiting is None else waiting.last_error

    def _course(self) -> Course:
        kind, facts = self._last_answer()
        wanted = {self.by_colour[colour] for colour in self.case.expect.get("see", {})}
        with session(self.engine) as opened:
            game = games.find(opened, self.game_id)
            assert game is not None
            return Course(
                before=self.state,
                after=atlas.state_of(opened, game),
                kind=kind,
                facts=facts,
                events=tuple(
                    e.kind for e in games.events_of(opened, self.game_id, self.first_event)
                ),
                dice_used=self.dice.used,
                dice_left=self.dice.left,
                letters={seat: self._letters(opened, seat) for seat in wanted},
                error=self.error,
            )

    def _last_answer(self) -> tuple[str, Mapping[str, Any]]:
        """Kind and facts of the answer to the last mail."""
        with session(self.engine) as opened:
            answers = [] if self.last is None else outbox.answers_to(opened, self.last)
            return (answers[0].kind, answers[0].recipe["facts"]) if answers else ("", {})

    def _letters(self, opened: Any, seat: Seat) -> str:
        """The text parts of all letters to a seat."""
        rows = outbox.letters_to(opened, self.game_id, seat)
        shelf = Shelf(opened)
        written = (compose.write(HOUSE, row, gather(shelf, row))[1] for row in rows)
        return "\n".join(glance.own_text(raw) for raw in written)


def _parted(text: str) -> list[str]:
    """The lines of a list or of standing orders, which " / " parts."""
    return order_lines(text.replace(" / ", "\n"))
