"""The start of a turn: counting the reinforcements and placing them (rule 3)."""

from dataclasses import dataclass

from pbem.rules import overrule
from pbem.rules.action import Place, TakeBack
from pbem.rules.board import ContinentId
from pbem.rules.card import has_set
from pbem.rules.claim import acting
from pbem.rules.dice import Chance
from pbem.rules.event import Placed, TakenBack, TurnStarted
from pbem.rules.position import Phase, Position, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.seat import Seat
from pbem.rules.state import Played, State


@dataclass(frozen=True, slots=True)
class Reinforcements:
    """The armies of a turn's start and where they come from; `continents` with their bonus."""

    territories: int
    armies_for_territories: int
    continents: tuple[tuple[ContinentId, int], ...]

    @property
    def armies(self) -> int:
        """All of them."""
        return self.armies_for_territories + sum(bonus for _, bonus in self.continents)


def reinforcements(position: Position, seat: Seat) -> Reinforcements:
    """A third of the territories, rounded down, at least 3; and the continents held whole now."""
    territories = sum(owner == seat for owner in position.owner.values())
    return Reinforcements(
        territories=territories,
        armies_for_territories=max(3, territories // 3),
        continents=tuple(
            (continent.id, continent.bonus)
            for continent in position.board.continents.values()
            if position.holds(seat, continent.id)
        ),
    )


def start(state: State, seat: Seat) -> Played:
    """Opens the next turn for the seat; a hand that holds a set may, or must, be traded first.

    Options of the rules that were changed since the turn before count from here on.
    """
    if state.coming:
        state = overrule.renew_rules(state)
    due = reinforcements(state, seat)
    may_trade = has_set(state.hands[seat], state.board, state.ruleset)
    started = changed(
        state,
        phase=Phase.TRADE if may_trade else Phase.PLACE,
        turn=state.turn + 1,
        on_turn=seat,
        link=state.link + 1,
        to_place=due.armies,
        placed={},
        bonus_taken=False,
        mid_turn=False,
        captured=False,
        rolled=False,
    )
    event = TurnStarted(
        turn=started.turn,
        seat=seat,
        link=started.link,
        territories=due.territories,
        armies_for_territories=due.armies_for_territories,
        continents=due.continents,
    )
    return Played(started, (event,))


def refuse(state: State, action: Place) -> Refusal | None:
    """Armies go on own territories, no more of them than there are at hand."""
    owner = state.owner.get(action.territory, "")
    if owner != state.on_turn:
        return refused(Reason.NOT_YOURS, territory=action.territory, owner=owner)
    if action.armies < 1:
        return refused(
            Reason.TOO_FEW_ARMIES, territory=action.territory, armies=action.armies, least=1
        )
    if action.armies > state.to_place:
        return refused(
            Reason.TOO_MANY, territory=action.territory, armies=action.armies, most=state.to_place
        )
    return None


def place(state: State, action: Place, _chance: Chance) -> Played:
    """Puts the armies down; the first placing ends the trading, the last one opens the attacks."""
    code, armies = action.territory, action.armies
    left = state.to_place - armies
    placed = changed(
        state,
        phase=Phase.PLACE if left else Phase.ATTACK,
        to_place=left,
        armies={**state.armies, code: state.armies[code] + armies},
        placed={**state.placed, code: state.placed.get(code, 0) + armies},
        mid_turn=state.mid_turn and left > 0,
    )
    return Played(placed, (Placed(state.owner[code], code, armies),))


def refuse_take_back(state: State, _action: TakeBack) -> Refusal | None:
    """Only before the first roll of the turn, and only what was placed since the last trade."""
    if state.rolled:
        return refused(Reason.ROLLED)
    return None if state.placed else refused(Reason.NOTHING_PLACED)


def take_back(state: State, _action: TakeBack, _chance: Chance) -> Played:
    """The armies are at hand again, and with a set in the hand trading is open again."""
    placed = tuple((code, state.placed[code]) for code in state.board.codes if code in state.placed)
    armies = {code: count - state.placed.get(code, 0) for code, count in state.armies.items()}
    may_trade = has_set(state.hand, state.board, state.ruleset)
    taken = changed(
        state,
        phase=Phase.TRADE if may_trade else Phase.PLACE,
        to_place=state.to_place + sum(state.placed.values()),
        armies=armies,
        placed={},
    )
    return Played(taken, (TakenBack(acting(state), placed),))
