"""Luck on the pages of a game: of the dice that lie open to whoever looks, and of no others."""

from collections.abc import Sequence

from pbem.rules import notation
from pbem.rules.board import Code
from pbem.rules.event import Event, Forsaken, Rolled, TerritorySet
from pbem.rules.seat import Seat
from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import ANNA
from tests.web.office import GM, Browser, Office
from tests.web.test_table import allow, run_out

A, B = Seat("A"), Seat("B")
SIAM, INDIA = Code("SIA"), Code("IDA")


def tell(office: Office, turn: int, events: Sequence[Event]) -> None:
    """Put events into the game, as those of a turn."""
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        told = [(turn, notation.event_to_json(event)) for event in events]
        games.append_events(opened, game, told, office.now, rules_version="1")


def rolls(times: int) -> list[Event]:
    """Anna rolls three sixes against Berta's two, so often."""
    roll = Rolled(1, A, SIAM, INDIA, (6, 6, 6), (5, 5), 0, 2)
    return [TerritorySet(INDIA, B, 90), *[roll] * times]


def lines(browser: Browser, path: str = "/dice") -> list[str]:
    """The rows of the table of luck, in words."""
    page = browser.page(f"/games/g1{path}")
    return [
        " ".join(row.text(separator=" ").split())
        for row in page.css("section[aria-labelledby=luck] tr")
    ]


def test_luck_is_told_in_armies_and_in_words(office: Office) -> None:
    run_out(office)
    tell(office, 1, rolls(40))
    told = lines(office.browser(ANNA))
    assert told[1] == "A Anna 40 36.8 0 +36.8"
    assert told[2].startswith("very lucky: better than 99 of 100 games")
    assert told[3] == "B Berta 40 43.2 80 -36.8"
    assert told[4].startswith("very unlucky: better than 1 of 100 games")
    assert "1 +36.8 -36.8" in told
    svg = office.browser(ANNA).page("/games/g1/dice").css_first(".luckline svg")
    assert svg is not None
    assert "Red (Anna) +36.8, Blue (Berta) -36.8." in (svg.attributes["aria-label"] or "")


def test_few_rolls_tell_nothing(office: Office) -> None:
    run_out(office)
    tell(office, 1, rolls(29))
    told = lines(office.browser(GM))
    assert told[1:3] == ["A Anna 29 - - -", "too few rolls to tell"]
    assert office.browser(GM).page("/games/g1/dice").css_first(".luckline") is None


def test_the_land_of_who_left_is_defended_by_nobody(office: Office) -> None:
    run_out(office)
    land, *dice = rolls(30)
    tell(office, 1, [land, Forsaken(B, ()), *dice])
    assert lines(office.browser(GM))[1] == "A Anna 30 27.6 0 +27.6"
    assert not any("Berta" in line for line in lines(office.browser(GM)))


def test_who_watches_late_sees_no_luck_of_the_turns_kept_back(office: Office) -> None:
    allow(office, "delayed")
    run_out(office, 2)  # the setup and turn 1, which is kept back
    tell(office, 1, rolls(40))
    assert not any("lucky" in line for line in lines(office.browser()))
    assert any("very lucky" in line for line in lines(office.browser(ANNA)))


def test_the_page_of_a_game_that_is_over_tells_luck(office: Office) -> None:
    run_out(office)
    tell(office, 1, rolls(40))
    assert lines(office.browser(ANNA), "") == []
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        game.over_at = office.now
        opened.add(game)
    assert any("very lucky" in line for line in lines(office.browser(ANNA), ""))
    assert lines(office.browser(ANNA), "?turn=0") == []
