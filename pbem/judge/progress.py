"""One act on one game, from the lock to the commit: the rows, the state, what is to be told."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pbem.judge import asked, atlas, dice, public_news
from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.judge.post import GmNote, Recipe, letter_id, post, post_to_gm
from pbem.rules import notation
from pbem.rules.adjudicate import Played
from pbem.rules.dice import Chance
from pbem.rules.event import TurnStarted
from pbem.rules.position import SETUP
from pbem.rules.state import State
from pbem.store import games, positions, snapshots, tables
from pbem.store.engine import Session

RULES_VERSION = f"{notation.VERSION}"
"""Stands beside every event: by which rules and forms it was written."""


class _Close(NamedTuple):
    """The position that a turn was closed with, and the number of the last event before it."""

    state: State
    last_seq: int


class Progress:
    """The working sheet of one act. Nothing of it is true before `close` and the commit.

    The game's row must be locked in `session`. `cause` is the inbox row that is played.
    """

    def __init__(
        self,
        session: Session,
        house: House,
        game: tables.Game,
        now: datetime,
        cause: tables.Inbox | None,
        chance_of: dice.ChanceOf = dice.chance,
    ) -> None:
        self.session = session
        self.house = house
        self.game = game
        self.now = now
        self.cause = cause
        self.seats: Sequence[tables.Seat] = games.seats(session, game.id)
        self.options = Options.from_json(game.options)
        self.state: State = atlas.state_of(session, game)
        self._chance_of = chance_of
        self._before = self.state
        # Of the turns that this act closes the snapshots, as they are kept with it.
        self._closed: dict[int, _Close] = {}
        self._recipes: list[Recipe] = []
        self._notes: list[GmNote] = []
        self._events: list[tuple[int, dict[str, Any]]] = []

    @property
    def chance(self) -> Chance:
        """The dice of the turn (of the setup: link 1)."""
        return self._chance_of(self.game, max(self.state.link, 1))

    def seat(self, letter: str) -> tables.Seat:
        """The seat of that letter."""
        return next(seat for seat in self.seats if seat.letter == letter)

    @property
    def last_seq(self) -> int:
        """The number of the newest event, those of this act included."""
        return self.game.last_seq + len(self._events)

    def happened(self, played: Played) -> tuple[int, int] | None:
        """Take over the new state and keep the events; gives their first and last number."""
        first = self.last_seq + 1
        turn = self.state.turn
        for event in played.events:
            turn = event.turn if isinstance(event, TurnStarted) else turn
            self._events.append((turn, notation.event_to_json(event)))
        self.state = played.state
        return (first, first + len(played.events) - 1) if played.events else None

    def close_turn(self, turn: int) -> None:
        """That turn (0 is the setup) is closed with the position of this moment.

        The act may go on: at the limit of rounds the game ends behind the turn's own end. A turn
        that is closed already stays as it is.
        """
        self._closed.setdefault(turn, _Close(self.state, self.last_seq))

    def tell(self, recipe: Recipe) -> str:
        """A letter that goes out if the act is committed; its Message-ID."""
        self._recipes.append(recipe)
        return letter_id(self.house, self.game, recipe)

    def tell_gm(self, note: GmNote) -> None:
        """A note to every address of the house's game masters."""
        self._notes.append(note)

    def send(self, letter: Recipe | GmNote | None) -> None:
        """A letter to whomever it is for; None if there is nobody to read it."""
        if isinstance(letter, Recipe):
            self.tell(letter)
        elif letter is not None:
            self.tell_gm(letter)

    @property
    def has_new_state(self) -> bool:
        """Whether anything was played yet that `close` will save."""
        return self.state != self._before

    def close(self) -> tuple[int, ...]:
        """Write state and letters; gives the ids of the outbox rows, for hints after the commit."""
        session, game, state = self.session, self.game, self.state
        games.append_events(
            session,
            game,
            self._events,
            self.now,
            rules_version=RULES_VERSION,
            inbox_id=self.cause.id if self.cause is not None else None,
        )
        stored = notation.state_to_json(state)
        for turn, (closed, last_seq) in self._closed.items():
            kept = stored if closed == state else notation.state_to_json(closed)
            snapshots.keep(session, game, self.now, turn=turn, last_seq=last_seq, state=kept)
        session.add(game)
        if self.has_new_state:
            games.save(
                session,
                game,
                stored,
                phase=state.phase,
                turn=state.turn,
                on_turn=None if state.phase in SETUP else state.on_turn,
            )
            self._drop_questions(stored)
        sent = post(session, self.house, game, self.seats, state, self._recipes, self.now)
        for note in self._notes:
            sent += post_to_gm(session, self.house, game, state, note, self.now)
        act = public_news.Act([*self._closed], self._ending())
        sent += public_news.tell(session, self.house, game, act, self.now)
        return sent

    def _drop_questions(self, stored: tables.Document) -> None:
        """What was asked about the position of before is void, which is told at once."""
        if self.options.consent == Options().consent:
            return
        digest = positions.hash_of(stored)
        for letter in asked.overtaken(self.session, self.game, self.seats, digest, self.now):
            self.send(letter)

    def _ending(self) -> public_news.Ending | None:
        """What the letters about the game's end tell, if it ends with this act."""
        over = next((one for one in self._recipes if one.kind == "game-over"), None)
        return None if over is None else (dict(over.facts), over.events)
