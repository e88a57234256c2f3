"""Reading a record (`rules.record`): its tags, and a block of lines for each dice link.

Only the form is judged here. Whether what a record tells can have happened is the question of
`rules.verify`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.rules.board import BoardError, keep
from pbem.rules.record import (
    FORMAT,
    GM,
    HIDDEN,
    ROLLBACK,
    TAGS,
    Closed,
    Header,
    Player,
    Roll,
)
from pbem.rules.ruleset import Ruleset, ruleset
from pbem.rules.seat import Seat


class RecordError(ValueError):
    """A text is no record of this format; `line` is counted from 1, 0 for the whole text."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


_ROLL = re.compile(r"(\d{1,9}):([1-6]+)(?:/([1-6]+))?")


def read_roll(word: str) -> Roll | None:
    """The roll that a word stands for; None if it is none."""
    match = _ROLL.fullmatch(word)
    if match is None:
        return None
    number, attacker, defender = match.groups(default="")
    return Roll(int(number), tuple(map(int, attacker)), tuple(map(int, defender)))


class Entry(NamedTuple):
    """One line of a block as words, the first says what happened; `line` is counted from 1.

    `undone` is the branch whose rollback left it out, None if it counts.
    """

    line: int
    words: tuple[str, ...]
    undone: int | None = None

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls on this line."""
        return tuple(roll for roll in map(read_roll, self.words) if roll)


@dataclass(frozen=True, slots=True)
class Block:
    """A turn (0 is the setup) with its dice link and its lines; `head` is the line that opens it.

    A rollback, or dice that are renewed, open another block of the turn that they come to. `branch`
    is that in which the link was taken. `end` is the line that closes the turn, `closed` what it
    shows; None while the turn is open.
    """

    head: Entry
    turn: int
    link: int
    branch: int
    entries: tuple[Entry, ...]
    end: Entry | None
    closed: Closed | None

    @property
    def is_rollback(self) -> bool:
        """Whether it goes on from an earlier place."""
        return self.head.words[:2] == (GM, ROLLBACK)

    @property
    def takes_link(self) -> bool:
        """Whether its link was not used before."""
        return not self.is_rollback


@dataclass(frozen=True, slots=True)
class Transcript:
    """A record as it was read. `tag_lines` tells in which line each tag stands."""

    header: Header
    blocks: tuple[Block, ...]
    tag_lines: Mapping[str, int]

    @property
    def hidden(self) -> bool:
        """Whether the faces of cards are left out."""
        return any(HIDDEN in entry.words for _, entry in self.entries())

    def entries(self) -> Iterator[tuple[Block, Entry]]:
        """Every line below the head of a block, with its block."""
        return ((block, entry) for block in self.blocks for entry in block.entries)

    def rolls(self) -> Iterator[tuple[Block, Entry, Roll]]:
        """Every roll, with its line and its block."""
        return ((block, entry, roll) for block, entry in self.entries() for roll in entry.rolls)


_Tags = dict[str, tuple[int, str]]
"""The line and the value of each tag."""

_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_COMMENT = re.compile(r"\{[^}]*\}")
_TAGS = re.compile(rf"(?:(?:{_TAG.pattern}|{_COMMENT.pattern})\s*)+")
_HEAD = re.compile(r"(?:setup|(\d{1,9}) [A-F]) link (\d{1,9})")
_RENEWED = re.compile(r"dice link (\d{1,9}) roll \d{1,9}")
_ROLLBACK = re.compile(rf"{GM} {ROLLBACK} (\d{{1,6}}) .*")
_UNDONE = re.compile(r"~(\d{1,6})")
_END = re.compile(r"end =([0-9a-f]{8}) secret ([0-9a-f]{64})")
_SEAT = re.compile(r"([A-F])=(\w+):(.*?)(?= [A-F]=\w+:|$)")


def read(text: str) -> Transcript:
    """A record's tags and blocks; raises RecordError with the line that cannot be read.

    Comments in braces and lines with ``@`` that are not the game master's are passed over.
    """
    if not text.strip():
        raise RecordError(0, "the record is empty")
    tags: _Tags = {}
    entries: list[Entry] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if raw.startswith("["):
            tags |= _tags(number, raw)
            continue
        entry = _entry(number, tuple(_COMMENT.sub(" ", raw).split()))
        if entry is not None:
            entries.append(entry)
    lines = {name: line for name, (line, _) in tags.items()}
    return Transcript(_header(tags), tuple(_blocks(entries)), lines)


def _tags(line: int, raw: str) -> _Tags:
    """The tags of a line that holds nothing else but comments."""
    if not _TAGS.fullmatch(raw):
        raise RecordError(line, 'a line of tags holds only [Name "value"], parted by blanks')
    return {name: (line, unescaped(value)) for name, value in _TAG.findall(raw)}


def _entry(line: int, words: tuple[str, ...]) -> Entry | None:
    """A line that tells something; one that was left out says in which branch."""
    undone = None
    if words and words[0].startswith("~"):
        match = _UNDONE.fullmatch(words[0])
        if match is None:
            raise RecordError(line, "a line that is undone begins with ~ and its branch")
        undone, words = int(match[1]), words[1:]
    if not words or (words[0].startswith("@") and words[0] != GM):
        return None
    return Entry(line, words, undone)


def unescaped(value: str) -> str:
    """What stood between quotes, without the marks of `record.quoted`."""
    return re.sub(r"\\(.)", r"\1", value)


def _header(tags: _Tags) -> Header:
    if _tag(tags, "Record") != FORMAT:
        raise RecordError(tags["Record"][0], f"this program reads {FORMAT}")
    board, slash, variant = _tag(tags, "Board").partition("/")
    return Header(
        game=_ascii(tags, "Game"),
        board_id=(_board(tags, board), variant if slash else None),
        ruleset=_ruleset(tags),
        players=_players(_tag(tags, "Seats")),
        dice_commit=_secret(tags, "DiceCommit").hex(),
        deck_commit=_secret(tags, "DeckCommit").hex(),
        luck=_ascii(tags, "Luck"),
        deck_seed=_secret(tags, "DeckSeed") if "DeckSeed" in tags else None,
        others={name: value for name, (_, value) in tags.items() if name not in TAGS},
    )


def _board(tags: _Tags, name: str) -> str:
    """The board's name; one of another maker is taken in from the record itself."""
    if "BoardText" in tags:
        line, text = tags["BoardText"]
        try:
            own = keep(text).id
        except BoardError as error:
            raise RecordError(line, str(error)) from error
        if own != name:
            raise RecordError(line, f"this is the text of the board {own}, not of {name}")
    return name


def _tag(tags: _Tags, name: str) -> str:
    if name not in tags:
        raise RecordError(0, f"the record has no tag {name}")
    return tags[name][1]


def _ascii(tags: _Tags, name: str) -> str:
    """A tag that goes into the key of the dice."""
    value = _tag(tags, name)
    if not value.isascii():
        raise RecordError(tags[name][0], f"{name} is plain ASCII")
    return value


def _secret(tags: _Tags, name: str) -> bytes:
    value = _tag(tags, name)
    if not re.fullmatch("[0-9a-f]{64}", value):
        raise RecordError(tags[name][0], f"{name} is 64 hexadecimal digits")
    return bytes.fromhex(value)


def _players(text: str) -> tuple[Player, ...]:
    return tuple(Player(Seat(seat), colour, name) for seat, colour, name in _SEAT.findall(text))


def _ruleset(tags: _Tags) -> Ruleset:
    name, *options = _tag(tags, "Rules").split(" ")
    try:
        return ruleset(name, dict(option.split("=", 1) for option in options))
    except ValueError as error:
        raise RecordError(tags["Rules"][0], str(error)) from error


def _blocks(entries: Sequence[Entry]) -> Iterator[Block]:
    if not entries:
        return
    starts = [place for place, entry in enumerate(entries) if _opens(entry)]
    if starts[:1] != [0]:
        raise RecordError(entries[0].line, "a block begins with its turn, seat and link")
    course = _Course()
    for start, stop in zip(starts, [*starts[1:], len(entries)], strict=True):
        yield course.block(entries[start], entries[start + 1 : stop])
    course.finish()


def _opens(entry: Entry) -> bool:
    said = " ".join(entry.words)
    return any(form.fullmatch(said) for form in (_HEAD, _RENEWED, _ROLLBACK))


class _Passed(NamedTuple):
    """A line that counts so far, with the turn and the link behind it, and who has undone it."""

    line: int
    undone: int | None
    turn: int
    link: int


class _Course:
    """The lines that count so far, as a rollback finds them; the branch in which a link began."""

    def __init__(self) -> None:
        self._passed: list[_Passed] = []
        self._branch = 0
        self._branch_of: dict[int, int] = {}

    def block(self, head: Entry, entries: Sequence[Entry]) -> Block:
        """The block that begins with this head."""
        turn, link = self._opened(head)
        end, closed = None, None
        if entries and entries[-1].words[0] == "end":
            *entries, end = entries
            closed = _closed(end)
        lines = (head, *entries, *(() if end is None else (end,)))
        self._passed += [_Passed(entry.line, entry.undone, turn, link) for entry in lines]
        branch = self._branch_of.setdefault(link, self._branch)
        return Block(head, turn, link, branch, tuple(entries), end, closed)

    def finish(self) -> None:
        """Nothing can be undone by a rollback that never came."""
        for one in self._passed:
            if one.undone is not None:
                raise RecordError(one.line, f"there is no rollback to branch {one.undone}")

    def _opened(self, head: Entry) -> tuple[int, int]:
        """Turn and link of the block."""
        said = " ".join(head.words)
        if (match := _HEAD.fullmatch(said)) is not None:
            return int(match[1] or 0), int(match[2])
        if (match := _ROLLBACK.fullmatch(said)) is not None:
            self._go_back(head, int(match[1]))
        if not self._passed:
            raise RecordError(head.line, "a block begins with its turn, seat and link")
        turn, link = self._passed[-1].turn, self._passed[-1].link
        match = _RENEWED.fullmatch(said)
        return turn, link if match is None else int(match[1])

    def _go_back(self, head: Entry, branch: int) -> None:
        """What the rollback undid is the end of what counted."""
        if branch != self._branch + 1:
            raise RecordError(head.line, f"the next branch is {self._branch + 1}, not {branch}")
        self._branch = branch
        kept = next((n for n, one in enumerate(self._passed) if one.undone == branch), None)
        if not kept or any(one.undone != branch for one in self._passed[kept:]):
            raise RecordError(head.line, "what a rollback undoes is the end of what counted")
        del self._passed[kept:]


def _closed(entry: Entry) -> Closed:
    end = _END.fullmatch(" ".join(entry.words))
    if end is None:
        raise RecordError(entry.line, "an end line is: end =CHECKSUM secret SECRET")
    return Closed(end[1], bytes.fromhex(end[2]))
