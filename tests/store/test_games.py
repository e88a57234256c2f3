"""Games: the lock, the version, the list of events."""

import threading
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from pbem.store import games, inbox, outbox, positions, snapshots
from pbem.store.engine import session
from pbem.store.games import NoSuchGameError, StaleGameError
from pbem.store.tables import Game, OutboxStatus, SeatStatus
from tests.store.conftest import MakeLetter, MakeMail, NewGame


def test_public_ids_read_back() -> None:
    assert games.game_id(games.public_id(7)) == 7
    assert games.game_id("G7") == 7


@pytest.mark.parametrize("text", ["", "7", "g", "g0", "g07", "g-1", "x7", "g7.a", "g" + "9" * 40])
def test_other_texts_are_no_public_id(text: str) -> None:
    assert games.game_id(text) is None


def test_a_game_is_stored_with_its_seats(engine: Engine, game: Game) -> None:
    with session(engine) as opened:
        stored = games.find(opened, game.id)
        assert stored is not None
        assert stored.chain_last == b"\x00 the last link"
        assert [seat.letter for seat in games.seats(opened, game.id)] == ["A", "B", "C"]
        anna = games.seat(opened, game.id, "A")
        assert anna is not None
        assert (anna.name, anna.status) == ("Anna", SeatStatus.INVITED)
        assert [seat.game_id for seat in games.seats_at(opened, "anna@example.org")] == [game.id]


def test_a_token_finds_its_seat_in_any_case(engine: Engine, game: Game) -> None:
    with session(engine) as opened:
        found = games.seat_for_token(opened, "g1", "b")
        assert found is not None
        assert (found.game_id, found.letter, found.address) == (1, "B", "bruno@example.org")
        assert found.over_at is None


@pytest.mark.parametrize(("public", "letter"), [("g2", "A"), ("g1", "F"), ("nonsense", "A")])
def test_a_token_of_no_seat_finds_none(
    engine: Engine, game: Game, public: str, letter: str
) -> None:
    with session(engine) as opened:
        assert games.seat_for_token(opened, public, letter) is None


def test_a_saved_state_raises_the_version(engine: Engine, game: Game) -> None:
    with session(engine) as opened:
        locked = games.lock(opened, game.id)
        locked.step = 4
        games.save(opened, locked, {"turn": 2}, phase="place", turn=2, on_turn="B")
        assert (locked.version, locked.state, locked.step) == (1, {"turn": 2}, 4)
    with session(engine) as opened:
        stored = games.lock(opened, game.id)
        assert (stored.version, stored.turn, stored.on_turn, stored.step) == (1, 2, "B", 4)
        assert stored.phase == "place"


def test_a_state_from_an_old_version_is_refused(engine: Engine, game: Game) -> None:
    def save(read: Game, state: dict[str, int]) -> None:
        with session(engine) as opened:
            opened.add(read)
            games.save(opened, read, state, phase="place", turn=1, on_turn="A")

    with session(engine) as opened:
        fresh = games.lock(opened, 1)
    save(fresh, {"new": 1})
    with pytest.raises(StaleGameError, match="g1"):
        save(game, {"old": 1})  # as it was read at version 0
    with session(engine) as opened:
        assert games.lock(opened, 1).state == {"new": 1}


def test_a_lock_on_no_game_says_which(engine: Engine) -> None:
    with pytest.raises(NoSuchGameError, match="g9"), session(engine) as opened:
        games.lock(opened, 9)


def test_two_workers_cannot_hold_one_game_at_once(engine: Engine, game: Game) -> None:
    entered = threading.Event()
    versions: list[int] = []

    def second_worker() -> None:
        with session(engine) as opened:
            entered.set()
            locked = games.lock(opened, game.id)
            versions.append(locked.version)
            games.save(opened, locked, {"by": "second"}, phase="place", turn=1, on_turn="A")

    with session(engine) as opened:
        locked = games.lock(opened, game.id)
        worker = threading.Thread(target=second_worker)
        worker.start()
        entered.wait()
        worker.join(0.3)
        assert worker.is_alive(), "it waits for the lock"
        games.save(opened, locked, {"by": "first"}, phase="place", turn=1, on_turn="A")
    worker.join(10)
    assert versions == [1], "it saw what the first had done"
    with session(engine) as opened:
        assert games.lock(opened, game.id).version == 2


@pytest.mark.parametrize("backend", ["postgres"], indirect=True)
def test_mails_are_stored_while_their_game_is_locked(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with session(engine) as playing:
        games.lock(playing, game.id)
        with session(engine) as arriving:
            arriving.connection().exec_driver_sql("SET lock_timeout = '1s'")
            assert inbox.add(arriving, [mail("k")])


@pytest.mark.parametrize("backend", ["postgres"], indirect=True)
def test_one_locked_game_does_not_hold_another(engine: Engine, deal: NewGame) -> None:
    first, second = deal(), deal()
    with session(engine) as one, session(engine) as other:
        games.lock(one, first.id)
        other.connection().exec_driver_sql("SET lock_timeout = '1s'")
        assert games.lock(other, second.id).id == second.id


def test_the_list_of_games_can_leave_out_those_that_are_over(
    engine: Engine, deal: NewGame, noon: datetime
) -> None:
    for _ in range(3):
        deal()
    with session(engine) as opened:
        games.lock(opened, 2).over_at = noon
    with session(engine) as opened:
        assert [game.id for game in games.listing(opened)] == [3, 2, 1]
        assert [game.id for game in games.listing(opened, over=False)] == [3, 1]
        assert [game.id for game in games.listing(opened, over=True)] == [2]


def test_events_are_numbered_on_and_come_back_in_order(
    engine: Engine, game: Game, noon: datetime
) -> None:
    with session(engine) as opened:
        locked = games.lock(opened, game.id)
        placed = [(1, {"kind": "placed", "armies": n}) for n in (3, 4)]
        ended = [(1, {"kind": "turn-ended"}), (2, {"kind": "turn-started"})]
        assert games.append_events(opened, locked, placed, noon, rules_version="1") == range(1, 3)
        assert games.append_events(opened, locked, ended, noon, rules_version="1") == range(3, 5)
    with session(engine) as opened:
        found = games.events_of(opened, game.id)
        assert [(event.seq, event.turn, event.kind) for event in found] == [
            (1, 1, "placed"),
            (2, 1, "placed"),
            (3, 1, "turn-ended"),
            (4, 2, "turn-started"),
        ]
        assert found[1].body == {"kind": "placed", "armies": 4}
        assert [event.seq for event in games.events_of(opened, game.id, 2, 3)] == [2, 3]
        assert games.lock(opened, game.id).last_seq == 4


def test_the_first_event_of_a_turn_and_the_last_of_a_kind_are_found(
    engine: Engine, game: Game, noon: datetime
) -> None:
    happened = [(1, {"kind": "rolled"}), (2, {"kind": "rolled"}), (2, {"kind": "turn-ended"})]
    with session(engine) as opened:
        locked = games.lock(opened, game.id)
        games.append_events(opened, locked, happened, noon, rules_version="1")
        assert [games.first_event(opened, game.id, turn) for turn in (1, 2, 3)] == [1, 2, None]
        assert [event.seq for event in games.last_events(opened, game.id, "rolled", 9)] == [2, 1]
        assert [event.seq for event in games.last_events(opened, game.id, "rolled", 1)] == [2]


def test_nothing_happened_is_no_event(engine: Engine, game: Game, noon: datetime) -> None:
    with session(engine) as opened:
        locked = games.lock(opened, game.id)
        assert len(games.append_events(opened, locked, [], noon, rules_version="1")) == 0
        assert games.events_of(opened, game.id) == []


def test_a_mail_that_is_played_twice_is_refused_by_the_database(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    events = [(1, {"kind": "placed"}), (1, {"kind": "turn-ended"})]

    def play(number: int) -> None:
        with session(engine) as opened:
            locked = games.lock(opened, game.id)
            games.append_events(opened, locked, events, noon, rules_version="1", inbox_id=number)

    with session(engine) as opened:
        [receipt] = inbox.add(opened, [mail("k")])
    play(receipt.inbox_id)
    with pytest.raises(IntegrityError):
        play(receipt.inbox_id)


def test_a_number_of_an_event_is_given_once(engine: Engine, game: Game, noon: datetime) -> None:
    def append(after: int) -> None:
        with session(engine) as opened:
            locked = games.lock(opened, game.id)
            locked.last_seq = after
            games.append_events(opened, locked, [(1, {"kind": "placed"})], noon, rules_version="1")

    append(0)
    with pytest.raises(IntegrityError):
        append(0)


def test_a_turn_closes_once_in_a_branch(engine: Engine, game: Game, noon: datetime) -> None:
    def close(branch: int) -> None:
        with session(engine) as opened:
            locked = games.lock(opened, game.id)
            locked.branch = branch
            snapshots.keep(
                opened, locked, noon, turn=1, last_seq=locked.last_seq, state={"branch": branch}
            )

    close(0)
    close(1)
    with pytest.raises(IntegrityError):
        close(1)
    with session(engine) as opened:
        assert [s.state for s in snapshots.of_game(opened, game.id, branch=1)] == [{"branch": 1}]


def test_one_position_is_kept_once(engine: Engine, game: Game, noon: datetime) -> None:
    with session(engine) as opened:
        first = positions.keep(opened, 1, {"a": 1, "b": 2}, noon)
        assert positions.keep(opened, 1, {"b": 2, "a": 1}, noon) == first
        assert positions.keep(opened, 1, {"a": 2}, noon) != first
        assert positions.find(opened, 1, first) == {"a": 1, "b": 2}
        assert positions.find(opened, 1, "0" * 64) is None


def test_positions_go_when_no_letter_needs_them(
    engine: Engine, game: Game, letter: MakeLetter, noon: datetime
) -> None:
    week = timedelta(days=7)
    with session(engine) as opened:
        unsent, sent, none = (positions.keep(opened, 1, {"n": n}, noon) for n in range(3))
        numbers = outbox.enqueue(
            opened,
            [letter("u", position_hash=unsent), letter("s", position_hash=sent)],
            noon,
        )
        outbox.mark_sent(opened, numbers[1], noon)
    with session(engine) as opened:
        assert positions.purge(opened, noon + timedelta(days=6), week) == 0
        assert positions.purge(opened, noon + timedelta(days=8), week) == 2
        assert positions.find(opened, 1, unsent) is not None
        assert positions.purge(opened, noon + timedelta(days=8), week) == 0, "nothing more to go"
        assert outbox.mark_failed(opened, numbers[0], 0, "") is False, "it was never claimed"
        [claimed] = outbox.claim(opened, numbers[:1], noon, week)
        assert claimed.status == OutboxStatus.SENDING
        assert none != sent
