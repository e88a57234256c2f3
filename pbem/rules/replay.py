"""Playing a recorded game again, action by action, with the dice that the record tells.

The rules decide anew what each action brings, so the events that come out are what should have
been recorded.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.board import BoardError
from pbem.rules.event import Event, RolledBack
from pbem.rules.notation import checksum
from pbem.rules.position import TURN, Phase
from pbem.rules.record import GM, Header
from pbem.rules.recorded import MismatchError, Recorded, Words
from pbem.rules.reenact import close_turn, overruled, reenact, renew_dice
from pbem.rules.ruleset import RulesetError
from pbem.rules.setup import new_game
from pbem.rules.state import Played, State
from pbem.rules.transcript import Block, Entry, Transcript


class Stopped(NamedTuple):
    """Where a record could not be played on, and why; lines are counted from 1."""

    line: int
    why: str


class Replayed(NamedTuple):
    """What playing a record again gave, as far as it went.

    `checksums` are those of the positions after each closed link; `state` is the last position.
    With hidden faces its cards are stand-ins.
    """

    events: tuple[Event, ...]
    checksums: Mapping[int, str]
    state: State | None
    stopped: Stopped | None


def replay(transcript: Transcript) -> Replayed:
    """Plays a record again from the setup to its last line, or to the first that cannot be.

    What a rollback left out is played too, and then its state is gone back to.
    """
    course = _Course(Recorded(transcript))
    stopped = None
    try:
        course.begin(_invited(transcript.header))
        for block in transcript.blocks:
            course.play(block)
    except MismatchError as mismatch:
        stopped = Stopped(course.line, str(mismatch))
    return Replayed(tuple(course.events), course.checksums, course.state, stopped)


class _Passed(NamedTuple):
    """A line that counts so far, with the state behind it and how many events there were then."""

    undone: int | None
    state: State
    events: int


class _Course:
    """A record on the way from its first line to its last."""

    def __init__(self, chance: Recorded) -> None:
        self._chance = chance
        self._passed: list[_Passed] = []
        self.events: list[Event] = []
        self.checksums: dict[int, str] = {}
        self.state: State | None = None
        self.line = 1

    def begin(self, state: State) -> None:
        """Put the table up."""
        self.state = state

    def play(self, block: Block) -> None:
        """One block, from its head to its end; raises MismatchError at `line`."""
        self.line = block.head.line
        assert self.state is not None
        self._pass(block.head, self._open(self.state, block))
        before = block.head.words
        for entry in block.entries:
            self.line = entry.line
            _refuse_unmarked(before, entry.words)
            self._pass(entry, reenact(self.state, entry.words, self._chance.at(entry)))
            before = entry.words
        if block.end is not None:
            self.line = block.end.line
            self._pass(block.end, close_turn(self.state, block, self._chance))
            self.checksums[block.link] = checksum(self.state)

    def _open(self, state: State, block: Block) -> Played:
        """What the head of a block does; that of a turn only tells what the end before it did."""
        if block.is_rollback:
            return self._go_back(block)
        if block.head.words[0] == "dice":
            return renew_dice(state, block.head.words, self._chance)
        _check_head(state, block)
        return Played(state, ())

    def _go_back(self, block: Block) -> Played:
        """To the state behind the last line that the rollback left."""
        mark = overruled(block.head.words)
        branch = int(mark.words[0])
        while self._passed[-1].undone == branch:
            self._passed.pop()
        behind = self._passed[-1]
        return Played(behind.state, (RolledBack(behind.events, branch, mark.by, mark.reason),))

    def _pass(self, entry: Entry, played: Played) -> None:
        self.state, happened = played
        self.events += happened
        self._passed.append(_Passed(entry.undone, self.state, len(self.events)))


_MARKED: Mapping[str, frozenset[str]] = {
    "set": frozenset({GM, "set", "hand"}),
    "hand": frozenset({GM, "set", "hand"}),
    "rule": frozenset({GM}),
}
"""What may stand above a line of something that the game master set."""


def _refuse_unmarked(before: Words, words: Words) -> None:
    """What the game master sets stands below the line that says who did it, and why."""
    above = _MARKED.get(words[0])
    if above is not None and before[0] not in above:
        raise MismatchError("what the game master sets is marked by a line of its own")


def _invited(header: Header) -> State:
    try:
        state = new_game(header.ruleset, len(header.players), header.board_id)
    except (RulesetError, BoardError) as error:
        raise MismatchError(str(error)) from error
    if tuple(player.seat for player in header.players) != state.seats:
        raise MismatchError(f"the seats are {', '.join(state.seats)}")
    return state


def _check_head(state: State, block: Block) -> None:
    if block.turn == 0 and state.phase is Phase.INVITED:
        return
    head = f"{state.turn} {state.on_turn} link {state.link}"
    # A turn may be won by beginning: a mission was held for its full round.
    begun = state.phase in TURN or state.phase is Phase.OVER
    if " ".join(block.head.words) != head or not begun:
        raise MismatchError(f"what comes next is: {head}")
