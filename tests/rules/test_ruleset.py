"""Rulesets and their options (rules.md, "Options")."""

from collections.abc import Iterator, Mapping
from itertools import combinations

import pytest

from pbem.rules.ruleset import (
    NEEDS,
    OPTIONS,
    RULESETS,
    STARTING_ARMIES,
    Ruleset,
    RulesetError,
    ruleset,
)
from pbem.rules.setup import new_game


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
        ("two-player-2015", {"goal": "capitals"}, "goal=capitals is for 3 players or more"),
        ("simple-it", {"mission_deck": "us12"}, "mission_deck means nothing with goal=world"),
    ],
)
def test_what_makes_no_sense_is_named(name: str, options: dict[str, str], says: str) -> None:
    with pytest.raises(RulesetError, match=says):
        ruleset(name, options)


def choices(base: Ruleset) -> Iterator[dict[str, str]]:
    """Every one and every two options changed from what the ruleset has."""
    changes = [
        (name, value)
        for name, values in OPTIONS.items()
        for value in values
        if value != getattr(base, name)
    ]
    yield from ({name: value} for name, value in changes)
    yield from (dict(pair) for pair in combinations(changes, 2) if pair[0][0] != pair[1][0])


def makes_sense(base: Ruleset, options: Mapping[str, str]) -> bool:
    """As docs/rules tells it: no option that means nothing beside the others."""
    goal = options.get("goal", base.goal)
    for_two_only = base.max_players == 2
    needs = {"mission_deck": "missions", "kill_credit": "missions", "capital_target": "capitals"}
    if any(name in options and goal != needed for name, needed in needs.items()):
        return False
    if "two_player" in options and base.min_players > 2:
        return False
    if for_two_only and goal != "world":
        return False
    claimed = options.get("setup") == "claim"
    return not (for_two_only and claimed and options.get("two_player") != "plain")


@pytest.mark.parametrize("name", RULESETS)
def test_of_all_pairs_of_options_those_without_sense_are_refused_by_name(name: str) -> None:
    for options in choices(RULESETS[name]):
        if makes_sense(RULESETS[name], options):
            rules = ruleset(name, options)
            assert playable(rules), options
        else:
            with pytest.raises(RulesetError) as refused:
                ruleset(name, options)
            assert any(option in str(refused.value) for option in options), options


def playable(rules: Ruleset) -> list[int]:
    """The numbers of seats with which a game of the ruleset can begin."""
    return [seats for seats in range(1, 8) if _can_begin(rules, seats)]


def _can_begin(rules: Ruleset, seats: int) -> bool:
    try:
        new_game(rules, seats)
    except RulesetError:
        return False
    return True


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({}, [2, 3, 4, 5, 6]),
        ({"goal": "missions"}, [3, 4, 5]),
        ({"goal": "missions", "mission_deck": "dutch13"}, [3, 4, 5]),
        ({"goal": "missions", "mission_deck": "us12"}, [3, 4, 5, 6]),
        ({"goal": "missions", "mission_deck": "continental14"}, [3, 4, 5, 6]),
        ({"goal": "capitals"}, [3, 4, 5, 6]),
        ({"goal": "capitals", "capital_target": "short"}, [3, 4, 5]),
        ({"two_player": "plain"}, [2, 3, 4, 5, 6]),
    ],
)
def test_how_many_can_play_with_an_option(options: dict[str, str], sizes: list[int]) -> None:
    assert playable(ruleset("classic-1993", options)) == sizes
