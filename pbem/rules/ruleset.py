"""Rulesets: a frozen bag of named choices (rules.md, "Options" and "Rulesets to ship")."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args, get_type_hints

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


class RulesetError(ValueError):
    """No such ruleset, option or value, or a combination without sense; the message says which."""


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
        for name, value in options.items():
            allowed = OPTIONS.get(name)
            if allowed is None:
                raise RulesetError(f"no option is called {name!r}; there are {', '.join(OPTIONS)}")
            if value not in allowed:
                raise RulesetError(f"{name} can be {' or '.join(allowed)}, not {value!r}")
        changed = replace(self, **options)  # type: ignore[arg-type]  # checked against OPTIONS above
        for name, (needed, value) in NEEDS.items():
            if name in changed.changes() and getattr(changed, needed) != value:
                raise RulesetError(
                    f"{name} means nothing with {needed}={getattr(changed, needed)}:"
                    f" it needs {needed}={value}"
                )
        if "two_player" in changed.changes() and self.min_players > 2:
            raise RulesetError(f"two_player means nothing in {self.name}, which is not for 2")
        if self.max_players == 2 and changed.goal != "world":
            raise RulesetError(f"goal={changed.goal} is for 3 players or more: of 2 one must fall")
        if self.max_players == 2 and changed.has_neutral(2) and changed.setup != "deal":
            raise RulesetError("setup can only be deal: two seats and a neutral army are dealt")
        return changed

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
        raise RulesetError(f"no ruleset is called {name!r}; there are {', '.join(RULESETS)}")
    return RULESETS[name].with_options(options or {})
