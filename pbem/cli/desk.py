"""The GM's commands on the database: one session each, hints to the workers after the commit."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.cli.database import in_use, migrate
from pbem.cli.refusal import RefusedError, UsageError
from pbem.cli.strays import read_settings
from pbem.embedded.broker import running_broker
from pbem.embedded.ports import running_url
from pbem.judge import (
    atlas,
    export,
    importing,
    lobby,
    login,
    overview,
    personal,
    rematch,
    standstill,
    timeline,
    webhooks,
)
from pbem.judge.acts import form, performing, voting
from pbem.judge.acts.act import Act
from pbem.judge.acts.performing import Conflict, Foreseen, Refused, Waiting
from pbem.judge.acts.registry import ACTS
from pbem.judge.choosing import OptionError
from pbem.judge.gm import COMMAND_LINE as WHO
from pbem.judge.gm import ActError, Why
from pbem.judge.lobby import LobbyError, NewSeat
from pbem.judge.options import Options
from pbem.judge.sweep import APPLY, SEND
from pbem.judge.webhooks import WebhookError
from pbem.render import refusals
from pbem.rules.board import Board
from pbem.rules.ruleset import Ruleset, RulesetError
from pbem.settings import Settings
from pbem.store import audit, consents, games, tables
from pbem.store import webhooks as stored
from pbem.store.engine import Engine, Session, open_engine, session
from workers.hints import Hint, hints


@dataclass(frozen=True, slots=True)
class Desk:
    """The games of this installation, as its commands work with them."""

    settings: Settings
    engine: Engine
    hint: Hint

    def make_game(
        self,
        rules: Ruleset,
        options: Options,
        seats: Sequence[NewSeat],
        language: str,
        *,
        start: bool,
    ) -> dict[str, Any]:
        """Make the game; its id and seats as `pbem game new --json` prints them."""
        now = datetime.now(UTC)
        with session(self.engine) as opened:
            game = lobby.create(
                opened,
                now,
                ruleset=rules,
                options=options,
                seats=seats,
                language=language,
                entropy=secrets.token_bytes,
            )
            letters = lobby.open_game(
                opened, self.settings.house, game, now, inviter="", start=start
            )
            made: dict[str, Any] = {
                "id": games.public_id(game.id),
                "seats": overview.seats(opened, game.id),
            }
            deck = overview.mission_deck(rules, atlas.board_of(opened, game))
        if deck is not None:
            made["mission_deck"] = deck
        self._send(letters)
        self.hint(APPLY, game.id)
        return made

    def board(self, name: str) -> str:
        """What the option `board` says for the board of that name."""
        with session(self.engine) as opened:
            return atlas.named(opened, name)

    def boards(self) -> list[dict[str, Any]]:
        """All boards that a game can be made with, ours first."""
        with session(self.engine) as opened:
            return atlas.listing(opened)

    def keep_board(self, board: Board) -> None:
        """Keep a board that was imported here."""
        with session(self.engine) as opened:
            importing.keep(opened, board, datetime.now(UTC), by="command line")

    def games(self) -> list[dict[str, Any]]:
        """All games in a line each."""
        with session(self.engine) as opened:
            return [overview.line(opened, game) for game in games.listing(opened)]

    def show(self, public_id: str) -> dict[str, Any]:
        """Where a game stands."""
        with session(self.engine) as opened:
            return overview.show(opened, self.settings.house, _found(opened, public_id))

    def export(self, public_id: str, *, public: bool) -> str:
        """The record of a game."""
        with session(self.engine) as opened:
            return export.export(opened, _found(opened, public_id), public=public)

    def make_act(self, public_id: str, name: str, fields: Mapping[str, str]) -> Act:
        """The act of that name from what was written in its fields."""
        if name not in ACTS:
            raise UsageError(refusals.text("no-act", {"name": name, "known": list(ACTS)}))
        with session(self.engine) as opened:
            zone = Options.from_json(_found(opened, public_id).options).zone
        try:
            return form.read(ACTS[name], fields, zone)
        except ActError as error:
            raise UsageError(refusals.text(error.code, error.facts)) from error

    def preview(self, public_id: str, act: Act, reason: str) -> Foreseen:
        """What an act would do."""
        game_id, now = self._game_id(public_id), datetime.now(UTC)
        house, why = self.settings.house, Why(WHO, reason)
        foreseen = performing.preview(self.engine, house, game_id, act, why, now)
        if foreseen.refused is not None:
            raise RefusedError(refusals.text(foreseen.refused, foreseen.facts or {}))
        return foreseen

    def act(self, public_id: str, act: Act, reason: str) -> dict[str, Any]:
        """Do an act to a game under its lock; where it then stands.

        With `waits` it is not done yet: it says whose consent is waited for.
        """
        game_id, now = self._game_id(public_id), datetime.now(UTC)
        house, why = self.settings.house, Why(WHO, reason)
        done = performing.perform(self.engine, house, game_id, act, why, now)
        if isinstance(done, Refused):
            raise RefusedError(refusals.text(done.code, done.facts))
        assert not isinstance(done, Conflict)  # no version was asked for, so none can conflict
        self._send(done.letters)
        if isinstance(done, Waiting):
            waits = {"number": done.number, "of": done.of, "until": done.until.isoformat()}
            return {**self.show(public_id), "waits": waits}
        self.hint(APPLY, game_id)
        return self.show(public_id)

    def consents(self, public_id: str) -> list[dict[str, Any]]:
        """The newest questions whether an act may be done, with what was said to each."""
        with session(self.engine) as opened:
            game = _found(opened, public_id)
            return [overview.consent(opened, one) for one in consents.of_game(opened, game.id)]

    def withdraw(self, public_id: str, number: int) -> None:
        """Take a question back."""
        game_id, now = self._game_id(public_id), datetime.now(UTC)
        heard = voting.withdraw(self.engine, self.settings.house, game_id, number, WHO, now)
        self._send(heard.letters)

    def person(self, address: str) -> dict[str, Any]:
        """What is kept of an address."""
        with session(self.engine) as opened:
            return personal.export(opened, address)

    def erase(self, address: str) -> int:
        """Forget an address; how many rows knew it."""
        now, why = datetime.now(UTC), Why(WHO)
        count, letters = personal.erase(self.engine, self.settings.house, address, why, now)
        self._send(letters)
        return count

    def stop(self, reason: str) -> None:
        """Stop the whole house."""
        with session(self.engine) as opened:
            standstill.stop(opened, Why(WHO, reason), datetime.now(UTC))

    def go_on(self, reason: str) -> timedelta:
        """Let the house run again; how long it stood."""
        with session(self.engine) as opened:
            return standstill.go_on(opened, Why(WHO, reason), datetime.now(UTC))

    def rematch(self, public_id: str, reason: str = "") -> dict[str, Any]:
        """A new game of the same people; its id and seats as `pbem game new --json` prints them."""
        with session(self.engine) as opened:
            game = _found(opened, public_id)
            like, game_id = rematch.again(opened, game), game.id
        made = self.make_game(like.rules, like.options, like.seats, like.language, start=False)
        new, now = self._game_id(made["id"]), datetime.now(UTC)
        with session(self.engine) as opened:
            rematch.follow(opened, game_id, new, WHO, now, reason=reason)
        return made

    def events(self, public_id: str) -> list[dict[str, Any]]:
        """What happened, as the public may see it."""
        with session(self.engine) as opened:
            return timeline.events(opened, _found(opened, public_id))

    def webhooks(self, public_id: str) -> list[dict[str, Any]]:
        """The webhooks of a game, each with what became of its last call."""
        with session(self.engine) as opened:
            game = _found(opened, public_id)
            calls = stored.last_calls(opened, game.id)
            return [_hook(hook, calls.get(hook.id)) for hook in stored.of_game(opened, game.id)]

    def add_webhook(self, public_id: str, url: str) -> dict[str, Any]:
        """Tell a game's news to an address; the webhook with its secret."""
        now = datetime.now(UTC)
        with session(self.engine) as opened:
            game = _found(opened, public_id)
            made = webhooks.make(opened, game, url, WHO, now, secrets.token_bytes)
            audit.record(opened, now, who=WHO, what="webhook", game_id=game.id)
            return {**_hook(made, None), "secret": made.secret}

    def drop_webhook(self, public_id: str, url: str) -> None:
        """Tell an address nothing any more."""
        now = datetime.now(UTC)
        with session(self.engine) as opened:
            hook = _found_webhook(opened, public_id, url)
            stored.drop(opened, hook.id)
            audit.record(opened, now, who=WHO, what="webhook-dropped", game_id=hook.game_id)

    def test_webhook(self, public_id: str, url: str) -> None:
        """Have an address called once with nothing to tell; the sweep sees to it."""
        now = datetime.now(UTC)
        with session(self.engine) as opened:
            hook = _found_webhook(opened, public_id, url)
            webhooks.try_out(opened, hook, now)
            audit.record(opened, now, who=WHO, what="webhook-tested", game_id=hook.game_id)

    def _game_id(self, public_id: str) -> int:
        with session(self.engine) as opened:
            return _found(opened, public_id).id

    def login_link(self, address: str) -> str:
        """A link that logs in as this address, once. Raises RefusedError for a stranger."""
        now = datetime.now(UTC)
        with session(self.engine) as opened:
            known = login.known(opened, self.settings.house, address)
            if known is None:
                raise RefusedError(
                    f"{address} neither plays here nor looks after a game; "
                    "PBEM_GM holds the addresses of the house's game masters"
                )
            house = replace(self.settings.house, public_url=running_url(self.settings))
            return login.make_link(opened, house, known, now, secrets.token_bytes)

    def _send(self, letters: Sequence[int]) -> None:
        for letter in letters:
            self.hint(SEND, letter)


@contextmanager
def desk() -> Iterator[Desk]:
    """The desk of the data directory in the settings; what is refused becomes one line."""
    settings = read_settings()
    migrate(settings)
    engine = open_engine(settings.database_url)
    try:
        with in_use():
            yield Desk(settings, engine, hints(running_broker(settings)))
    except (LobbyError, OptionError, RulesetError) as error:
        raise UsageError(str(error)) from error
    except WebhookError as error:
        raise UsageError(refusals.text(str(error), {})) from error
    except ActError as error:
        raise RefusedError(refusals.text(error.code, error.facts)) from error
    finally:
        engine.dispose()


def _found(opened: Session, public_id: str) -> tables.Game:
    number = games.game_id(public_id)
    game = None if number is None else games.find(opened, number)
    if game is None:
        raise RefusedError(f"there is no game {public_id}; `pbem game list` shows all")
    return game


def _found_webhook(opened: Session, public_id: str, url: str) -> tables.Webhook:
    held = stored.of_game(opened, _found(opened, public_id).id)
    hook = next((hook for hook in held if hook.url == url), None)
    if hook is None:
        raise RefusedError(
            f"{public_id} has no webhook {url}; `pbem game webhook {public_id}` lists them"
        )
    return hook


def _hook(hook: tables.Webhook, last: tables.WebhookCall | None) -> dict[str, Any]:
    told = None if last is None else {"status": last.status, "error": last.last_error}
    return {"kind": hook.kind, "url": hook.url, "secret": "", "last": told}
