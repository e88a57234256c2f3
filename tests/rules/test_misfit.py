"""What is wrong with an option, as a code and its facts, for whoever tells it in other words."""

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.rules import missions
from pbem.rules.board import Board, canonical, keep
from pbem.rules.ruleset import OPTIONS, Misfit, RulesetError, ruleset
from pbem.rules.seat import LETTERS
from pbem.rules.setup import check_seats

MISSIONS = {"goal": "missions"}


@pytest.mark.parametrize(
    ("name", "options", "misfit"),
    [
        ("monopoly", {}, Misfit("ruleset", "no-ruleset", {"value": "monopoly"})),
        ("simple-it", {"weather": "rain"}, Misfit("weather", "no-option", {"name": "weather"})),
        (
            "simple-it",
            {"fortify": "fly"},
            Misfit(
                "fortify",
                "bad-option",
                {"name": "fortify", "value": "fly", "allowed": OPTIONS["fortify"]},
            ),
        ),
        (
            "simple-it",
            {"capital_target": "short"},
            Misfit(
                "capital_target",
                "needs",
                {"name": "capital_target", "needed": "goal", "value": "capitals"},
            ),
        ),
        (
            "classic-2015",
            {"two_player": "plain"},
            Misfit("two_player", "not-for-two", {"rules": "classic-2015"}),
        ),
        (
            "two-player-2015",
            {"goal": "capitals"},
            Misfit("goal", "three-or-more", {"value": "capitals"}),
        ),
        ("two-player-2015", {"setup": "claim"}, Misfit("setup", "dealt")),
    ],
)
def test_of_the_options_by_themselves(name: str, options: dict[str, str], misfit: Misfit) -> None:
    with pytest.raises(RulesetError) as refused:
        ruleset(name, options)
    assert refused.value.misfit == misfit


@pytest.mark.parametrize(
    ("name", "options", "seats", "misfit"),
    [
        (
            "classic-2015",
            {},
            6,
            Misfit("seats", "seat-count", {"least": 3, "most": 5, "count": 6}),
        ),
        ("simple-sl", MISSIONS, 2, Misfit("goal", "three-or-more", {"value": "missions"})),
        (
            "simple-it",
            {"goal": "capitals", "capital_target": "short"},
            6,
            Misfit("capital_target", "short-for-six"),
        ),
        (
            "classic-1993",
            MISSIONS,
            6,
            Misfit(
                "mission_deck",
                "deck-colours",
                {
                    "board": "Classic World",
                    "seats": 6,
                    "deck": "european12",
                    "most": 5,
                    "fit": ["us12", "continental14"],
                },
            ),
        ),
    ],
)
def test_of_the_number_of_seats(
    name: str, options: dict[str, str], seats: int, misfit: Misfit
) -> None:
    with pytest.raises(RulesetError) as refused:
        check_seats(ruleset(name, options), seats)
    assert refused.value.misfit == misfit


def ring(*own: Mapping[str, Any]) -> Board:
    """Six territories in a ring and one continent, with missions of their own if there are any."""
    names = ("ash", "birch", "cedar", "date", "elm", "fig")
    data: dict[str, Any] = {
        "map": {"id": "ring", "name": "The Ring", "wild_cards": 0},
        "continent": [{"id": "wood", "name": "Wood", "bonus": 2}],
        "territory": [
            {
                "code": name[:3].upper(),
                "id": name,
                "name": name.title(),
                "continent": "wood",
                "card": "infantry",
            }
            for name in names
        ],
        "adjacency": {
            "edges": [list(edge) for edge in zip(names, (*names[1:], "ash"), strict=True)]
        },
    }
    return keep(canonical({**data, "mission": list(own)} if own else data))


OWN = {"id": "occupy-4", "kind": "occupy", "count": 4, "armies": 1}


@pytest.mark.parametrize(
    ("options", "board", "code", "facts", "says"),
    [
        (
            {"mission_deck": "us12"},
            ring(OWN),
            "mission_deck own-missions",
            {},
            "mission_deck: the board The Ring has missions of its own",
        ),
        (
            {},
            ring(),
            "goal missions-unfit",
            {"deck": "european12", "most": 5},
            "goal=missions: the board The Ring has no missions of its own, and the deck european12"
            " is not for it: occupy-24 cannot be done there; choose another goal, or a board with"
            " missions",
        ),
        (
            {},
            ring(OWN),
            "goal missions-few",
            {"deck": "The Ring", "most": 6, "cards": 1},
            "goal=missions: the board The Ring has 1 missions for these seats, 3 are needed",
        ),
    ],
    ids=["own missions", "no missions", "too few"],
)
def test_of_missions_and_the_board(
    options: dict[str, str], board: Board, code: str, facts: dict[str, Any], says: str
) -> None:
    with pytest.raises(RulesetError) as refused:
        missions.check(ruleset("classic-1993", {**MISSIONS, **options}), board, LETTERS[:3])
    misfit = refused.value.misfit
    assert f"{misfit.where} {misfit.code}" == code
    assert misfit.facts == {"board": "The Ring", "seats": 3, **facts}
    assert str(refused.value) == says
