"""Boards of other makers: one text is one row, and a name is that of the newest."""

from datetime import datetime, timedelta

from sqlalchemy import Engine

from pbem.store import boards
from pbem.store.engine import session

LATER = timedelta(days=1)


def test_a_board_is_found_by_its_checksum_and_by_its_name(engine: Engine, noon: datetime) -> None:
    with session(engine) as opened:
        boards.keep(opened, "aa", "sea", "the text", by="dora", now=noon)
    with session(engine) as opened:
        assert boards.source(opened, "aa") == "the text"
        assert boards.source(opened, "bb") is None
        found = boards.named(opened, "sea")
        assert found is not None
        assert (found.checksum, found.by, found.imported_at) == ("aa", "dora", noon)
        assert boards.named(opened, "land") is None


def test_a_newer_board_takes_the_name_and_the_older_stays(engine: Engine, noon: datetime) -> None:
    with session(engine) as opened:
        boards.keep(opened, "aa", "sea", "old", by="dora", now=noon)
    with session(engine) as opened:
        boards.keep(opened, "bb", "sea", "new", by="dora", now=noon + LATER)
    with session(engine) as opened:
        found = boards.named(opened, "sea")
        assert found is not None
        assert found.checksum == "bb"
        assert boards.source(opened, "aa") == "old"
        assert [row.checksum for row in boards.listing(opened)] == ["bb"]


def test_the_same_board_again_is_the_same_row_with_its_name_back(
    engine: Engine, noon: datetime
) -> None:
    for checksum in ("aa", "bb", "aa", "aa"):
        with session(engine) as opened:
            boards.keep(opened, checksum, "sea", checksum, by="dora", now=noon)
    with session(engine) as opened:
        assert [row.checksum for row in boards.listing(opened)] == ["aa"]


def test_boards_are_listed_by_name(engine: Engine, noon: datetime) -> None:
    with session(engine) as opened:
        for checksum, name in (("aa", "sea"), ("bb", "land"), ("cc", "moon")):
            boards.keep(opened, checksum, name, checksum, by="dora", now=noon)
        assert [row.name for row in boards.listing(opened)] == ["land", "moon", "sea"]
