"""The chance of a recorded game: its rolls, deals and missions, and shuffles by its deck's seed."""

from collections.abc import Mapping
from itertools import zip_longest

from pbem.rules.board import Code, load
from pbem.rules.dice import Faces
from pbem.rules.fair import permutation
from pbem.rules.mission import MissionId
from pbem.rules.missions import in_play
from pbem.rules.record import HIDDEN, Roll
from pbem.rules.transcript import Entry, Transcript

Words = tuple[str, ...]


class MismatchError(Exception):
    """The record tells something that cannot come next by the rules; the message says what."""


class Recorded:
    """A chance that gives the recorded rolls, and shuffles by the deck's seed where it is known."""

    def __init__(self, transcript: Transcript) -> None:
        self._header = transcript.header
        entries = [entry for _, entry in transcript.entries()]
        self._rolls = {roll.number: roll for _, _, roll in transcript.rolls()}
        self._deals = [entry.words[2:] for entry in entries if entry.words[0] == "deal"]
        self._missions = [entry.words[-1] for entry in entries if entry.words[0] == "mission"]
        self._here: Mapping[int, Roll] = {}

    def at(self, entry: Entry) -> "Recorded":
        """Itself, at a line: its rolls come first, since a rollback may repeat their numbers."""
        self._here = {roll.number: roll for roll in entry.rolls}
        return self

    def roll(self, number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        """The recorded faces; raises MismatchError if it is not there or had other dice."""
        roll = self._here.get(number) or self._rolls.get(number)
        if roll is None:
            raise MismatchError(f"roll {number} is missing")
        if (len(roll.attacker), len(roll.defender)) != (attacker, defender):
            raise MismatchError(f"roll {number} is {attacker} against {defender} dice, not {roll}")
        return roll.attacker, roll.defender

    def order(self, label: str, count: int) -> tuple[int, ...]:
        """The shuffle by the seed; while that is secret the recorded deals, else no shuffle."""
        if self._header.deck_seed is not None:
            return permutation(self._header.deck_seed, self._header.game, label, count)
        if label == "missions" and HIDDEN not in self._missions:
            return self._drawn(count)
        return self._dealt(count) if label == "deal" else tuple(range(count))

    def _drawn(self, count: int) -> tuple[int, ...]:
        """The recorded missions first, so that each seat draws its own; then the rest."""
        seats = tuple(player.seat for player in self._header.players)
        cards = in_play(self._header.ruleset, seats, load(*self._header.board_id))
        if len(self._missions) != len(seats) or not {*self._missions} <= {*cards}:
            raise MismatchError("the missions are not one card of the deck for each seat")
        places = [cards.index(MissionId(card)) for card in self._missions]
        return (*places, *(place for place in range(count) if place not in places))

    @property
    def knows_the_deck(self) -> bool:
        """Whether the draw pile is that of the game."""
        return self._header.deck_seed is not None

    def _dealt(self, count: int) -> tuple[int, ...]:
        """The territories one to each seat in turn, so that each gets what is recorded."""
        places = {code: place for place, code in enumerate(load(*self._header.board_id).codes)}
        rounds = zip_longest(*self._deals)
        dealt = [code for codes in rounds for code in codes if code is not None]
        if len(dealt) != count or set(dealt) != set(places):
            raise MismatchError("the deal does not give every territory once")
        return tuple(places[Code(code)] for code in dealt)
