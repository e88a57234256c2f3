"""Rulesets and their options (rules.md, "Options")."""

import pytest

from pbem.rules.ruleset import NEEDS, OPTIONS, RULESETS, STARTING_ARMIES, RulesetError, ruleset


def test_classic_1993_is_every_options_default() -> None:
    classic = ruleset("classic-1993")
    assert {name: getattr(classic, name) for name in OPTIONS} == {
        name: values[0] for name, values in OPTIONS.items()
    }
    assert (classic.min_players, classic.max_players) == (2, 6)


@pytest.mark.parametrize(
    ("name", "players", "differs"),
    [
        ("classic-2015", (3, 5), {"fortify": "chain", "territory_bonus": "per-set"}),
        (
            *("missions-2015", (3, 5)),
            {
                "setup": "deal",
                "first_turn": "fresh-roll",
                "fortify": "chain",
                "territory_bonus": "per-set",
                "goal": "missions",
            },
        ),
        (
            *("simple-it", (3, 6)),
            {
                "occupation_min": "one",
                "defence_dice": "max",
                "forced_trade_at": "none",
                "elimination_trade": "optional",
                "trade_values": "capped-25",
            },
        ),
        (
            *("capital-2015", (3, 5)),
            {"fortify": "chain", "territory_bonus": "per-set", "goal": "capitals"},
        ),
        (
            *("two-player-2015", (2, 2)),
            {
                "setup": "deal",
                "fortify": "chain",
                "territory_bonus": "per-set",
                "two_player": "neutral-sequential",
            },
        ),
        (
            *("simple-sl", (2, 6)),
            {
                "attack_dice": "max",
                "defence_dice": "max",
                "elimination_trade": "optional",
                "two_player": "plain",
            },
        ),
    ],
)
def test_each_ruleset_differs_from_the_defaults_by_these(
    name: str, players: tuple[int, int], differs: dict[str, str]
) -> None:
    rules, defaults = ruleset(name), ruleset("classic-1993")
    assert (rules.min_players, rules.max_players) == players
    assert {
        option: getattr(rules, option)
        for option in OPTIONS
        if getattr(rules, option) != getattr(defaults, option)
    } == differs


def test_starting_armies() -> None:
    assert STARTING_ARMIES == {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_can_take_each_of_its_values(name: str) -> None:
    needed = dict([NEEDS[name]]) if name in NEEDS else {}
    for value in OPTIONS[name]:
        assert getattr(ruleset("classic-1993", {**needed, name: value}), name) == value


@pytest.mark.parametrize("name", NEEDS)
def test_an_option_that_means_nothing_is_refused(name: str) -> None:
    needed, value = NEEDS[name]
    message = f"{name} means nothing with {needed}=.*: it needs {needed}={value}"
    with pytest.raises(RulesetError, match=message):
        ruleset("classic-1993", {name: OPTIONS[name][1]})


def test_a_game_names_what_it_changed() -> None:
    changed = ruleset("classic-1993", {"fortify": "chain", "setup": "claim"})
    assert changed.changes() == {"fortify": "chain"}
    assert changed.name == "classic-1993"


def test_every_ruleset_bears_its_own_name_and_changes_nothing() -> None:
    for name, rules in RULESETS.items():
        assert (rules.name, rules.changes()) == (name, {})


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("monopoly", {}, "no ruleset is called 'monopoly'; there are classic-1993"),
        ("classic-1993", {"weather": "rain"}, "no option is called 'weather'"),
        ("classic-1993", {"fortify": "fly"}, "fortify can be adjacent or chain or none, not 'fly'"),
        ("classic-1993", {"name": "other"}, "no option is called 'name'"),
        ("classic-1993", {"max_players": "9"}, "no option is called 'max_players'"),
        ("classic-2015", {"two_player": "plain"}, "two_player means nothing in classic-2015"),
        ("two-player-2015", {"setup": "claim"}, "setup can only be deal"),
    ],
)
def test_what_makes_no_sense_is_named(name: str, options: dict[str, str], says: str) -> None:
    with pytest.raises(RulesetError, match=says):
        ruleset(name, options)
