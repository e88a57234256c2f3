"""Rulesets: a frozen bag of named choices (rules.md, "Options" and "Rulesets to ship")."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args, get_type_hints

Setup = Literal["claim", "deal"]
FirstTurn = Literal["first-claimer", "fresh-roll"]
FortifyRule = Literal["adjacent", "chain", "none"]
DiceRule = Literal["choice", "max"]
OccupationMin = Literal["last-dice", "one"]
WildRule = Literal["any-two", "pair-only"]
TradeValues = Literal["escalating", "capped-25", "fixed"]
ForcedTradeAt = Literal["5", "none"]
EliminationTrade = Literal["six-to-four", "optional"]
TerritoryBonus = Literal["per-turn", "per-set", "none"]
Goal = Literal["world", "missions", "capitals"]
MissionDeck = Literal["european12", "us12", "continental14", "dutch13"]
KillCredit = Literal["deck", "anyone", "becomes-24"]
CapitalTarget = Literal["all", "short"]
TwoPlayer = Literal["neutral-interleaved", "neutral-sequential", "plain"]
CardDeck = Literal["hasbro", "continental"]

STARTING_ARMIES: Mapping[int, int] = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}
"""Armies of each seat by number of seats, board and reserve together (rule 1)."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """What is wrong with an option, `ruleset` or `seats`: a code, and the facts of its words."""

    where: str
    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class RulesetError(ValueError):
    """No such ruleset, option or value, or a combination without sense; the message says which.

    `misfit` is the same for whoever tells it in other words.
    """

    def __init__(self, message: str, misfit: Misfit) -> None:
        super().__init__(message)
        self.misfit = misfit


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game's rules. The defaults are `classic-1993`; options are named as in rules.md."""

    name: str = "classic-1993"
    min_players: int = 2
    max_players: int = 6
    setup: Setup = "claim"
    first_turn: FirstTurn = "first-claimer"
    fortify: FortifyRule = "adjacent"
    attack_dice: DiceRule = "choice"
    defence_dice: DiceRule = "choice"
    occupation_min: OccupationMin = "last-dice"
    wild: WildRule = "any-two"
    trade_values: TradeValues = "escalating"
    forced_trade_at: ForcedTradeAt = "5"
    elimination_trade: EliminationTrade = "six-to-four"
    territory_bonus: TerritoryBonus = "per-turn"
    goal: Goal = "world"
    mission_deck: MissionDeck = "european12"
    kill_credit: KillCredit = "deck"
    capital_target: CapitalTarget = "all"
    two_player: TwoPlayer = "neutral-interleaved"
    card_deck: CardDeck = "hasbro"

    def with_options(self, options: Mapping[str, str]) -> "Ruleset":
        """This ruleset with single options changed; raises RulesetError for what makes no sense."""
        for fault in self.faults(options):
            raise fault
        return replace(self, **options)  # type: ignore[arg-type]  # `faults` looked at them

    def faults(self, options: Mapping[str, str]) -> Iterator[RulesetError]:
        """All that is wrong with changing these options: what cannot be read, then what clashes."""
        read: dict[str, Any] = {}
        for name, value in options.items():
            if name not in OPTIONS:
                text = f"no option is called {name!r}; there are {', '.join(OPTIONS)}"
                yield RulesetError(text, Misfit(name, "no-option", {"name": name}))
            elif value not in OPTIONS[name]:
                text = f"{name} can be {' or '.join(OPTIONS[name])}, not {value!r}"
                facts = {"name": name, "value": value, "allowed": OPTIONS[name]}
                yield RulesetError(text, Misfit(name, "bad-option", facts))
            else:
                read[name] = value
        yield from _clashes(replace(self, **read))

    def has_neutral(self, seats: int) -> bool:
        """Whether a neutral army is on the board of a game with so many seats."""
        return seats == 2 and self.two_player != "plain"

    def changes(self) -> dict[str, str]:
        """The options in which this game differs from the ruleset whose name it bears."""
        base = RULESETS[self.name]
        return {o: getattr(self, o) for o in OPTIONS if getattr(self, o) != getattr(base, o)}


OPTIONS: Mapping[str, tuple[str, ...]] = {
    field.name: get_args(get_type_hints(Ruleset)[field.name])
    for field in fields(Ruleset)
    if get_args(get_type_hints(Ruleset)[field.name])
}
"""Every option that a game may change, with its values, the default of `classic-1993` first."""

NEEDS: Mapping[str, tuple[str, str]] = {
    "mission_deck": ("goal", "missions"),
    "kill_credit": ("goal", "missions"),
    "capital_target": ("goal", "capitals"),
}
"""Options that a game may change only where another one has that value."""


def _clashes(rules: Ruleset) -> Iterator[RulesetError]:
    """The options that mean nothing, or cannot be played, beside the others."""
    changed = rules.changes()
    for name, (needed, value) in NEEDS.items():
        if name in changed and (held := getattr(rules, needed)) != value:
            text = f"{name} means nothing with {needed}={held}: it needs {needed}={value}"
            facts = {"name": name, "needed": needed, "value": value}
            yield RulesetError(text, Misfit(name, "needs", facts))
    if "two_player" in changed and rules.min_players > 2:
        text = f"two_player means nothing in {rules.name}, which is not for 2"
        yield RulesetError(text, Misfit("two_player", "not-for-two", {"rules": rules.name}))
    if rules.max_players == 2 and rules.goal != "world":
        yield goal_for_three(rules)
    elif rules.max_players == 2 and rules.has_neutral(2) and rules.setup != "deal":
        text = "setup can only be deal: two seats and a neutral army are dealt"
        yield RulesetError(text, Misfit("setup", "dealt"))


def goal_for_three(rules: Ruleset) -> RulesetError:
    """Two players cannot play for this goal."""
    text = f"goal={rules.goal} is for 3 players or more: of 2 one must fall"
    return RulesetError(text, Misfit("goal", "three-or-more", {"value": rules.goal}))


_CLASSIC_2015 = Ruleset(
    name="classic-2015", min_players=3, max_players=5, fortify="chain", territory_bonus="per-set"
)

RULESETS: Mapping[str, Ruleset] = {
    rules.name: rules
    for rules in (
        Ruleset(),
        _CLASSIC_2015,
        replace(
            _CLASSIC_2015,
            name="missions-2015",
            setup="deal",
            first_turn="fresh-roll",
            goal="missions",
        ),
        replace(_CLASSIC_2015, name="capital-2015", goal="capitals"),
        replace(
            _CLASSIC_2015,
            name="two-player-2015",
            min_players=2,
            max_players=2,
            setup="deal",
            two_player="neutral-sequential",
        ),
        Ruleset(
            name="simple-it",
            min_players=3,
            defence_dice="max",
            occupation_min="one",
            trade_values="capped-25",
            forced_trade_at="none",
            elimination_trade="optional",
        ),
        Ruleset(
            name="simple-sl",
            attack_dice="max",
            defence_dice="max",
            elimination_trade="optional",
            two_player="plain",
        ),
    )
}
"""The rulesets to choose from, by name (rules.md, "Rulesets to ship")."""


def ruleset(name: str, options: Mapping[str, str] | None = None) -> Ruleset:
    """The ruleset of that name with the options changed; raises RulesetError."""
    if name not in RULESETS:
        text = f"no ruleset is called {name!r}; there are {', '.join(RULESETS)}"
        raise RulesetError(text, Misfit("ruleset", "no-ruleset", {"value": name}))
    return RULESETS[name].with_options(options or {})
