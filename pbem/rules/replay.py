"""Playing a recorded game again, action by action, with the dice that the record tells.

The rules decide anew what each action brings, so the events that come out are what should have
been recorded. Cards whose faces the record hides are played with stand-ins: how many cards a hand
holds and what a set was worth is public, and nothing else of a card reaches the board but the
territory that took the 2 extra armies.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import NamedTuple

from pbem.rules.action import (
    Action,
    Attack,
    ChooseCapital,
    Claim,
    CloseGame,
    EndTurn,
    Fill,
    Forsake,
    Fortify,
    Occupy,
    Place,
    RenewDice,
    SetHand,
    SetRule,
    SetTerritory,
    TakeBack,
    Trade,
)
from pbem.rules.adjudicate import play
from pbem.rules.board import BoardError, Code, load
from pbem.rules.card import WILD, Card, Symbol, full_deck, sets_in, symbol
from pbem.rules.dice import Faces
from pbem.rules.event import Event, Overruled, RolledBack
from pbem.rules.fair import permutation
from pbem.rules.mission import MissionId
from pbem.rules.missions import in_play
from pbem.rules.notation import checksum
from pbem.rules.overrule import told_hand
from pbem.rules.position import TURN, Phase, Position, changed
from pbem.rules.record import GM, HIDDEN, Header, Roll
from pbem.rules.refusal import Refusal
from pbem.rules.ruleset import RulesetError
from pbem.rules.seat import Seat
from pbem.rules.setup import new_game, open_setup
from pbem.rules.state import Played, State
from pbem.rules.trade import set_worth
from pbem.rules.transcript import Block, Entry, Transcript, read_roll, unescaped

Words = tuple[str, ...]

_USED = Card("")


class MismatchError(Exception):
    """The record tells something that cannot come next by the rules; the message says what."""


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

    def __init__(self, chance: "Recorded") -> None:
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
            self._pass(entry, _play_entry(self.state, entry.words, self._chance.at(entry)))
            before = entry.words
        if block.end is not None:
            self.line = block.end.line
            self._pass(block.end, _close(self.state, block, self._chance))
            self.checksums[block.link] = checksum(self.state)

    def _open(self, state: State, block: Block) -> Played:
        """What the head of a block does; that of a turn only tells what the end before it did."""
        if block.is_rollback:
            return self._go_back(block)
        if block.head.words[0] == "dice":
            return _renewed(state, block.head.words, self._chance)
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


class Recorded:
    """A chance that gives the recorded rolls, and shuffles by the deck's seed where it is known."""

    def __init__(self, transcript: Transcript) -> None:
        self._header = transcript.header
        entries = [entry for block in transcript.blocks for entry in block.entries]
        self._rolls = {roll.number: roll for entry in entries for roll in entry.rolls}
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


def _play_entry(state: State, words: Words, chance: Recorded) -> Played:
    """Plays the actions of one line; what only tells a result is compared by `rules.verify`."""
    step = _STEPS.get(words[0])
    if step is None:
        raise MismatchError(f"no line begins with {words[0]!r}")
    try:
        return step(state, words, chance)
    except (ValueError, IndexError) as error:
        raise MismatchError(f"the line is not readable: {error}") from error


def _close(state: State, block: Block, chance: Recorded) -> Played:
    """Ends the turn, if neither a fortify nor the victory has done it."""
    if state.turn != block.turn or state.phase is Phase.OVER or block.turn == 0:
        return Played(state, ())
    # The record shows by itself whether armies were left: a deadline may let them lapse.
    return _act(state, EndTurn(forfeit=True), chance)


def _act(state: State, action: Action, chance: Recorded) -> Played:
    played = play(state, action, chance)
    if isinstance(played, Refusal):
        raise MismatchError(f"the rules refuse this: {played.reason}")
    return played


def _act_all(state: State, actions: Iterable[Action], chance: Recorded) -> Played:
    events: list[Event] = []
    for action in actions:
        state, happened = _act(state, action, chance)
        events += happened
    return Played(state, tuple(events))


def _code(state: State, word: str) -> Code:
    if word not in state.board.territories:
        raise MismatchError(f"there is no territory {word}")
    return Code(word)


def _told(state: State, _words: Words, _chance: Recorded) -> Played:
    return Played(state, ())


def _order(state: State, _words: Words, chance: Recorded) -> Played:
    """The first order opens the setup; another one was thrown when the setup was done."""
    return open_setup(state, chance) if state.phase is Phase.INVITED else Played(state, ())


def _mission(state: State, words: Words, _chance: Recorded) -> Played:
    """A hidden mission is nobody's: as long as it is hidden it has won nothing."""
    if words[2] != HIDDEN:
        return Played(state, ())
    known = {seat: mission for seat, mission in state.missions.items() if seat != words[1]}
    return Played(changed(state, missions=known), ())


def _draft(state: State, words: Words, chance: Recorded) -> Played:
    codes = [_code(state, word.split(":")[1]) for word in words[1:]]
    return _act_all(state, map(_SETUP[words[0]], codes), chance)


_SETUP: Mapping[str, Callable[[Code], Action]] = {
    "claim": Claim,
    "fill": Fill,
    "capital": ChooseCapital,
}


def _trade(state: State, words: Words, chance: Recorded) -> Played:
    bonus = _code(state, words[words.index("bonus") + 1]) if "bonus" in words else None
    cards = [Card(word) for word in words[1:4]]
    if HIDDEN in cards:
        cards = _stand_ins(state, int(words[5]), bonus)
        state = _with_hand(state, (*cards, *state.hand[3:]))
    hand, places = list(state.hand), []
    for card in cards:
        if card not in hand:
            raise MismatchError(f"the hand has no card {card}")
        places.append(hand.index(card))
        hand[places[-1]] = _USED
    first, second, third = places
    return _act(state, Trade((first, second, third), bonus), chance)


def _with_hand(state: State, hand: tuple[Card, ...]) -> State:
    if len(state.hand) != len(hand) or state.on_turn is None:
        raise MismatchError(f"the hand has only {len(state.hand)} cards")
    return changed(state, hands={**state.hands, state.on_turn: hand})


def _stand_ins(position: Position, armies: int, bonus: Code | None) -> list[Card]:
    """A set that is worth so much and shows that territory; any set if there is none."""
    few = [Card(bonus)] if bonus else []
    for shown in Symbol:
        few += [card for card in full_deck(position.board) if _shows(position, card, shown)][:3]
    sets = [
        [few[place] for place in places]
        for places in sets_in(few, position.board, position.ruleset)
        if bonus is None or 0 in places
    ]
    return next((cards for cards in sets if set_worth(position, cards) == armies), sets[0])


def _shows(position: Position, card: Card, shown: Symbol) -> bool:
    return symbol(position.board, card, position.ruleset) is shown


def _place(state: State, words: Words, chance: Recorded) -> Played:
    spots = zip(words[1::2], words[2::2], strict=True)
    return _act_all(state, (Place(_code(state, code), int(n)) for code, n in spots), chance)


def _back(state: State, _words: Words, chance: Recorded) -> Played:
    return _act(state, TakeBack(), chance)


def _attack(state: State, words: Words, chance: Recorded) -> Played:
    source, target = _code(state, words[1]), _code(state, words[2])
    events: list[Event] = []
    for roll in filter(None, map(read_roll, words[3:])):
        if roll.number != state.next_roll:
            raise MismatchError(f"the next roll is {state.next_roll}, not {roll.number}")
        attack = Attack(source, target, len(roll.attacker), len(roll.defender))
        state, happened = _act(state, attack, chance)
        events += happened
    if "take" in words:
        state, happened = _take(state, words[words.index("take") :], chance)
        events += happened
    return Played(state, tuple(events))


def _take(state: State, words: Words, chance: Recorded) -> Played:
    """Moves in, unless that went without saying."""
    if state.occupation is None:
        return Played(state, ())
    return _act(state, Occupy(int(words[1])), chance)


def _card(state: State, words: Words, chance: Recorded) -> Played:
    """Lays the card that will be drawn on top, where the order of the pile is not known."""
    if chance.knows_the_deck:
        return Played(state, ())
    card = WILD if words[1] == HIDDEN else Card(words[1])
    if card != WILD:
        _code(state, card)
    if state.deck:
        return Played(changed(state, deck=(card, *state.deck[1:])), ())
    return Played(changed(state, discards=(card, *state.discards[1:])), ())


def _fortify(state: State, words: Words, chance: Recorded) -> Played:
    source, target = _code(state, words[1]), _code(state, words[2])
    return _act(state, Fortify(source, target, int(words[3])), chance)


def _forsaken(state: State, words: Words, chance: Recorded) -> Played:
    return _act(state, Forsake(Seat(words[1])), chance)


_MARK = re.compile(rf'{GM} (\S+)((?: \S+)*?) by (\S+) "((?:[^"\\]|\\.)*)"')


def overruled(words: Words) -> Overruled:
    """What a line of the game master says; raises MismatchError for another form."""
    match = _MARK.fullmatch(" ".join(words))
    if match is None:
        raise MismatchError('a line of the game master is: @gm WHAT by WHO "WHY"')
    act, said, by, reason = match.groups()
    return Overruled(act, tuple(said.split()), by, unescaped(reason))


def _overruled(state: State, words: Words, _chance: Recorded) -> Played:
    return Played(state, (overruled(words),))


def _renewed(state: State, words: Words, chance: Recorded) -> Played:
    return _act(state, RenewDice(int(words[2]), int(words[4])), chance)


def _set(state: State, words: Words, chance: Recorded) -> Played:
    action = SetTerritory(_code(state, words[1]), Seat(words[2]), int(words[3]))
    return _act(state, action, chance)


def _rule(state: State, words: Words, chance: Recorded) -> Played:
    return _act(state, SetRule(words[1], words[2]), chance)


def _hand(state: State, words: Words, chance: Recorded) -> Played:
    """Only the numbers of cards are public, and where the pile is secret only they can be true."""
    seat, cards = Seat(words[1]), tuple(map(Card, words[4:]))
    if chance.knows_the_deck:
        return _act(state, SetHand(seat, cards), chance)
    shown = None if HIDDEN in cards else cards
    return told_hand(state, seat, shown, len(cards), dropped=-int(words[2]), drawn=int(words[3]))


def _closed(state: State, words: Words, chance: Recorded) -> Played:
    winner = Seat(words[2]) if len(words) > 2 else None
    return _act(state, CloseGame(words[1], winner), chance)


_STEPS: Mapping[str, Callable[[State, Words, Recorded], Played]] = {
    "order": _order,
    "mission": _mission,
    "deal": _told,
    "claim": _draft,
    "fill": _draft,
    "capital": _draft,
    "get": _told,
    "trade": _trade,
    "place": _place,
    "back": _back,
    "attack": _attack,
    "take": _take,
    "out": _told,
    "forsaken": _forsaken,
    "shuffle": _told,
    "card": _card,
    "fortify": _fortify,
    "won": _told,
    "closed": _closed,
    GM: _overruled,
    "set": _set,
    "hand": _hand,
    "rule": _rule,
}
