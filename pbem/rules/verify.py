"""Proving a record: the dice against their commitment, what is told against the rules.

Three questions, each with its own answer: do the links and the deck's seed hash to what was
promised before the game; is every die of a closed turn the one that its link gives; and would the
rules, played again with these dice, tell the same line for line, checksums included.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from typing import NamedTuple

from pbem.rules.branching import counting
from pbem.rules.event import CardDrawn, GameClosed, Won
from pbem.rules.fair import CHAIN_LENGTH, deck_commitment, faces, link_before, link_key
from pbem.rules.record import Closed, Roll, body
from pbem.rules.replay import Replayed, replay
from pbem.rules.transcript import Block, Entry, RecordError, Transcript, read


class Check(StrEnum):
    """What was checked."""

    FORMAT = "format"
    LINK = "link"
    DIE = "die"
    LINE = "line"
    CHECKSUM = "checksum"
    DECK = "deck"


class Failure(NamedTuple):
    """Something in a record that is not true; `line` is counted from 1, 0 for the whole text."""

    line: int
    check: Check
    message: str

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.check}: {self.message}"


@dataclass(frozen=True, slots=True)
class Report:
    """What a verification found; `checked` counts what was looked at, failures included.

    `unproved_dice` are dice of a turn whose link is not shown yet, `unproved_cards` cards whose
    deck is not.
    """

    failures: tuple[Failure, ...]
    checked: Mapping[Check, int] = field(default_factory=dict)
    unproved_dice: int = 0
    unproved_cards: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing false was found."""
        return not self.failures


def verify(text: str) -> Report:
    """Checks a record, full or public, finished or not; whatever is wrong stands in the report."""
    try:
        transcript = read(text)
    except RecordError as error:
        return Report((Failure(error.line, Check.FORMAT, str(error)),))
    replayed = replay(transcript)
    failures = (
        *_links(transcript),
        *_dice(transcript),
        *_deck(transcript, replayed),
        *_told(transcript, replayed),
    )
    closed = [block for block in transcript.blocks if block.closed]
    shown = secrets(transcript)
    dice = sum(_count_dice(block) for block in transcript.blocks if block.link in shown)
    cards = sum(isinstance(event, CardDrawn) for event in replayed.events)
    proved_cards = cards if transcript.header.deck_seed else 0
    return Report(
        failures=tuple(sorted(failures)),
        checked={
            Check.LINK: len(closed),
            Check.DIE: dice,
            Check.LINE: len(list(_lines(transcript))),
            Check.CHECKSUM: len(closed),
            Check.DECK: proved_cards,
        },
        unproved_dice=sum(map(_count_dice, transcript.blocks)) - dice,
        unproved_cards=cards - proved_cards,
    )


def _links(transcript: Transcript) -> Iterator[Failure]:
    """Each secret hashes to the one shown before it, the first one to the commitment.

    Links only go forward, over all branches, and none that was shown is rolled with any more.
    """
    known, known_link, last = bytes.fromhex(transcript.header.dice_commit), 0, 0
    for block in transcript.blocks:
        if block.takes_link and not last < block.link <= CHAIN_LENGTH:
            yield Failure(block.head.line, Check.LINK, f"link {block.link} comes after {last}")
            return
        last = max(last, block.link)
        if block.link <= known_link and _count_dice(block):
            message = f"link {block.link} was shown before these dice"
            yield Failure(block.head.line, Check.LINK, message)
        if block.closed is None or block.end is None:
            continue
        if _hashed(block.closed.secret, block.link - known_link) == known:
            known, known_link = block.closed.secret, block.link
        else:
            message = f"this secret does not hash to link {known_link}"
            yield Failure(block.end.line, Check.LINK, message)


def _hashed(secret: bytes, times: int) -> bytes:
    for _ in range(times):
        secret = link_before(secret)
    return secret


def secrets(transcript: Transcript) -> Mapping[int, bytes]:
    """The secret of every link that is shown, be it by a later one that hashes to it."""
    shown = {
        block.link: block.closed.secret
        for block in transcript.blocks
        if block.closed and block.link <= CHAIN_LENGTH
    }
    found, secret = dict(shown), b""
    for link in range(max(shown, default=0), 0, -1):
        secret = shown.get(link) or link_before(secret)
        found[link] = secret
    return found


def _dice(transcript: Transcript) -> Iterator[Failure]:
    """Every roll whose link is shown is what that link gives, those that were undone too."""
    header, shown = transcript.header, secrets(transcript)
    for block in transcript.blocks:
        if block.link in shown:
            key = link_key(shown[block.link], header.game, block.link, header.luck, block.branch)
            yield from _untrue_rolls(block, key)


def _untrue_rolls(block: Block, key: bytes) -> Iterator[Failure]:
    for entry in block.entries:
        for roll in entry.rolls:
            if (proved := _proved(key, roll)) != roll:
                message = f"link {block.link} gives {proved}, not {roll}"
                yield Failure(entry.line, Check.DIE, message)


def _proved(key: bytes, roll: Roll) -> Roll:
    cut = len(roll.attacker)
    thrown = faces(key, roll.number, cut + len(roll.defender))
    return Roll(roll.number, thrown[:cut], thrown[cut:])


def _count_dice(block: Block) -> int:
    rolls = (roll for entry in block.entries for roll in entry.rolls)
    return sum(len(roll.attacker) + len(roll.defender) for roll in rolls)


def _deck(transcript: Transcript, replayed: Replayed) -> Iterator[Failure]:
    """The seed hashes to its commitment; the cards it gives are compared with all other lines."""
    header = transcript.header
    if header.deck_seed is not None:
        if deck_commitment(header.deck_seed) != header.deck_commit:
            line = transcript.tag_lines["DeckSeed"]
            yield Failure(line, Check.DECK, "the seed does not hash to DeckCommit")
    elif any(isinstance(event, Won | GameClosed) for event in counting(replayed.events)):
        yield Failure(0, Check.DECK, "the game is over, but the seed of its deck is not shown")


def _told(transcript: Transcript, replayed: Replayed) -> Iterator[Failure]:
    """Writes the game that was played again and compares it line for line."""
    stopped = replayed.stopped
    told = [entry for entry in _lines(transcript) if not stopped or entry.line < stopped.line]
    if stopped:
        yield Failure(stopped.line, Check.LINE, stopped.why)
    last = told[-1].line if told else 0
    for entry, words in zip_longest(told, _rewritten(transcript, replayed)):
        if entry is None and stopped:
            return
        line, found = (last, ()) if entry is None else (entry.line, _marked(entry))
        if found != words:
            yield Failure(line, _check(found, words), f"by the rules: {_shown(words)}")


def _lines(transcript: Transcript) -> Iterator[Entry]:
    """All lines below the tags, as words."""
    for block in transcript.blocks:
        yield block.head
        yield from block.entries
        if block.end is not None:
            yield block.end


def _marked(entry: Entry) -> tuple[str, ...]:
    """The words of a line with the mark of one that was undone."""
    return entry.words if entry.undone is None else (f"~{entry.undone}", *entry.words)


def _rewritten(transcript: Transcript, replayed: Replayed) -> Iterator[tuple[str, ...]]:
    """The lines that the record should have, with its own secrets: those are judged as links."""
    closed: defaultdict[int, Closed] = defaultdict(lambda: Closed("", b""))
    for block in transcript.blocks:
        if block.closed is not None:
            checksum = replayed.checksums.get(block.link, "")
            closed[block.link] = Closed(checksum, block.closed.secret)
    for line in body(replayed.events, closed, hidden=transcript.hidden):
        yield tuple(line.split())


def _check(found: tuple[str, ...], words: tuple[str, ...] | None) -> Check:
    same_kind = words is not None and "end" in found[:2] and "end" in words[:2]
    return Check.CHECKSUM if same_kind else Check.LINE


def _shown(words: tuple[str, ...] | None) -> str:
    return " ".join(words) if words else "nothing"
