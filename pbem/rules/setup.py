"""From an invitation to turn 1: the table, the die roll, the deal and the draft (rules 1 and 2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pbem.rules import board as boards
from pbem.rules import capitals, missions
from pbem.rules.action import Action, ChooseCapital, Claim, Fill
from pbem.rules.adjudicate import play
from pbem.rules.begin import roll_for_first
from pbem.rules.board import CLASSIC, Board, BoardId, Code, ContinentId
from pbem.rules.card import full_deck
from pbem.rules.claim import acting, filling
from pbem.rules.dice import Chance
from pbem.rules.event import Dealt, Event
from pbem.rules.position import SETUP, Phase, Position, changed
from pbem.rules.refusal import Refusal
from pbem.rules.ruleset import (
    STARTING_ARMIES,
    Misfit,
    Ruleset,
    RulesetError,
    goal_for_three,
)
from pbem.rules.seat import LETTERS, NEUTRAL, Seat
from pbem.rules.state import Played, State


class Anywhere(StrEnum):
    """Wishes that name no place."""

    NEAREST = "nearest"
    ANY = "any"


NEAREST = Anywhere.NEAREST
ANY = Anywhere.ANY

Want = Code | ContinentId | Anywhere
"""A territory, any free one of a continent, or one of `Anywhere`."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """One seat's list for the setup.

    `claims` from the most wanted down, each want as long as it can be met; `avoid` are continents
    that NEAREST and ANY leave to the last; `fill` says how many armies to put where, taken round
    and round; `neutral` the same for the neutral army, where the seat places for it; `capital` the
    territory to choose, for which only its own list counts.
    """

    claims: tuple[Want, ...] = ()
    avoid: tuple[ContinentId, ...] = ()
    fill: tuple[tuple[Code, int], ...] = ()
    neutral: tuple[tuple[Code, int], ...] = ()
    capital: Code | None = None


def new_game(ruleset: Ruleset, seats: int, board_id: BoardId = (CLASSIC, None)) -> State:
    """A table for so many seats; raises RulesetError where the ruleset does not take that many."""
    board = boards.load(*board_id)
    check_seats(ruleset, seats, board)
    letters = LETTERS[:seats]
    armies = (*letters, NEUTRAL) if ruleset.has_neutral(seats) else letters
    return State(
        board_id=board_id,
        ruleset=ruleset,
        seats=letters,
        phase=Phase.INVITED,
        reserve=dict.fromkeys(armies, starting_armies(seats, board)),
        hands=dict.fromkeys(letters, ()),
        deck=full_deck(board),
    )


def starting_armies(seats: int, board: Board) -> int:
    """Armies that each seat begins with: as rule 1 has it, in the proportion of larger boards.

    The classic world has 42 territories; on a board of another size every territory brings the
    same share of armies into the game, rounded to the nearest, halves up.
    """
    printed, usual = STARTING_ARMIES[seats], len(boards.load().codes)
    return (2 * printed * len(board.codes) + usual) // (2 * usual)


def check_seats(ruleset: Ruleset, seats: int, board: Board | None = None) -> None:
    """Raises RulesetError where so many seats cannot play by the ruleset; the message says why.

    Without a board it is the classic world.
    """
    least, most = ruleset.min_players, ruleset.max_players
    if not least <= seats <= most:
        text = f"{ruleset.name} is for {least} to {most} players, not {seats}"
        facts = {"least": least, "most": most, "count": seats}
        raise RulesetError(text, Misfit("seats", "seat-count", facts))
    if seats == 2 and ruleset.goal != "world":
        raise goal_for_three(ruleset)
    if ruleset.capital_target == "short" and seats > max(capitals.SHORT):
        text = f"capital_target=short is for 3 to 5 players, not {seats}"
        raise RulesetError(text, Misfit("capital_target", "short-for-six"))
    if ruleset.goal == "missions":
        missions.check(ruleset, board or boards.load(), LETTERS[:seats])


def open_setup(state: State, chance: Chance) -> Played:
    """Rolls for who begins, shuffles, deals missions and territories where that is the rule."""
    rolled = roll_for_first(state, chance)
    order = chance.order("deck", len(state.deck))
    opened = changed(
        rolled.state,
        phase=Phase.CLAIM,
        on_turn=rolled.state.first,
        link=1,
        deck=tuple(state.deck[place] for place in order),
    )
    events = rolled.events
    if state.ruleset.goal == "missions":
        opened, happened = missions.deal(opened, chance)
        events += happened
    if state.ruleset.setup == "deal" or NEUTRAL in state.reserve:
        opened, happened = _deal(opened, chance)
        events += happened
    return Played(opened, events)


def _deal(state: State, chance: Chance) -> Played:
    """The territory cards go round from the first seat on, which may thus get one more.

    A neutral army gets its pile as a third seat would.
    """
    codes, seats = state.board.codes, tuple(state.reserve)
    order = chance.order("deal", len(codes))
    owner = {codes[place]: seats[turn % len(seats)] for turn, place in enumerate(order)}
    dealt = changed(
        state,
        phase=Phase.FILL,
        owner=owner,
        armies=dict.fromkeys(codes, 1),
    )
    hands = tuple(Dealt(seat, dealt.held(seat)) for seat in seats)
    reserve = {hand.seat: state.reserve[hand.seat] - len(hand.territories) for hand in hands}
    return Played(changed(dealt, reserve=reserve), hands)


def draft(state: State, wishes: Mapping[Seat, Wishes], chance: Chance) -> Played:
    """Plays the setup by the rule, one army each in turn, from everybody's lists.

    Ends with the start of turn 1, or where capitals are to be chosen; called again then, it
    chooses them. A seat without a list takes the nearest territories and fills up
    where the largest enemies stand.
    """
    events: tuple[Event, ...] = ()
    before_filling = state
    choosing = state.phase is Phase.CAPITAL
    while state.phase in SETUP and (state.phase is Phase.CAPITAL) == choosing:
        if state.phase is Phase.CLAIM:
            before_filling = state
        wish = wishes.get(acting(state), Wishes())
        played = play(state, _next_action(state, wish, before_filling), chance)
        assert not isinstance(played, Refusal), played  # wishes are met within the rules
        state, happened = played
        events += happened
    return Played(state, events)


def _next_action(state: State, wish: Wishes, before_filling: State) -> Action:
    if state.phase is Phase.CLAIM:
        return Claim(_claim(state, wish))
    if state.phase is Phase.CAPITAL:
        return ChooseCapital(_capital(state, wish))
    army = filling(state)
    done = before_filling.reserve[army] - state.reserve[army]
    if army == NEUTRAL:
        # The two seats place for it in turn.
        return Fill(_listed(state, army, wish.neutral, done // 2) or _in_the_way(state))
    return Fill(_listed(state, army, wish.fill, done) or _at_the_front(state))


def _claim(position: Position, wish: Wishes) -> Code:
    """The first want that can still be met; when the list has run out, the nearest territory."""
    free = [code for code in position.board.codes if code not in position.owner]
    for want in (*wish.claims, NEAREST):
        if want in free:
            return Code(want)
        choice = _choice(position, want, wish, free)
        if choice:
            return _nearest(position, choice, to_own=want is not ANY)
    raise AssertionError("a draft without a free territory is over")


def _choice(position: Position, want: Want, wish: Wishes, free: list[Code]) -> list[Code]:
    continents = position.board.continents
    if isinstance(want, Anywhere):
        avoided = {code for name in wish.avoid for code in continents[name].territories}
        return [code for code in free if code not in avoided] or free
    if want in continents:
        return [code for code in free if code in continents[ContinentId(want)].territories]
    return []


def _nearest(position: Position, choice: list[Code], *, to_own: bool) -> Code:
    """Fewest steps from what the seat holds, then the continent with the fewest others in it."""
    seat = position.on_turn
    own = [code for code, owner in position.owner.items() if owner == seat]
    steps = position.board.distances(own) if to_own else {}

    def others(code: Code) -> int:
        continent = position.board.continents[position.board.territories[code].continent]
        return sum(position.owner.get(c, seat) != seat for c in continent.territories)

    return min(choice, key=lambda code: (steps.get(code, 0), others(code)))


def _capital(position: State, wish: Wishes) -> Code:
    """The wish, if the seat holds it; else where its most armies stand."""
    own = position.held(acting(position))
    if wish.capital in own:
        return wish.capital
    return max(own, key=lambda code: position.armies[code])


def _listed(
    position: Position, army: Seat, spots: Iterable[tuple[Code, int]], done: int
) -> Code | None:
    """The list one army each in turn, round and round; None where it names nothing of the army."""
    wanted = [(code, n) for code, n in spots if position.owner.get(code) == army]
    laps = max((n for _, n in wanted), default=0)
    rounds = [code for lap in range(laps) for code, n in wanted if lap < n]
    return rounds[done % len(rounds)] if rounds else None


def _at_the_front(position: State) -> Code:
    """The own territory that faces the largest enemy; of several the weakest."""
    own = (code for code, owner in position.owner.items() if owner == position.on_turn)
    return max(own, key=lambda code: (position.threat(code), -position.armies[code]))


def _in_the_way(position: State) -> Code:
    """The neutral territory next to the opponent's largest army; of several the weakest."""
    opponent = position.after(acting(position))

    def faces(code: Code) -> int:
        near = (n for n in position.board.neighbours[code] if position.owner.get(n) == opponent)
        return max((position.armies[n] for n in near), default=0)

    neutral = position.held(NEUTRAL)
    return max(neutral, key=lambda code: (faces(code), -position.armies[code]))
