"""Each refusal with all of its facts, which letters explain it by."""

import pytest

from pbem.rules.action import (
    Action,
    Attack,
    ChooseCapital,
    Claim,
    CloseGame,
    EndTurn,
    Fill,
    Fortify,
    Occupy,
    Place,
    TakeBack,
    Trade,
)
from pbem.rules.board import Code
from pbem.rules.closing import Ending
from pbem.rules.position import Occupation, Phase
from pbem.rules.refusal import Fact, Reason
from pbem.rules.seat import Seat
from pbem.rules.state import State
from tests.rules.table import A, B, C, drawn, refusal

SIA, IDA, CHN, IDO, BRA, NGU = map(Code, ("SIA", "IDA", "CHN", "IDO", "BRA", "NGU"))
BOARD = drawn("A SIA 5, IDO 1, BRA 3; B IDA 2, CHN 1; C rest 1", hands={A: "EGY PRU ALA"})
FULL = drawn("A SIA 5; B IDA 1; C rest 1", phase=Phase.TRADE, hands={A: "EGY PRU ALA KCH WILD"})
PLACING = drawn("A SIA 5; B IDA 1; C rest 1", phase=Phase.PLACE, to_place=3)
MOVING = drawn(
    "A SIA 2, IDA 3; B CHN 1; C rest 1", occupation=Occupation(SIA, IDA, least=3, most=4)
)
CHOOSING = drawn("A SIA 5; B IDA 1; C rest 1", phase=Phase.CAPITAL, options={"goal": "capitals"})
CLAIMING = drawn("A SIA 1; B IDA 1", phase=Phase.CLAIM, reserve={A: 9, B: 9})
FILLING = drawn("A SIA 1; B rest 1", phase=Phase.FILL, reserve={A: 9, B: 9})
PLAIN = {"fortify": "none"}


@pytest.mark.parametrize(
    ("state", "action", "reason", "facts"),
    [
        (CLAIMING, Claim(IDA), Reason.NOT_FREE, {"territory": IDA, "owner": B}),
        (FILLING, Fill(IDA), Reason.NOT_YOURS, {"territory": IDA, "owner": B}),
        (FILLING, Fill(Code("XXX")), Reason.NOT_YOURS, {"territory": "XXX", "owner": ""}),
        (CHOOSING, ChooseCapital(IDA), Reason.NOT_YOURS, {"territory": IDA, "owner": B}),
        (FULL, Place(SIA, 1), Reason.MUST_TRADE, {"cards": 5}),
        (FULL, Trade((0, 1, 5)), Reason.NO_SUCH_CARD, {"cards": 5}),
        (PLACING, EndTurn(), Reason.ARMIES_LEFT, {"to_place": 3}),
        (PLACING, Place(IDA, 1), Reason.NOT_YOURS, {"territory": IDA, "owner": B}),
        (
            *(PLACING, Place(SIA, 0), Reason.TOO_FEW_ARMIES),
            {"territory": SIA, "armies": 0, "least": 1},
        ),
        (PLACING, Place(SIA, 4), Reason.TOO_MANY, {"territory": SIA, "armies": 4, "most": 3}),
        (PLACING, TakeBack(), Reason.NOTHING_PLACED, {}),
        (PLACING, Trade((0, 1, 2)), Reason.NOT_NOW, {"phase": "place"}),
        (PLACING, Claim(SIA), Reason.WRONG_PHASE, {"phase": "place"}),
        (BOARD, Attack(IDA, SIA, 1), Reason.NOT_YOURS, {"territory": IDA, "owner": B}),
        (BOARD, Attack(SIA, IDO, 1), Reason.OWN_TERRITORY, {"source": SIA, "target": IDO}),
        (
            *(BOARD, Attack(SIA, BRA, 1), Reason.OWN_TERRITORY),
            {"source": SIA, "target": BRA},
        ),
        (
            *(BOARD, Attack(SIA, NGU, 1), Reason.NOT_NEIGHBOURS),
            {"source": SIA, "target": NGU, "neighbours": (CHN, IDA)},
        ),
        (
            *(BOARD, Attack(IDO, NGU, 1), Reason.TOO_FEW_ARMIES),
            {"territory": IDO, "armies": 1, "least": 2},
        ),
        (
            *(BOARD, Attack(SIA, IDA, 4), Reason.DICE),
            {"territory": SIA, "armies": 5, "dice": 4, "least": 1, "most": 3},
        ),
        (
            *(MOVING, EndTurn(), Reason.MUST_OCCUPY),
            {"source": SIA, "target": IDA, "least": 3, "most": 4},
        ),
        (
            *(MOVING, Occupy(2), Reason.OCCUPATION),
            {"source": SIA, "target": IDA, "armies": 2, "least": 3, "most": 4},
        ),
        (BOARD, Occupy(2), Reason.NOT_NOW, {"phase": "attack"}),
        (BOARD, Fortify(IDA, SIA, 1), Reason.NOT_YOURS, {"territory": IDA, "owner": B}),
        (BOARD, Fortify(SIA, IDA, 1), Reason.NOT_YOURS, {"territory": IDA, "owner": B}),
        (
            *(BOARD, Fortify(SIA, BRA, 1), Reason.NOT_JOINED),
            {"source": SIA, "target": BRA, "reachable": (IDO,)},
        ),
        (
            *(BOARD, Fortify(SIA, IDO, 5), Reason.TOO_MANY),
            {"territory": SIA, "armies": 5, "least": 1, "most": 4},
        ),
        (
            *(BOARD, Fortify(IDO, SIA, 1), Reason.TOO_FEW_ARMIES),
            {"territory": IDO, "armies": 1, "least": 1, "most": 0},
        ),
        (BOARD, CloseGame(Ending.DRAW, B), Reason.CLOSING, {"how": "draw", "winner": B}),
        (BOARD, CloseGame("whim"), Reason.CLOSING, {"how": "whim", "winner": ""}),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, Reason) else value.value,
)
def test_facts(state: State, action: Action, reason: Reason, facts: dict[str, Fact]) -> None:
    refused = refusal(state, action)
    assert refused.reason is reason
    assert dict(refused.facts) == facts


def test_a_game_without_fortify_has_no_facts_to_tell() -> None:
    state = drawn("A SIA 5, IDO 1; B rest 1", options=PLAIN)
    assert dict(refusal(state, Fortify(SIA, IDO, 1)).facts) == {}


@pytest.mark.parametrize("action", [EndTurn(), Place(SIA, 1), Attack(SIA, IDA, 1), TakeBack()])
def test_nothing_is_played_once_the_game_is_over(action: Action) -> None:
    over = drawn("A rest 2", phase=Phase.OVER, winner=Seat("A"))
    assert refusal(over, action).reason is Reason.GAME_OVER
    assert C not in over.owner.values()
