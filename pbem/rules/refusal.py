"""What the rules say no to, as values. The words stand in the templates, by code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Fact = str | int | tuple[str, ...]
"""What explains a refusal: seats, codes, numbers of armies, cards or dice, or several codes."""


class Reason(StrEnum):
    """Why an action is refused; each is one rule of rules.md."""

    GAME_OVER = "game-over"
    WRONG_PHASE = "wrong-phase"
    NOT_YOURS = "not-yours"
    NOT_FREE = "not-free"
    TOO_MANY = "too-many"
    ARMIES_LEFT = "armies-left"
    NOT_NEIGHBOURS = "not-neighbours"
    OWN_TERRITORY = "own-territory"
    TOO_FEW_ARMIES = "too-few-armies"
    DICE = "dice"
    OCCUPATION = "occupation"
    MUST_OCCUPY = "must-occupy"
    MUST_TRADE = "must-trade"
    NO_SET = "no-set"
    NO_SUCH_CARD = "no-such-card"
    NOT_NOW = "not-now"
    BONUS = "bonus"
    NOT_JOINED = "not-joined"
    NO_FORTIFY = "no-fortify"
    ROLLED = "rolled"
    NOTHING_PLACED = "nothing-placed"
    CLOSING = "closing"
    FORSAKING = "forsaking"
    OVERRULE = "overrule"
    LAST_TERRITORY = "last-territory"
    CARD_ELSEWHERE = "card-elsewhere"
    USED_LINK = "used-link"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A legal reason why an action was not played, with the facts that explain it."""

    reason: Reason
    facts: Mapping[str, Fact] = field(default_factory=dict)


def refused(reason: Reason, **facts: Fact) -> Refusal:
    """The refusal for that reason, with the facts by their names."""
    return Refusal(reason, facts)
