"""SET LATE NOTHING in a whole game: armies lapse, and the record still proves every turn."""

from datetime import timedelta

from pbem.judge import choosing, lobby
from pbem.judge.export import export
from pbem.rules import notation
from pbem.rules.verify import verify
from pbem.store import games
from pbem.store.engine import session
from tests.judge.desk import BEGIN, HOUSE
from tests.judge.one_game import OneGame


class Clocked(OneGame):
    """A game with proved dice whose every deadline passes, from the setup on."""

    def __init__(self) -> None:
        super().__init__(HOUSE, BEGIN)
        rules, chosen = choosing.choose("classic-1993", {}, pace="1h", remind=[])
        people = [
            lobby.NewSeat(colour, colour.title(), f"{colour}@people.example", "en")
            for colour in ("red", "blue", "yellow")
        ]
        with session(self.engine) as opened:
            game = lobby.create(
                opened,
                self.now,
                ruleset=rules,
                options=chosen,
                seats=people,
                language="en",
                entropy=lambda count: bytes(range(count)),
            )
            self.id = game.id
            lobby.open_game(opened, HOUSE, game, self.now, inviter="Dora", start=True)

    def say(self, seat: str, text: str) -> None:
        self.now += timedelta(seconds=1)
        self.bring(seat, text)
        self.drain()


def test_armies_lapse_and_the_record_is_still_proved() -> None:
    game = Clocked()
    for seat in "ABC":
        game.say(seat, "set late nothing")
    for _ in range(8):
        game.run_out()
    with session(game.engine) as opened:
        row = games.find(opened, game.id)
        assert row is not None
        state, record = notation.state_from_json(row.state), export(opened, row, public=True)
    assert state.turn == 8
    # Three seats begin with 35 armies each (rule 1), and nobody has placed one since.
    assert sum(state.armies.values()) == 105
    assert " place " not in record
    report = verify(record)
    assert report.ok, report.failures
