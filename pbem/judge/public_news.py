"""The public news of a game: turn by turn what everybody may see, for spectators by mail, feeds,
webhooks and chat rooms.

Written with the turn, in its transaction. A delayed game tells each turn when the next one closes,
and all that is left at its end.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.judge import atlas, people
from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.mail import letter
from pbem.render import contexts, letters
from pbem.rules import notation
from pbem.rules.event import Event, TurnStarted
from pbem.rules.position import SETUP
from pbem.rules.view import view, visible
from pbem.store import games, lobby, outbox, positions, snapshots, tables, webhooks
from pbem.store.engine import Session
from pbem.store.snapshots import Closed
from pbem.store.tables import HookKind

ENTRIES = 20
"""So many turns stand in a feed."""

NEWS = 6
"""The priority of such letters: that of reports."""

Ending = tuple[dict[str, Any], tuple[int, int] | None]
"""The facts of the letter about a game's end, and the events that it tells of."""


@dataclass(frozen=True, slots=True)
class Act:
    """What closed: turns, 0 for the setup, and with them the game if there is an `ending`."""

    closed: Sequence[int]
    ending: Ending | None


def tell(
    session: Session, house: House, game: tables.Game, act: Act, now: datetime
) -> tuple[int, ...]:
    """Write what is public by now to all who asked for it; the outbox ids of letters."""
    options = Options.from_json(game.options)
    if not act.closed or options.spectators == "no":
        return ()
    watchers = lobby.spectators(session, game.id)
    hooks = webhooks.of_game(session, game.id)
    if not (watchers or hooks):
        return ()
    turns = [_Turn(session, game, at) for at in _told(session, game, options, act)]
    news = [turn for turn in turns if turn.number or hooks]
    written = [one for turn in news if turn.number for one in _reports(house, turn, watchers, now)]
    if act.ending is not None:
        last = (
            turns[-1]
            if turns
            else _Turn(session, game, snapshots.closed_turns(session, game.id)[-1])
        )
        written += _endings(house, last, act.ending, watchers, now)
    calls = [call for turn in news for call in _calls(turn, hooks, now)]
    webhooks.write(session, calls, now)
    return outbox.enqueue(session, written, now)


def _told(session: Session, game: tables.Game, options: Options, act: Act) -> list[Closed]:
    """The turns that became public by what closed now."""
    closed = snapshots.closed_turns(session, game.id)
    wanted = set(act.closed)
    if options.spectators == "delayed":
        before = {turn - 1 for turn in wanted}
        wanted = before if act.ending is None else before | wanted
    return [at for at in closed if at.turn in wanted]


class _Turn:
    """A closed turn, as everybody may see it."""

    def __init__(self, session: Session, game: tables.Game, at: Closed) -> None:
        self.session = session
        self.game = game
        self.number = at.turn
        self.snapshot = snapshots.find(session, game.id, at)
        self.first = games.first_event(session, game.id, at.turn) or 1
        after = games.first_event(session, game.id, at.turn + 1)
        self.last = game.last_seq if after is None else after - 1

    @property
    def name(self) -> str:
        """The game's public name."""
        return games.public_id(self.game.id)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, as everybody may see it."""
        rows = games.events_of(self.session, self.game.id, self.first, self.last)
        return visible((notation.event_from_json(row.body) for row in rows), None)

    @property
    def seat(self) -> str | None:
        """Whose turn it was."""
        return next((e.seat for e in self.events if isinstance(e, TurnStarted)), None)

    @property
    def next_seat(self) -> str | None:
        """Whose turn comes next."""
        state = atlas.state_from(self.session, self.snapshot.state)
        # At the limit of rounds the game ends behind the turn's own end.
        ended = self.game.over_at is not None and self.game.turn <= self.number + 1
        return None if state.phase in SETUP or ended else state.on_turn

    def keep(self, now: datetime) -> str:
        """The position at its close, kept for letters; its hash."""
        return positions.keep(self.session, self.game.id, self.snapshot.state, now)


def _reports(
    house: House, turn: _Turn, watchers: Sequence[tables.Spectator], now: datetime
) -> Iterator[outbox.NewLetter]:
    facts = {"turn": turn.number, "seat": turn.seat, "next_seat": turn.next_seat}
    facts |= {"automatic": False, "deadline": None}
    span = (turn.first, turn.last)
    return _letters(house, turn, "report", facts, span, watchers, now)


def _endings(
    house: House,
    turn: _Turn,
    ending: Ending,
    watchers: Sequence[tables.Spectator],
    now: datetime,
) -> Iterator[outbox.NewLetter]:
    facts, span = ending
    return _letters(house, turn, "game-over", facts, span, watchers, now)


def _letters(
    house: House,
    turn: _Turn,
    kind: str,
    facts: dict[str, Any],
    span: tuple[int, int] | None,
    watchers: Sequence[tables.Spectator],
    now: datetime,
) -> Iterator[outbox.NewLetter]:
    if not watchers:
        return
    digest = turn.keep(now)
    for watcher in watchers:
        number = f"{turn.number}b{turn.game.branch}"
        yield outbox.NewLetter(
            key=f"{turn.name}:{number}:watch{watcher.id}:{kind}",
            kind=kind,
            message_id=letter.message_id(
                house.domain, turn.name, number, f"watch{watcher.id}", kind
            ),
            to_address=watcher.address,
            game_id=turn.game.id,
            recipe={
                "facts": {**facts, "spectator": watcher.id},
                "events": None if span is None else list(span),
                "turn": turn.number,
                "step": 0,
                "branch": turn.game.branch,
                "language": watcher.language,
            },
            position_hash=digest,
            envelope_from=f"postmaster@{house.domain}",
            priority=NEWS,
        )


def _calls(
    turn: _Turn, hooks: Sequence[tables.Webhook], now: datetime
) -> Iterator[tuple[str, int, str]]:
    if not hooks:
        return
    body = json.dumps(news(turn, now), ensure_ascii=False, separators=(",", ":"))
    for hook in hooks:
        if hook.kind is HookKind.CHAT and not turn.number:
            continue  # there is no turn yet that a room could read about
        yield f"{hook.id}:{turn.number}b{turn.game.branch}", hook.id, body


def news(turn: _Turn, now: datetime) -> dict[str, Any]:
    """A turn in the envelope of Standard Webhooks: type, timestamp, data."""
    state = view(atlas.state_from(turn.session, turn.snapshot.state), None)
    kind = "setup.closed" if turn.number == 0 else "turn.closed"
    return {
        "type": "game.over" if state.winner else kind,
        "timestamp": now.isoformat(),
        "data": {
            "game": turn.name,
            "turn": turn.number,
            "seat": turn.seat,
            "next_seat": turn.next_seat,
            "winner": state.winner,
            "events": [notation.event_to_json(event) for event in turn.events],
        },
    }


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn in a feed, in the words of its report; `id` never changes."""

    id: str
    turn: int
    title: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Feed:
    """The public news of a game, newest first."""

    game: str
    address: str
    page: str
    updated: datetime
    entries: tuple[Entry, ...]


def feed(
    session: Session, house: House, game: tables.Game, closed: Sequence[Closed], language: str
) -> Feed:
    """The newest of the turns that anybody may see, `closed` being all of those."""
    name = games.public_id(game.id)
    newest = [at for at in reversed(closed) if at.turn][:ENTRIES]
    entries = tuple(_entry(session, house, game, at, language) for at in newest)
    page = f"{house.public_url}/games/{name}"
    updated = entries[0].at if entries else game.created_at
    return Feed(name, f"{page}/news.atom", page, updated, entries)


def _entry(session: Session, house: House, game: tables.Game, at: Closed, language: str) -> Entry:
    told = report(session, game, at, language)
    assert told is not None, "the setup is no entry"
    words = letters.compose("report", told, language)
    name = games.public_id(game.id)
    # As tag URIs are: a name that we had on a day, and what it names.
    unique = f"tag:{house.domain},{game.created_at:%Y-%m-%d}:{name}/{at.turn}/{at.branch}"
    return Entry(unique, at.turn, words.subject, words.story, at.at)


def report(
    session: Session, game: tables.Game, at: Closed, language: str
) -> contexts.Report | None:
    """What a report letter tells of a closed turn; None for the setup."""
    turn = _Turn(session, game, at)
    if turn.seat is None:
        return None
    state = atlas.state_from(session, turn.snapshot.state)
    seats = games.seats(session, game.id)
    return contexts.Report(
        table=people.table(game.id, seats, state.ruleset, None, language),
        view=view(state, None),
        turn=turn.number,
        seat=next(seat for seat in state.seats if seat == turn.seat),
        events=turn.events,
        next_seat=next((seat for seat in state.seats if seat == turn.next_seat), None),
        deadline=None,
        automatic=False,
    )
