"""A game played by a simple plan with proved dice, for tests of its record."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from pbem.rules.action import Action, Attack, EndTurn, Fortify, Occupy, Place
from pbem.rules.adjudicate import play
from pbem.rules.attack import most_attack_dice
from pbem.rules.board import Code
from pbem.rules.event import Event
from pbem.rules.fair import FairDice, commitment, deck_commitment, link_secret
from pbem.rules.fortify import reachable
from pbem.rules.notation import checksum
from pbem.rules.position import SETUP, Phase
from pbem.rules.record import Closed, Header, Player
from pbem.rules.refusal import Refusal
from pbem.rules.ruleset import ruleset
from pbem.rules.seat import Seat
from pbem.rules.setup import draft, new_game, open_setup
from pbem.rules.state import State
from pbem.rules.trade import automatic_set

LAST_SECRET = bytes(range(32))
DECK_SEED = bytes(range(32, 64))
LUCK = "mango,-,42"
PLAYERS = (
    Player(Seat("A"), "red", "Anna"),
    Player(Seat("B"), "blue", "Bruno de Bruijn"),
    Player(Seat("C"), "green", 'Carla "C"'),
)


@dataclass(frozen=True, slots=True)
class Game:
    """All that a record is written from, and the state at the end of it."""

    header: Header
    events: tuple[Event, ...]
    closed: Mapping[int, Closed]
    state: State

    @property
    def finished(self) -> Header:
        """The header with the deck's seed, as it is shown after the game."""
        return replace(self.header, deck_seed=DECK_SEED)


def chance(link: int) -> FairDice:
    return FairDice("g7", link, link_secret(LAST_SECRET, link), LUCK, DECK_SEED)


@cache
def a_game(turns: int, *, ends_open: bool = False, seats: int = 3, **options: str) -> Game:
    """So many turns, fewer if somebody wins before; `ends_open` adds the next one without its end.

    The options are those of the ruleset. The same arguments always give the same game.
    """
    played = ruleset("classic-1993", options)
    state, events = open_setup(new_game(played, seats), chance(1))
    while state.phase in SETUP:
        state, drafted = draft(state, {}, chance(1))
        events += drafted
    closed = {1: Closed(checksum(state), link_secret(LAST_SECRET, 1))}
    while state.phase is not Phase.OVER:
        action = next_action(state)
        if state.turn > turns and (not ends_open or isinstance(action, EndTurn | Fortify)):
            break
        link = state.link
        result = play(state, action, chance(link))
        assert not isinstance(result, Refusal), (action, result)
        state, happened = result
        events += happened
        shown = [link] if state.link != link else []
        # A turn may be won by beginning: then it is over as well.
        shown += [state.link] if state.phase is Phase.OVER else []
        for over in shown:
            closed[over] = Closed(checksum(state), link_secret(LAST_SECRET, over))
    header = Header(
        game="g7",
        ruleset=played,
        players=PLAYERS[:seats],
        dice_commit=commitment(LAST_SECRET),
        deck_commit=deck_commitment(DECK_SEED),
        luck=LUCK,
        others={"Event": "A \\ test"},
    )
    return Game(header, events, closed, state)


def next_action(state: State) -> Action:
    """Trades when it can, places where the largest enemy is, attacks with twice the armies."""
    if state.occupation:
        return Occupy(state.occupation.most)
    trade = automatic_set(state, state.hand)
    if trade and state.phase is Phase.TRADE:
        return trade
    assert state.on_turn is not None
    own = state.held(state.on_turn)
    if state.to_place:
        spot = max(own, key=lambda code: (state.threat(code) > 0, state.armies[code]))
        return Place(spot, (state.to_place + 1) // 2)
    return _attack(state, own) or _fortify(state, own) or EndTurn()


def _attack(state: State, own: tuple[Code, ...]) -> Attack | None:
    for source in own:
        for target in state.enemies(source):
            if state.armies[source] > max(3, 2 * state.armies[target]):
                return Attack(source, target, most_attack_dice(state.armies[source]))
    return None


def _fortify(state: State, own: tuple[Code, ...]) -> Fortify | None:
    for source in own:
        near = reachable(state, source)
        if state.armies[source] > 1 and not state.threat(source) and near:
            border = max(near, key=state.threat)
            return Fortify(source, border, state.armies[source] - 1)
    return None
