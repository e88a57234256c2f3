"""The game of `pbem demo`: an installation of its own, and a first turn that waits for a person."""

import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pbem.cli.database import migrate
from pbem.cli.refusal import UsageError
from pbem.embedded.ports import PortTakenError, free_address
from pbem.judge import choosing, dispatch, invitees, lobby
from pbem.judge.choosing import OptionError
from pbem.judge.drain import drain
from pbem.judge.lobby import LobbyError, NewSeat
from pbem.rules.ruleset import RulesetError
from pbem.settings import PREFIX, Listen, Settings, StartError, load_settings
from pbem.store import games, outbox
from pbem.store.engine import Engine, open_engine, session

YOU = "you"
GM = "gm@pbem.localhost"
"""Who looks after the demo's game: not you, so that its desk can be seen whole."""

COLOURS = ("blue", "red", "green", "yellow", "purple", "black")
"""Yours first."""

RULESET = "classic-1993"
PACE = "48h"

_KEPT = frozenset({f"{PREFIX}SMTP_LISTEN", f"{PREFIX}HTTP_LISTEN"})


class NoMailboxError(StartError):
    """The demo's letters could not be shown to anybody."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A game whose first move is the person's. `reply_to` is where the orders go."""

    game: str
    you: str
    colour: str
    seats: int
    reply_to: str


def settings_in(folder: Path) -> Settings:
    """The settings of an installation in `folder`, for this process and its children.

    Whatever is set for another installation is left out, but for the addresses to listen on; one
    that is taken gives way to any free port. Raises StartError.
    """
    for name in [name for name in os.environ if name.startswith(PREFIX) and name not in _KEPT]:
        del os.environ[name]
    os.environ[f"{PREFIX}DATA_DIR"] = str(folder)
    os.environ[f"{PREFIX}GM"] = GM
    settings = load_settings()
    smtp = _free(settings.smtp_listen, "PBEM_SMTP_LISTEN")
    http = _free(settings.http_listen, "PBEM_HTTP_LISTEN")
    found = {"smtp_listen": smtp, "http_listen": http, "public_url": f"http://{http}"}
    settings = settings.model_copy(update=found)
    if not settings.shows_mailbox:
        raise NoMailboxError(
            f"PBEM_HTTP_LISTEN: the demo shows its letters on this machine only, not on {http}; "
            "set it to 127.0.0.1:8000"
        )
    return settings


def _free(listen: Listen, setting: str) -> Listen:
    try:
        return free_address(listen, setting)
    except PortTakenError:
        return free_address(Listen(listen.host, 0), setting)


def begin(settings: Settings, *, seats: int, language: str, setup: str) -> Trial:
    """Make the game and play it to the person's first turn call, which is then in the mailbox.

    Raises UsageError for a language or a setup that there is not.
    """
    migrate(settings)
    engine = open_engine(settings.database_url)
    try:
        game_id = _make(engine, settings, seats, language, setup)
        while drain(engine, settings.house, game_id, _clock):
            pass
        _send_letters(engine, settings, game_id)
        return _trial(engine, game_id)
    except (LobbyError, OptionError, RulesetError) as error:
        raise UsageError(str(error)) from error
    finally:
        engine.dispose()


def _make(engine: Engine, settings: Settings, seats: int, language: str, setup: str) -> int:
    rules, chosen = choosing.choose(RULESET, {"setup": setup}, pace=PACE, remind=[])
    places = list(_seats(settings, seats, language))
    lobby.check_seats(places, rules, allow_same=False)
    with session(engine) as opened:
        game = lobby.create(
            opened,
            _clock(),
            ruleset=rules,
            options=chosen,
            seats=places,
            language=invitees.check_language(language),
            entropy=secrets.token_bytes,
        )
        lobby.open_at_turn_one(opened, settings.house, game, _clock())
        return game.id


def _seats(settings: Settings, count: int, language: str) -> Iterator[NewSeat]:
    for place, colour in enumerate(COLOURS[:count]):
        address = None if place else f"{YOU}@{settings.domain}"
        yield NewSeat(colour, colour.capitalize(), address, language)


def _send_letters(engine: Engine, settings: Settings, game_id: int) -> None:
    post = dispatch.Post(None, settings.retry_steps, settings.outcome_unknown)
    with session(engine) as opened:
        letters = [row.id for row in outbox.letters_to(opened, game_id, "A")]
    dispatch.send_all(engine, settings.house, post, letters, _clock)


def _trial(engine: Engine, game_id: int) -> Trial:
    with session(engine) as opened:
        seats = games.seats(opened, game_id)
        you = seats[0]
        assert you.address is not None
        assert you.last_letter_address is not None, "a turn call was sent"
        return Trial(
            games.public_id(game_id), you.address, you.colour, len(seats), you.last_letter_address
        )


def _clock() -> datetime:
    return datetime.now(UTC)
