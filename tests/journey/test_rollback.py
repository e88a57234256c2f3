"""Two turns taken back and played again, over real processes and real mails."""

import json
from subprocess import CompletedProcess

from pbem.rules.verify import verify
from tests.journey.house import House
from tests.journey.table import GameTable, open_table


def play_turn(table: GameTable, turn: int) -> None:
    """The seat on turn attacks once and ends; the next one is called."""
    front = table.own()[0]
    orders = f"place the rest in {front}\nattack {table.enemy_of(front)} from {front}, once\nend\n"
    assert table.say(orders).state["open"] == "no"
    table.wait_call(turn + 1)


def take_back(house: House, game: str, seq: int) -> "CompletedProcess[str]":
    return house.run("game", "rollback", game, str(seq), "--reason", "wrong map", "--json")


def test_two_turns_are_taken_back_and_played_on(house: House) -> None:
    table = open_table(house)
    first = table.call
    events = json.loads(house.ask("game", "events", table.game, "--json"))
    start = events[-1]["seq"]
    before = table.show()
    play_turn(table, 1)
    play_turn(table, 2)
    undone = table.call

    done = take_back(house, table.game, start)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert (shown["board"], shown["turn"], shown["on_turn"]) == (
        before["board"],
        1,
        before["on_turn"],
    )
    told = house.letter(undone.to, "note")
    assert "Turn 1 is played again" in told.subject

    # What was written for the branch that is undone plays no more.
    stale = house.say(undone, "end\n")
    assert stale.kind == "mistakes"
    stale = house.say(first, "end\n")
    assert stale.kind == "mistakes"
    assert table.show()["version"] == shown["version"]

    assert house.sink is not None
    table.call = house.sink.wait(
        lambda: [one for one in house.sink.to(first.to, "turn-call") if one.game == table.game][1:],  # type: ignore[union-attr]  # seen above
        30,
        "call of turn 1 again",
    )[0]
    front = table.own()[0]
    attack = f"attack {table.enemy_of(front)} from {front}, once"
    answer = table.say(f"place the rest in {front}\n{attack}\nend\n")
    assert answer.state["open"] == "no", answer.text
    assert table.show()["turn"] == 2
    for form in ((), ("--public",)):
        record = house.export(table.game, *form)
        assert '@gm rollback 1 by command-line "wrong map"' in record
        assert "\n~1 2 " in record
        assert verify(record).failures == ()
