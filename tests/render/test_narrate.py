"""Events told as deeds."""

from pbem.render.narrate import (
    Battle,
    Draw,
    Elimination,
    Placement,
    Roll,
    conquered,
    narrate,
    shares,
    touched,
    turns,
)
from pbem.rules.card import Card
from pbem.rules.event import (
    Captured,
    CardDrawn,
    Claimed,
    Eliminated,
    Filled,
    Occupied,
    Placed,
    Rolled,
)
from pbem.rules.view import visible
from tests.render.samples import ANNA, BRUNO, CHN, CLOSE, IDA, IDO, OTHERS, OWN, SIA


def test_rolls_of_one_attack_are_one_battle_with_its_outcome() -> None:
    assert narrate(OWN) == (
        Battle(
            *(ANNA, SIA, IDA, (Roll(101, (6, 6, 2), (4, 3)), Roll(102, (6, 4, 1), (3, 3)))),
            lost=0,
            killed=4,
            loser=BRUNO,
            moved=3,
        ),
    )


def test_attacks_on_two_territories_are_two_battles() -> None:
    other = Rolled(103, ANNA, IDA, CHN, (6, 2, 1), (6,), 1, 0)
    targets = [deed.target for deed in narrate((*OWN, other)) if isinstance(deed, Battle)]
    assert targets == [IDA, CHN]


def test_armies_that_move_in_after_an_elimination_belong_to_its_battle() -> None:
    out = Eliminated(BRUNO, ANNA, ())
    events = (Captured(ANNA, SIA, IDA, BRUNO), out, Occupied(ANNA, SIA, IDA, 5))
    battle, elimination = narrate(events)
    assert isinstance(battle, Battle)
    assert battle.moved == 5
    assert elimination == Elimination(ANNA, BRUNO, ())


def test_placements_in_a_row_are_summed_by_territory() -> None:
    events = (Placed(ANNA, SIA, 2), Placed(ANNA, IDO, 1), Placed(ANNA, SIA, 3))
    assert narrate(events) == (Placement(ANNA, ((SIA, 5), (IDO, 1))),)


def test_a_card_drawn_by_another_stays_hidden() -> None:
    drawn = (CardDrawn(BRUNO, Card("ALA")),)
    assert narrate(visible(drawn, ANNA)) == (Draw(BRUNO, None),)


def test_the_news_come_seat_by_seat() -> None:
    told = turns(visible(OTHERS, ANNA))
    assert [(turn.seat, turn.battled) for turn in told] == [("B", True), ("C", False)]


def test_the_setup_is_summed_by_seat() -> None:
    events = (Claimed(ANNA, SIA), Claimed(BRUNO, CHN), Filled(ANNA, SIA), Filled(ANNA, SIA))
    anna, bruno = shares(events)
    assert (anna.territories, anna.spots) == ((SIA,), ((SIA, 2),))
    assert (bruno.territories, bruno.spots) == ((CHN,), ())


def test_conquered_are_those_that_changed_hands_and_touched_all_that_changed() -> None:
    assert conquered((*OWN, *CLOSE)) == {IDA}
    assert touched((*OWN, *CLOSE)) == {SIA, IDA, IDO}
    assert touched((Rolled(1, ANNA, SIA, IDA, (6,), (1,), 0, 1),)) == {IDA}
