"""Questions that wait for a word, on both databases."""

from datetime import datetime, timedelta

from sqlalchemy import Engine

from pbem.store import consents, person
from pbem.store.engine import session
from pbem.store.tables import Consent, ConsentStatus, Game

WEEK = timedelta(days=7)
DORA, EMIL, ANNA = "dora@x.example", "emil@x.example", "anna@x.example"


def ask(engine: Engine, game: Game, noon: datetime) -> int:
    asked = Consent(
        game_id=game.id,
        who=DORA,
        of="gm",
        act="draw",
        position_hash="f00d",
        asked_at=noon,
        lapses_at=noon + WEEK,
    )
    with session(engine) as opened:
        return consents.ask(opened, asked, [(EMIL, ""), (ANNA, "A")]).id


def test_a_question_is_awaited_until_it_is_answered(
    engine: Engine, game: Game, noon: datetime
) -> None:
    number = ask(engine, game, noon)
    with session(engine) as opened:
        assert consents.awaited(opened, EMIL.upper()) == [game.id]
        assert consents.awaited(opened, ANNA) == [], "she is asked as a player"
        (asked,) = consents.asked_at(opened, game.id, ANNA.upper(), "A")
        assert asked.id == number
        assert consents.asked_at(opened, game.id, ANNA, "B") == []
        master, player = consents.voices(opened, number)
        assert (master.address, player.seat) == (EMIL, "A")
        master.agrees, master.at = True, noon
        player.agrees = False
        opened.add_all((master, player))
    with session(engine) as opened:
        assert consents.awaited(opened, EMIL) == []
        assert consents.asked_at(opened, game.id, ANNA, "A") == []
        assert consents.voices(opened, number)[0].at == noon


def test_a_question_is_settled_once_and_lapses_at_its_moment(
    engine: Engine, game: Game, noon: datetime
) -> None:
    number = ask(engine, game, noon)
    with session(engine) as opened:
        assert consents.overdue(opened, noon + WEEK - timedelta(seconds=1)) == []
        assert consents.overdue(opened, noon + WEEK) == [game.id]
        found = consents.find(opened, number)
        assert found is not None
        assert consents.settle(opened, found, ConsentStatus.GIVEN, noon)
        assert not consents.settle(opened, found, ConsentStatus.REFUSED, noon)
    with session(engine) as opened:
        assert consents.open_of(opened, game.id) == []
        assert consents.overdue(opened, noon + WEEK) == []
        (found,) = consents.of_game(opened, game.id)
    assert (found.status, found.settled_at) == (ConsentStatus.GIVEN, noon)


def test_who_is_erased_is_neither_asker_nor_voice(
    engine: Engine, game: Game, noon: datetime
) -> None:
    number = ask(engine, game, noon)
    with session(engine) as opened:
        assert [voice.agrees for voice in person.rows(opened, EMIL).voices] == [None]
        person.erase(opened, EMIL, noon)
        person.erase(opened, DORA, noon)
    with session(engine) as opened:
        found = consents.find(opened, number)
        assert found is not None
        assert found.who == person.ERASED
        assert [voice.address for voice in consents.voices(opened, number)] == [ANNA]
