"""Acts on what lies on the table: a territory's owner and armies, a hand."""

from dataclasses import dataclass
from typing import ClassVar

from pbem.judge.acts.act import Act, Cards, Grade, Number, SeatLetter, Territory, Words
from pbem.judge.acts.notice import mark, named, running, tell_all
from pbem.judge.gm import ActError, Why
from pbem.judge.progress import Progress
from pbem.rules.action import SetHand, SetTerritory
from pbem.rules.adjudicate import play
from pbem.rules.board import Code
from pbem.rules.card import Card, full_deck
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.seat import Seat
from pbem.store import proposals

_CODES = {
    Reason.WRONG_PHASE: "only-in-a-turn",
    Reason.MUST_OCCUPY: "moving-in",
    Reason.LAST_TERRITORY: "last-territory",
    Reason.TOO_FEW_ARMIES: "too-few-armies",
    Reason.CARD_ELSEWHERE: "card-elsewhere",
    Reason.GAME_OVER: "over",
}


@dataclass(frozen=True, slots=True)
class Set(Act):
    """Give a territory an owner (a seat, or N) and armies."""

    name: ClassVar[str] = "set"
    grade: ClassVar[Grade] = Grade.DEEP
    territory: Territory
    owner: Words
    armies: Number

    def play(self, progress: Progress, why: Why) -> None:
        running(progress)
        state, code = progress.state, Code(self.territory)
        if code not in state.owner:
            raise ActError("no-territory", territory=self.territory)
        owner = Seat(self.owner.upper())
        told = {
            "territory": code,
            "before_seat": state.owner[code],
            "before_armies": state.armies[code],
            "seat": owner,
            "armies": self.armies,
        }
        _do(progress, why, self.name, SetTerritory(code, owner, self.armies))
        tell_all(progress, "territory-set", why, told)

    def undo(self, progress: Progress) -> Act | None:
        state, code = progress.state, Code(self.territory)
        if code not in state.owner:
            return None
        return Set(self.territory, state.owner[code], state.armies[code])


@dataclass(frozen=True, slots=True)
class SetCards(Act):
    """Give a seat this hand: codes of territories, WILD for a wild card, - for no card."""

    name: ClassVar[str] = "hand"
    grade: ClassVar[Grade] = Grade.DEEP
    seat: SeatLetter
    cards: Cards

    def play(self, progress: Progress, why: Why) -> None:
        running(progress)
        seat = named(progress, self.seat)
        known = {str(card): card for card in full_deck(progress.state.board)}
        for card in self.cards:
            if card not in known:
                raise ActError("no-card", card=card)
        cards = tuple(Card(card) for card in self.cards)
        _do(progress, why, self.name, SetHand(Seat(seat.letter), cards))
        tell_all(progress, "hand-set", why, {"seat": seat.letter, "cards": len(cards)})

    def undo(self, progress: Progress) -> Act | None:
        return SetCards(self.seat, tuple(progress.state.hands.get(Seat(self.seat), ())))


def _do(progress: Progress, why: Why, name: str, action: SetTerritory | SetHand) -> None:
    """Orders that were written for the board of before are stale after it."""
    mark(progress, why, name)
    played = play(progress.state, action, progress.chance)
    if isinstance(played, Refusal):
        facts = {"seat": played.facts.get("owner", ""), **played.facts}
        raise ActError(_CODES.get(played.reason, "no-seat"), **facts)
    progress.happened(played)
    progress.game.step += 1
    proposals.lapse(progress.session, progress.game.id, progress.now)
