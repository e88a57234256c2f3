"""A player that knows the map on the wall, the rules and the letters it gets, nothing else."""

import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.rules.board import load
from tests.journey.house import House
from tests.journey.letter import Letter

MAP = load("classic-world")
NEIGHBOURS: dict[str, tuple[str, ...]] = {code: tuple(MAP.neighbours[code]) for code in MAP.codes}
STRIKES = 6
"""So many attacks in one mail."""
PATIENT_TURNS = 14
"""From this turn on a robot throws away what it has, so that the game comes to an end."""


@dataclass
class Sent:
    """One mail that the robot sent: its own Message-ID, and what it answered."""

    message_id: str
    to: str
    text: str


@dataclass
class Robot:
    """Plays one seat in a thread of its own, from the text parts of its letters."""

    house: House
    address: str
    sent: list[Sent] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    failure: BaseException | None = None
    repeats: int = 0

    def __post_init__(self) -> None:
        self._seen = 0
        self._stop = threading.Event()
        self.over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.address, daemon=True)

    def start(self) -> "Robot":
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(30)

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                for letter in self._new():
                    self.read(letter)
        except BaseException as failure:
            self.failure = failure

    def _new(self) -> list[Letter]:
        sink = self.house.sink
        assert sink is not None
        got = sink.to(self.address)
        fresh = got[self._seen :]
        self._seen = len(got)
        if not fresh:
            self._stop.wait(0.02)
            return []
        known = {letter.message_id for letter in got[: self._seen - len(fresh)]}
        return [letter for letter in fresh if letter.message_id not in known]

    def read(self, letter: Letter) -> None:
        """Do what a letter asks for."""
        match letter.kind:
            case "invitation":
                self.answer(letter, "YES\n")
            case "setup-call":
                self.answer(letter, self.wishes(letter))
            case "turn-call":
                self.answer(letter, "\n".join(self.turn(letter)))
            case "paused":
                self.answer(letter, "\n".join(self.go_on(letter)))
            case "done" if letter.state["open"] == "yes" and letter.state["step"] != "1":
                # Its own mail left the turn open; in step 1 the setup has just ended.
                self.answer(letter, "end\n")
            case "mistakes":
                self.troubles.append(letter.text)
                if letter.state["open"] == "yes":
                    self.answer(letter, "\n".join(self.least(letter)))
            case "game-over":
                self.over.set()

    def answer(self, letter: Letter, text: str) -> None:
        while True:
            try:
                message_id = self.house.reply(letter, text, message_id=self._next_id())
                break
            except OSError:  # the door is closed for a moment: a mail program tries again
                if self._stop.wait(0.3):
                    return
        self.sent.append(Sent(message_id, letter.reply_to, text))
        if len(self.sent) % 7 == 0 and self.repeats >= 0:
            self.repeats += 1
            self.house.reply(letter, text, message_id=message_id)

    def _next_id(self) -> str:
        name = self.address.partition("@")[0]
        return f"<{name}.{len(self.sent)}.{id(self):x}@people.example>"

    # -- what to order ---------------------------------------------------------------------------

    def wishes(self, letter: Letter) -> str:
        """The list for the setup."""
        if letter.state["phase"] == "claim":
            return "claim Australia, South America, nearest\n"
        return f"fill {Table(letter).best_front()} 12\n"

    def turn(self, letter: Letter) -> list[str]:
        """A whole turn in one mail."""
        table = Table(letter)
        front = table.best_front()
        lines = ["trade auto"] if "ou may trade a set" in letter.text or table.must_trade else []
        lines.append(f"place the rest in {front}")
        extra = int(letter.state["to-place"]) + (4 if lines[0] == "trade auto" else 0)
        patient = int(letter.state["turn"]) < PATIENT_TURNS
        return [*lines, *table.strikes(front, extra, patient=patient), "end"]

    def go_on(self, letter: Letter) -> list[str]:
        """The answer to a pause: trade what must be traded, place it, and go on from there."""
        table = Table(letter)
        front = table.best_front()
        trade = ["trade auto"] if letter.state["phase"] == "trade" else []
        place = [f"place the rest in {front}"] if trade or letter.state["to-place"] != "0" else []
        return [*trade, *place, *table.strikes(front, int(letter.state["to-place"])), "end"]

    def least(self, letter: Letter) -> list[str]:
        """What cannot be wrong."""
        lines = ["trade auto"] if letter.state["phase"] == "trade" else []
        if letter.state["to-place"] != "0":
            lines.append(f"place the rest in {self._any_own()}")
        return [*lines, "end"]

    def _any_own(self) -> str:
        sink = self.house.sink
        assert sink is not None
        return Table([one for one in sink.to(self.address) if one.board][-1]).best_front()


class Table:
    """The board of one letter, seen from its reader's seat."""

    def __init__(self, letter: Letter) -> None:
        self.board = letter.board
        assert len(self.board) == 42, letter.text
        found = re.search(r"\b([A-F]) \w+ \(you\)", letter.text)
        assert found, letter.text
        self.me = found[1]
        self.must_trade = "you must trade" in letter.text

    def best_front(self) -> str:
        """The largest stack with an enemy next to it, or any own territory."""
        mine = [code for code, (owner, _) in self.board.items() if owner == self.me]
        fronts = [code for code in mine if any(True for _ in self._enemies(code))]
        return max(fronts or mine, key=lambda code: (self.board[code][1], code))

    def strikes(self, front: str, extra: int, *, patient: bool = True) -> Iterator[str]:
        """A raid from the best stack through the weakest neighbours, as long as it is strong."""
        taken: set[str] = set()
        source, armies = front, self.board[front][1] + extra
        for _ in range(STRIKES):
            targets = [code for code in self._enemies(source) if code not in taken]
            if not targets:
                return
            target = min(targets, key=lambda code: (self.board[code][1], code))
            theirs = self.board[target][1]
            if armies < 4 or (patient and armies < theirs):
                return
            guard = f"if {source} captured: " if taken else ""
            yield f"{guard}attack {target} from {source}, until captured, keep 1"
            taken.add(target)
            armies -= theirs + 1
            source = target

    def _enemies(self, code: str) -> Iterator[str]:
        return (n for n in NEIGHBOURS[code] if self.board[n][0] != self.me)


def counted(robots: list[Robot], letters: list[Letter]) -> dict[str, int]:
    """How many different letters answer each mail that the robots sent."""
    answers = Counter(
        {one.message_id: one.in_reply_to for one in letters if one.in_reply_to}.values()
    )
    return {mail.message_id: answers[mail.message_id] for robot in robots for mail in robot.sent}
