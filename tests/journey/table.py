"""A game of three people at which a test can play by hand."""

from dataclasses import dataclass
from typing import Any

from tests.journey.house import PATIENCE, House, person
from tests.journey.letter import Letter
from tests.journey.robot import NEIGHBOURS

NAMES = ("Anna", "Bob", "Carla")
COLOURS = ("red", "blue", "green")


@dataclass
class GameTable:
    """A running game; `call` is the newest turn call, its reader is on turn."""

    house: House
    game: str
    people: dict[str, str]
    call: Letter

    @property
    def on_turn(self) -> str:
        """The address of the seat on turn."""
        return self.call.to

    @property
    def letter_on_turn(self) -> str:
        return next(letter for letter, who in self.people.items() if who == self.on_turn)

    @property
    def waiting(self) -> list[str]:
        """The addresses of the others."""
        return [who for who in self.people.values() if who != self.on_turn]

    def own(self) -> list[str]:
        """Territories of the seat on turn with an enemy next to them, the strongest first."""
        board, me = self.call.board, self.letter_on_turn
        mine = [code for code, (owner, _) in board.items() if owner == me]
        fronts = [code for code in mine if any(board[n][0] != me for n in NEIGHBOURS[code])]
        return sorted(fronts, key=lambda code: -board[code][1])

    def enemy_of(self, code: str) -> str:
        board, me = self.call.board, self.letter_on_turn
        return next(n for n in NEIGHBOURS[code] if board[n][0] != me)

    def newest(self, who: str) -> Letter:
        sink = self.house.sink
        assert sink is not None
        return sink.to(who)[-1]

    def say(self, text: str) -> Letter:
        """The seat on turn answers its turn call; the answer."""
        return self.house.say(self.call, text)

    def show(self) -> dict[str, Any]:
        return self.house.show(self.game)

    def standing(self) -> tuple[dict[str, Any], str]:
        """All that a command shows of the game: it must not change unless the game does."""
        return self.show(), self.house.export(self.game)

    def wait_call(self, turn: int) -> Letter:
        """Wait for the call of that turn, to whoever is on turn."""
        sink = self.house.sink
        assert sink is not None
        calls: list[Letter] = sink.wait(
            lambda: [
                one
                for who in self.people.values()
                for one in sink.to(who, "turn-call")
                if one.game == self.game and one.state["turn"] == str(turn)
            ],
            PATIENCE,
            f"call of turn {turn}",
        )
        self.call = calls[0]
        return self.call


def open_table(house: House, *arguments: str, language: str = "") -> GameTable:
    """A dealt game in its first turn."""
    people = [person(name) for name in NAMES]
    seats = {
        colour: f"{name} <{who}>{language}"
        for colour, name, who in zip(COLOURS, NAMES, people, strict=True)
    }
    made = house.new_game(seats, "--setup", "deal", "--start", *arguments)
    for who in people:
        call = house.letter(who, "setup-call")
        own = next(code for code, (owner, _) in call.board.items() if owner == _letter(made, who))
        house.reply(call, f"fill {own} 12\n")
    for who in people:
        house.letter(who, "setup-result")
    by_letter = dict(zip("ABC", people, strict=True))
    table = GameTable(house, made["id"], by_letter, call)
    table.wait_call(1)
    return table


def _letter(made: dict[str, Any], who: str) -> str:
    return next(str(seat["letter"]) for seat in made["seats"] if seat["address"] == who)
