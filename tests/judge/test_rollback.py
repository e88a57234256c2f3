"""Going back: what is undone, what is proved, which dice come, and which addresses are stale."""

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.judge.acts.performing import Performed, Refused
from pbem.judge.acts.rollback import Rollback
from pbem.rules.position import Phase
from pbem.rules.state import State
from pbem.store import games, snapshots
from pbem.store.engine import session
from tests.judge.rewind import Rewind


def without_dice(state: State) -> State:
    """The state but for what a new link changes."""
    return replace(state, link=0, next_roll=0)


def test_two_turns_are_taken_back_and_played_again() -> None:
    game = Rewind()
    game.play_turn()
    before = game.state
    start = game.seq_of("turn-started", 2)
    game.play_turn()
    game.play_turn()
    done = game.do(Rollback(start))
    assert isinstance(done, Performed), done
    assert without_dice(game.state) == without_dice(before)
    assert (game.game.turn, game.game.branch) == (2, 1)
    game.play_turn()
    game.play_turn()
    record = game.record()
    assert "@gm rollback 1 by dora" in record
    assert re.search(r"\n~1   attack ", record)
    game.record(public=False)


def test_all_are_told_and_the_seat_on_turn_is_called_anew() -> None:
    game = Rewind()
    game.play_turn()
    start, on_turn = game.seq_of("turn-started", 2), game.state.on_turn
    game.play_turn()
    assert on_turn is not None
    before = {letter: len(game.letters(letter, "turn-call")) for letter in "ABC"}
    game.do(Rollback(start))
    for seat in "ABC":
        told = game.letters(seat, "note")[-1]
        assert told.mail["Subject"].endswith("Turn 2 is played again")
        assert "wrong map" in told.words
        assert "taken back 1 time so far" in told.words
    called = {letter: len(game.letters(letter, "turn-call")) for letter in "ABC"}
    assert {s for s in "ABC" if called[s] > before[s]} == {on_turn}


def test_the_same_orders_in_an_open_turn_get_the_same_dice() -> None:
    game = Rewind()
    start, orders = game.last_seq, game.attack()
    game.play(orders)
    first = game.state
    game.do(Rollback(start))
    game.play(orders)
    assert game.state == first
    assert "dice link" not in game.record()


def test_other_orders_in_an_open_turn_get_other_dice() -> None:
    game = Rewind()
    start, orders = game.last_seq, game.attack()
    game.play(orders)
    game.do(Rollback(start))
    game.play(orders.replace("stop at 3", "stop at 2"))
    record = game.record()
    assert "dice link 3" in record
    game.play("end")
    assert "3 " + str(game.state.on_turn) + " link 4" not in game.record()


def test_new_dice_come_where_they_are_asked_for_and_where_the_link_is_shown() -> None:
    game = Rewind()
    start, orders = game.last_seq, game.attack()
    game.play(orders)
    first = game.state
    game.do(Rollback(start, new_dice=True))
    assert game.state.link > first.link
    assert game.state.next_roll == first.next_roll
    game.play(orders)
    game.play("end")
    game.do(Rollback(start))
    assert game.state.link > first.link + 2
    game.record()


def test_no_address_of_before_plays_after_a_rollback() -> None:
    game = Rewind()
    start = game.last_seq
    for _ in range(3):
        game.play_turn()
    steps = {(turn, step) for turn in range(5) for step in range(4)}
    game.do(Rollback(start))
    for _ in range(3):
        assert (game.game.turn, game.game.step) not in steps
        version, seat = game.game.version, game.state.on_turn
        assert seat is not None
        for turn, step in sorted(steps):
            assert game.say(seat, "end", step, turn).kind == "mistakes"
        assert game.game.version == version
        game.play_turn()


def test_a_snapshot_that_does_not_come_out_stops_the_rollback() -> None:
    game = Rewind()
    game.play_turn()
    game.play_turn()
    with session(game.engine) as opened:
        kept = snapshots.of_game(opened, game.id)[-1]
        kept.state = {**kept.state, "reshuffles": 7}
        opened.add(kept)
    start = game.seq_of("turn-started", 3)
    game.play()
    refused = game.do(Rollback(start))
    assert isinstance(refused, Refused)
    assert refused.code == "not-proved"


def test_an_event_in_the_midst_of_an_act_is_gone_back_to_before_that_act() -> None:
    game = Rewind()
    game.play_turn()
    state, ended = game.state, game.seq_of("turn-ended", 1)
    game.do(Rollback(ended))
    assert (game.state.turn, game.state.phase) == (1, Phase.ATTACK)
    assert state.turn == 2
    game.play("end")
    game.record()


def test_a_setup_is_asked_for_again() -> None:
    game = Rewind(setup=True)
    opened = game.last_seq
    for seat in "ABC":
        game.say(seat, "claim Siam\nfill Siam 3")
    game.play_turn()
    done = game.do(Rollback(opened))
    assert isinstance(done, Performed), done
    assert game.state.phase is Phase.CLAIM
    for seat in "ABC":
        assert game.say(seat, "claim Brazil\nfill Brazil 3").kind == "done"
    assert game.state.turn == 1
    game.play_turn()
    game.record()


def test_what_is_not_there_cannot_be_gone_back_to() -> None:
    game = Rewind()
    first = game.last_seq
    game.play_turn()
    undone = game.last_seq
    game.do(Rollback(first))
    for seq, code in ((undone, "no-event"), (9999, "no-event"), (game.last_seq, "nothing-undone")):
        refused = game.do(Rollback(seq))
        assert isinstance(refused, Refused)
        assert refused.code == code


@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_random_games_with_random_rollbacks_are_proved(data: st.DataObject) -> None:
    game = Rewind()
    start, used = game.last_seq, {(game.game.turn, game.game.step)}
    for _ in range(data.draw(st.integers(3, 8))):
        if game.state.phase is not Phase.OVER and data.draw(st.booleans()):
            game.play() if data.draw(st.booleans()) else game.play_turn()
        else:
            with session(game.engine) as opened:
                seqs = [row.seq for row in games.events_of(opened, game.id, start)]
            seq = data.draw(st.sampled_from(seqs))
            done = game.do(Rollback(seq, new_dice=data.draw(st.booleans())))
            if isinstance(done, Performed):
                assert (game.game.turn, game.game.step) not in used
        used.add((game.game.turn, game.game.step))
    game.record(public=data.draw(st.booleans()))
