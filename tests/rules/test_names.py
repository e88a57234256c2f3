"""Names that games, records and programs of others hold: they never become other ones."""

from collections.abc import Iterable

import pytest

from pbem.rules.card import Symbol
from pbem.rules.closing import Ending
from pbem.rules.position import Phase
from pbem.rules.record import FORMAT, TAGS
from pbem.rules.refusal import Reason

PHASES = "invited claim fill capital trade place attack fortify over"
ENDINGS = "draw round-limit stalled gm"
SYMBOLS = "infantry cavalry artillery wild"
REASONS = (
    "game-over wrong-phase not-yours not-free too-many armies-left not-neighbours own-territory"
    " too-few-armies dice occupation must-occupy must-trade no-set no-such-card not-now bonus"
    " not-joined no-fortify rolled nothing-placed closing forsaking overrule last-territory"
    " card-elsewhere used-link"
)


@pytest.mark.parametrize(
    ("names", "told"),
    [(Phase, PHASES), (Ending, ENDINGS), (Symbol, SYMBOLS), (Reason, REASONS)],
    ids=["phases", "endings", "symbols", "reasons"],
)
def test_each_has_its_name_in_lower_case_with_hyphens(names: Iterable[str], told: str) -> None:
    assert [str(name) for name in names] == told.split()


def test_a_record_begins_with_its_format_and_these_tags() -> None:
    assert FORMAT == "conquest/1"
    tags = "Record Game Board BoardText Rules Seats DiceCommit DeckCommit Luck DeckSeed"
    assert list(TAGS) == tags.split()
