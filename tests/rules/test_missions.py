"""Secret missions: the decks, the deal, and what fulfils one (rules.md, "Missions")."""

import pytest

from pbem.rules import missions
from pbem.rules.action import Attack, EndTurn, Place
from pbem.rules.board import Code
from pbem.rules.event import MissionDealt, Won
from pbem.rules.position import Phase
from pbem.rules.ruleset import OPTIONS, RulesetError, ruleset
from pbem.rules.seat import LETTERS
from pbem.rules.setup import new_game, open_setup
from pbem.rules.state import State
from pbem.rules.view import view, visible
from tests.rules.player import SeededChance
from tests.rules.table import WORLD, A, B, C, after, drawn

MISSIONS = {"goal": "missions"}
TAKE_INDIA = Attack(Code("SIA"), Code("IDA"), 1)


def opened(seats: int = 3, seed: int = 1, **options: str) -> State:
    rules = ruleset("missions-2015", options)
    return open_setup(new_game(rules, seats), SeededChance(seed)).state


def test_each_deck_holds_as_many_cards_as_its_edition() -> None:
    sizes = {name: len(missions.deck(name).missions) for name in OPTIONS["mission_deck"]}
    assert sizes == {"european12": 12, "us12": 12, "continental14": 14, "dutch13": 13}


def test_the_decks_that_nobody_has_confirmed_are_marked() -> None:
    unsure = {name for name in OPTIONS["mission_deck"] if not missions.deck(name).verified}
    assert unsure == {"european12", "dutch13"}


@pytest.mark.parametrize(("seats", "cards"), [(3, 10), (4, 11), (5, 12)])
def test_colours_that_nobody_plays_are_taken_out(seats: int, cards: int) -> None:
    rules = ruleset("missions-2015")
    playing = missions.in_play(rules, LETTERS[:seats], WORLD)
    assert len(playing) == cards
    assert f"destroy-{seats}" in playing
    assert f"destroy-{seats + 1}" not in playing


def test_everybody_gets_one_card_of_the_deck() -> None:
    state, events = open_setup(new_game(ruleset("missions-2015"), 5), SeededChance(3))
    cards = [event.mission for event in events if isinstance(event, MissionDealt)]
    assert len(set(cards)) == 5
    assert state.missions.keys() == set(state.seats)


def test_the_deal_hangs_on_the_seed() -> None:
    assert opened(seed=1).missions != opened(seed=2).missions


def test_nobody_has_to_destroy_the_own_colour() -> None:
    assert missions.assigned(A, "destroy-1", WORLD) == "occupy-24"
    assert missions.assigned(B, "destroy-1", WORLD) == "destroy-1"


@pytest.mark.parametrize(
    ("deck", "option", "credit"),
    [
        ("european12", "deck", "anyone"),
        ("dutch13", "deck", "anyone"),
        ("us12", "deck", "anyone"),
        ("continental14", "deck", "becomes-24"),
        ("continental14", "anyone", "anyone"),
        ("us12", "becomes-24", "becomes-24"),
    ],
)
def test_kill_credit_is_as_the_deck_says_or_as_the_game_has_it(
    deck: str, option: str, credit: str
) -> None:
    rules = ruleset("missions-2015", {"mission_deck": deck, "kill_credit": option})
    assert missions.kill_credit(rules, WORLD) == credit


@pytest.mark.parametrize(
    ("name", "options", "seats", "says"),
    [
        ("missions-2015", {}, 6, "missions-2015 is for 3 to 5 players, not 6"),
        ("classic-1993", MISSIONS, 6, "mission_deck=european12 has colours for 5 players, not 6"),
        ("simple-sl", MISSIONS, 2, "goal=missions is for 3 players or more"),
    ],
)
def test_what_cannot_be_dealt_is_refused(
    name: str, options: dict[str, str], seats: int, says: str
) -> None:
    with pytest.raises(RulesetError, match=says):
        new_game(ruleset(name, options), seats)


def test_the_killer_itself_keeps_its_mission() -> None:
    state = drawn(
        *("A SIA 4; B rest 1; C IDA 1",),
        options={**MISSIONS, "kill_credit": "becomes-24"},
        missions={A: "destroy-3", B: "destroy-3"},
    )
    won, events = after(state, Attack(Code("SIA"), Code("IDA"), 3), dice="654 1")
    assert events[-1] == Won(A, "destroy-3")
    assert won.missions == {A: "destroy-3", B: "occupy-24"}


def test_the_mission_of_an_eliminated_seat_leaves_the_game() -> None:
    state = drawn("A SIA 2; B rest 1; C IDA 1", options=MISSIONS, missions={C: "occupy-24"})
    assert after(state, TAKE_INDIA, dice="6 1").state.missions == {}


def test_one_more_continent_of_ones_choice_is_wanted() -> None:
    names = ["europe", "australia", "africa"]
    state = drawn("B rest 1; C SIA 1", options=MISSIONS)
    for held, done in ((names[:2], False), (names, True)):
        codes = [
            code
            for name, continent in state.board.continents.items()
            if name in held
            for code in continent.territories
        ]
        mine = drawn(
            f"A {', '.join(f'{code} 1' for code in codes)}; B rest 1; C SIA 1", options=MISSIONS
        )
        assert missions.fulfilled(mine, A, "europe-australia-any") is done


HALF = "ALA ALB CAM EUS GRL NWT ONT QUE WUS ARG BRA PRU VEN CNG EAF EGY MDG NAF SAF EAU IDO NGU WAU"


def holder() -> State:
    """A holds 24 territories."""
    land = ", ".join(f"{code} 1" for code in HALF.split())
    options = {**MISSIONS, "mission_deck": "dutch13"}
    return drawn(f"A {land}, SIA 3; B rest 1; C JPN 1", options=options, missions={A: "occupy-24"})


def test_the_round_begins_when_the_territories_are_reached() -> None:
    state = after(holder(), EndTurn()).state
    assert (state.held_since, state.winner) == ({A: 0}, None)


def test_and_is_full_when_the_next_turn_of_the_seat_begins() -> None:
    lapsed = EndTurn(forfeit=True)
    state = after(holder(), EndTurn(), lapsed, lapsed).state
    assert (state.held_since, state.winner, state.phase) == ({A: 1}, A, Phase.OVER)


def test_a_mission_is_its_seats_own() -> None:
    state = drawn("A SIA 2; B rest 1; C IDA 1", missions={A: "asia-africa", B: "occupy-24"})
    assert view(state, A).mission == "asia-africa"
    assert view(state, B).mission == "occupy-24"
    assert view(state, C).mission is None
    assert view(state, None).mission is None


def test_a_deal_is_told_to_its_seat_alone() -> None:
    dealt = MissionDealt(A, "asia-africa")
    assert visible([dealt], A) == (dealt,)
    for reader in (B, None):
        assert visible([dealt], reader) == (MissionDealt(A, None),)


@pytest.mark.parametrize(
    ("deck", "credit"),
    [
        ("us12", "anyone"),
        ("european12", "anyone"),
        ("dutch13", "anyone"),
        ("continental14", "becomes-24"),
    ],
)
def test_what_the_deck_says_of_a_target_that_another_destroyed(deck: str, credit: str) -> None:
    options = {"goal": "missions", "mission_deck": deck}
    assert missions.kill_credit(ruleset("classic-1993", options), WORLD) == credit
    for own in ("anyone", "becomes-24"):
        chosen = ruleset("classic-1993", {**options, "kill_credit": own})
        assert missions.kill_credit(chosen, WORLD) == own


def test_rounds_without_24_territories_count_for_nothing() -> None:
    """The round begins when the 24th is taken, however long the mission has been there."""
    codes = ", ".join(f"{code} 1" for code in WORLD.codes if code not in ("SIA", "IDA"))
    own = ", ".join(codes.split(", ")[:22])
    others = ", ".join(f"{code} 1" for code in (*WORLD.codes[24:],) if code not in ("SIA", "IDA"))
    state = drawn(
        f"A SIA 5, {own}; B IDA 1; C {others}, rest 1",
        options={**MISSIONS, "mission_deck": "dutch13"},
        missions={A: "occupy-24", B: "asia-africa", C: "asia-africa"},
    )
    assert len(state.held(A)) == 23
    for seat in (A, B, C):
        state = drawn_on(state, seat)
    assert state.held_since == {}


def drawn_on(state: State, seat: str) -> State:
    """The state after the turn of that seat, which does nothing but place its armies."""
    assert state.on_turn == seat
    if state.to_place:
        state = after(state, Place(state.held(state.on_turn)[0], state.to_place)).state
    return after(state, EndTurn()).state
