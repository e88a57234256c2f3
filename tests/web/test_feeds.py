"""The calendar at its address, as calendar programs ask for it: without a login."""

from urllib.parse import urlsplit

from pbem.judge import calendar
from pbem.store import games
from pbem.store.engine import session
from tests.web.office import Office


def address(office: Office, letter: str = "A") -> str:
    with session(office.engine) as opened:
        seat = games.seat(opened, 1, letter)
    assert seat is not None
    return urlsplit(calendar.link(office.parlour.house, seat)).path


def test_a_calendar_needs_its_address_only(office: Office) -> None:
    answer = office.browser().get(address(office))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/calendar")
    assert answer.text.startswith("BEGIN:VCALENDAR")


def test_an_address_that_is_none_shows_the_friendly_page(office: Office) -> None:
    answer = office.browser().get(address(office).replace(".a.", ".b."))
    assert answer.status_code == 404
    assert "<h1" in answer.text
