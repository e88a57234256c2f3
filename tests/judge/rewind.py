"""A game with true dice, played by simple mails, that is taken back and played on."""

from pbem.judge import choosing, export, lobby
from pbem.judge.acts import performing
from pbem.judge.acts.act import Act
from pbem.judge.acts.performing import Conflict, Performed, Refused, Waiting
from pbem.judge.gm import Why
from pbem.judge.lobby import NewSeat
from pbem.rules.position import Phase
from pbem.rules.verify import verify
from pbem.store import games
from pbem.store.engine import session
from tests.judge.desk import BEGIN, HOUSE, Desk, Letter
from tests.judge.one_game import OneGame

PEOPLE = ("anna", "bruno", "carla")
TURN = """trade auto
place the rest in {front}
attack {target} from {front}, stop at 3
end"""


class Rewind(Desk):
    """Anna, Bruno and Carla at turn 1 after a setup without lists."""

    def __init__(self, *, setup: bool = False, ruleset: str = "classic-1993") -> None:
        OneGame.__init__(self, HOUSE, BEGIN)
        rules, chosen = choosing.choose(ruleset, {}, pace="48h", remind=[])
        seats = [
            NewSeat(colour, name.capitalize(), f"{name}@people.example", "en")
            for colour, name in zip(("red", "blue", "green"), PEOPLE, strict=True)
        ]
        with session(self.engine) as opened:
            game = lobby.create(
                opened,
                self.now,
                ruleset=rules,
                options=chosen,
                seats=seats,
                language="en",
                entropy=lambda n: bytes(range(n)),
            )
            self.id = game.id
            if setup:
                lobby.open_game(opened, HOUSE, game, self.now, inviter="", start=True)
            else:
                lobby.open_at_turn_one(opened, HOUSE, game, self.now)

    def drain(self) -> None:
        OneGame.drain(self)

    def do(self, act: Act, version: int | None = None) -> Performed | Conflict | Refused:
        """The game master does this; whatever comes of it."""
        why = Why("dora@house.example", "wrong map")
        done = performing.perform(self.engine, self.house, self.id, act, why, self.now, version)
        assert not isinstance(done, Waiting)
        return done

    def attack(self) -> str:
        """Orders of one line that roll dice, for the seat on turn."""
        state = self.state
        assert state.on_turn is not None
        own = state.held(state.on_turn)
        source = max(own, key=lambda code: (state.threat(code) > 0, state.armies[code]))
        target = min(state.enemies(source), key=lambda code: state.armies[code])
        return f"place the rest in {source}\nattack {target} from {source}, stop at 3"

    def play(self, text: str | None = None) -> Letter:
        """The seat on turn sends orders that roll, or these."""
        assert self.state.on_turn is not None
        return self.say(self.state.on_turn, self.attack() if text is None else text)

    def play_turn(self) -> None:
        """A whole turn of the seat on turn."""
        self.play()
        if self.state.phase is not Phase.OVER:
            self.play("end")

    def record(self, *, public: bool = True) -> str:
        """The record, which is proved before anything is said of it."""
        with session(self.engine) as opened:
            game = games.find(opened, self.id)
            assert game is not None
            text = export.export(opened, game, public=public)
        assert verify(text).failures == (), text
        return text

    @property
    def last_seq(self) -> int:
        return self.game.last_seq

    def seq_of(self, kind: str, turn: int) -> int:
        """The number of the first such event of a turn that counts."""
        with session(self.engine) as opened:
            rows = games.events_of(opened, self.id)
        return next(row.seq for row in rows if row.kind == kind and row.turn == turn)

    def addresses(self) -> set[str]:
        """Every address that a letter of the game could be answered at."""
        return {str(letter.mail["Reply-To"]) for letter in self.letters() if letter.row.seat}
