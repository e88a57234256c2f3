"""Reading a record (`rules.record`): its tags, and a block of lines for each turn.

Only the form is judged here. Whether what a record tells can have happened is the question of
`rules.verify`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.rules.board import BoardError, keep
from pbem.rules.record import FORMAT, HIDDEN, TAGS, Closed, Header, Player, Roll
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
    """One line of a block as words, the first says what happened; `line` is counted from 1."""

    line: int
    words: tuple[str, ...]

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls on this line."""
        return tuple(roll for roll in map(read_roll, self.words) if roll)


@dataclass(frozen=True, slots=True)
class Block:
    """A turn (0 is the setup) with its dice link and its lines; `head` is the line that opens it.

    `closed` has the line of the end, the checksum and the secret; None while the turn is open.
    """

    head: Entry
    turn: int
    link: int
    entries: tuple[Entry, ...]
    closed: tuple[int, Closed] | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A record as it was read. `tag_lines` tells in which line each tag stands."""

    header: Header
    blocks: tuple[Block, ...]
    tag_lines: Mapping[str, int]

    @property
    def hidden(self) -> bool:
        """Whether the faces of cards are left out."""
        return any(HIDDEN in entry.words for block in self.blocks for entry in block.entries)


_Tags = dict[str, tuple[int, str]]
"""The line and the value of each tag."""

_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_COMMENT = re.compile(r"\{[^}]*\}")
_HEAD = re.compile(r"(?:setup|(\d{1,9}) [A-F]) link (\d{1,9})")
_END = re.compile(r"end =([0-9a-f]{8}) secret ([0-9a-f]{64})")
_SEAT = re.compile(r"([A-F])=(\w+):(.*?)(?= [A-F]=\w+:|$)")


def read(text: str) -> Transcript:
    """A record's tags and blocks; raises RecordError with the line that cannot be read.

    Comments in braces, lines of the GM (``@``) and lines undone by a rollback (``~``) are passed
    over.
    """
    tags: _Tags = {}
    entries: list[Entry] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if raw.startswith("["):
            tags.update((name, (number, _unescaped(value))) for name, value in _TAG.findall(raw))
            continue
        words = tuple(_COMMENT.sub(" ", raw).split())
        if words and words[0][0] not in "@~":
            entries.append(Entry(number, words))
    lines = {name: line for name, (line, _) in tags.items()}
    return Transcript(_header(tags), tuple(_blocks(entries)), lines)


def _unescaped(value: str) -> str:
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
    starts = [
        place for place, entry in enumerate(entries) if _HEAD.fullmatch(" ".join(entry.words))
    ]
    if entries and starts[:1] != [0]:
        raise RecordError(entries[0].line, "a block begins with its turn, seat and link")
    for start, stop in zip(starts, [*starts[1:], len(entries)], strict=True):
        yield _block(entries[start], entries[start + 1 : stop])


def _block(head: Entry, entries: Sequence[Entry]) -> Block:
    match = _HEAD.fullmatch(" ".join(head.words))
    assert match is not None  # for the type checker: _blocks has looked
    closed = None
    if entries and entries[-1].words[0] == "end":
        *entries, last = entries
        end = _END.fullmatch(" ".join(last.words))
        if end is None:
            raise RecordError(last.line, "an end line is: end =CHECKSUM secret SECRET")
        closed = (last.line, Closed(end[1], bytes.fromhex(end[2])))
    return Block(head, int(match[1] or 0), int(match[2]), tuple(entries), closed)
