"""A year of a game of six: every reminder, miss, absence, weekend and change of the hour.

The expected moments come from an oracle that walks minute by minute; the named days of the year
stand in a table besides.
"""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from tests.judge.year import HOUR, MINUTE, SECOND, Turn, Year, at, facts

ROME = ZoneInfo("Europe/Rome")
BEGIN, END = at("2026-01-07 09:00"), at("2027-01-07 09:00")
SETTLING = timedelta(seconds=2)
AWAY = (date(2026, 8, 3), date(2026, 8, 16))
BACK = at("2026-03-16 10:00")


def open_at(moment: datetime) -> bool:
    local = moment.astimezone(ROME)
    clock = (local.hour, local.minute, local.second)
    return local.weekday() < 5 and (8, 0, 0) <= clock <= (22, 0, 0)


def expected_end(called: datetime, seat: str) -> datetime:
    """24 hours of working days later, moved on to where the game is open and the seat is there."""
    moment, left = called, 24 * 60
    while left:
        if moment.astimezone(ROME).weekday() < 5:
            left -= 1
        moment += MINUTE
    while not open_at(moment):
        moment += MINUTE - timedelta(seconds=moment.second)
    if seat == "D" and AWAY[0] <= moment.astimezone(ROME).date() <= AWAY[1]:
        hour = moment.astimezone(ROME).time()
        moment = datetime.combine(AWAY[1] + timedelta(days=1), hour, ROME).astimezone(UTC)
    return moment


@pytest.fixture(scope="module")
def year() -> Year:
    """A answers in the afternoon, B and E shortly before the end, D at night, F skips some days.

    C never answers, is taken in the third round, and comes back in March for good.
    """
    manners = {
        "A": lambda _called, end: end - 6 * HOUR,
        "B": lambda _called, end: end - HOUR,
        "C": lambda called, _end: called + HOUR if called > BACK else None,
        "D": lambda called, _end: called + 13 * HOUR + 7 * MINUTE,
        "E": lambda _called, end: end - 2 * SECOND,
        "F": lambda called, end: None if called.month == 5 and called.day < 14 else end - 4 * HOUR,
    }
    mails = {
        at("2026-02-02 08:30"): ("A", "set news daily"),
        BACK: ("C", "I am back"),
        at("2026-07-20 10:00"): ("D", "away 2026-08-03 to 2026-08-16"),
    }
    played = Year(
        BEGIN,
        manners,
        mails,
        zone="Europe/Rome",
        days="mon-fri",
        hours="8-22",
        pace="24h",
        stalled="0s",
        late_after="2",
    )
    played.run(END)
    return played


def of(year: Year, seat: str) -> list[Turn]:
    return [turn for turn in year.turns if turn.seat == seat]


def test_the_year_is_played_to_its_end(year: Year) -> None:
    assert year.game.over_at is None
    assert year.turns[-1].called > END - timedelta(days=4)
    assert len(year.turns) > 200


def test_every_turn_ends_at_its_minute(year: Year) -> None:
    for turn in year.turns:
        first = turn.moved[0] if turn.moved else turn.deadline
        if turn.called == BACK:
            continue
        late = abs(first - expected_end(turn.called, turn.seat))
        assert late < MINUTE, (turn, expected_end(turn.called, turn.seat))
        assert open_at(turn.deadline)


@pytest.mark.parametrize(("change", "offset"), [(date(2026, 3, 29), 2), (date(2026, 10, 25), 1)])
def test_a_turn_over_a_change_of_the_hour_has_its_whole_time(
    year: Year, change: date, offset: int
) -> None:
    """The change is on a Sunday, whose hours do not count, so the wall shows the same time."""
    over = [t for t in year.turns if t.called.date() < change < t.deadline.date()]
    assert over
    for turn in over:
        begun, ended = turn.called.astimezone(ROME), turn.deadline.astimezone(ROME)
        assert ended.utcoffset() == timedelta(hours=offset) != begun.utcoffset()
        if open_at(turn.called):
            assert begun.time() == ended.time()


def test_reminders_come_at_their_minute_and_only_to_who_needs_them(year: Year) -> None:
    wanted = []
    for turn in year.turns:
        for place, before in enumerate((12, 3)):
            moment = turn.deadline - before * HOUR
            open_still = turn.closed is None or moment < turn.closed
            if moment > turn.called and open_still and moment < END:
                sent = turn.answered is not None and turn.answered < moment
                if not (place and sent):
                    wanted.append((turn.seat, turn.number, moment))
    got = [(r.seat, r.recipe["turn"], r.created_at) for r in year.letters("reminder")]
    assert Counter(got).most_common(1)[0][1] == 1
    assert sorted(got) == sorted(wanted)


def test_no_letter_is_written_twice_and_none_after_its_deadline(year: Year) -> None:
    keys = Counter(
        (r.kind, r.seat, r.recipe.get("turn"), r.to_address, r.key) for r in year.letters()
    )
    assert max(keys.values()) == 1
    ends = {turn.number: turn.deadline for turn in year.turns}
    for row in year.letters("reminder"):
        assert row.created_at < ends[row.recipe["turn"]]


def test_a_turn_that_nobody_answers_runs_out_at_its_deadline(year: Year) -> None:
    silent = [t for t in year.turns if t.answered is None and t.closed and t.closed <= END]
    late = {r.recipe["facts"]["turn"]: r.created_at for r in year.letters("late")}
    assert set(late) == {t.number for t in silent if t.called != BACK}
    for turn in silent:
        if turn.called != BACK:
            assert late[turn.number] == turn.deadline + SETTLING
    assert {t.seat for t in silent} == {"C", "F"}


def test_the_ladder_of_misses(year: Year) -> None:
    """The first is C's own affair, with the second the GM is told, the third takes the seat."""
    misses = year.letters("late", to="C")[:3]
    assert [facts(r)["missed"] for r in misses] == [1, 2, 3]
    told = [r for r in year.notes("missed") if facts(r)["told"]["seat"] == "C"]
    assert [r.created_at for r in told] == [misses[1].created_at, misses[2].created_at]
    (warned,) = year.notes("last-chance", to="C")
    third = [t for t in year.turns if t.seat == "C"][2]
    left = third.deadline - warned.created_at
    assert left == min(24 * HOUR, (third.deadline - third.called) / 4)
    taken = [r for r in year.notes("taken") if facts(r)["told"]["seat"] == "C"]
    assert {r.created_at for r in taken} == {misses[2].created_at}
    assert sorted(r.seat or r.to_address for r in taken) == [*"ABCDEF", "dora@house.example"]


def test_one_mail_is_the_way_back(year: Year) -> None:
    between = [t for t in year.turns if t.seat == "C" and t.called < BACK]
    assert len(between) == 3, "the computer needs no deadline"
    assert [r.created_at for r in year.notes("came-back")] == [BACK] * 6
    after = [t for t in year.turns if t.seat == "C" and t.called > BACK]
    assert after
    assert all(t.answered for t in after if t.closed)
    assert not year.seat("C").computer


def test_some_misses_within_the_window_are_forgiven_later(year: Year) -> None:
    """F is away in May: for some turns, and six rounds later they do not count any more."""
    missed = [facts(r)["missed"] for r in year.letters("late", to="F")]
    assert missed
    assert max(missed) <= 3
    assert not year.seat("F").computer


def test_an_absence_moves_the_deadline_to_the_day_after(year: Year) -> None:
    away = [t for t in of(year, "D") if AWAY[0] <= t.called.date() <= AWAY[1]]
    assert away
    assert {t.deadline.astimezone(ROME).date() for t in away} == {date(2026, 8, 17)}
    assert [r.created_at for r in year.notes("away")] == [at("2026-07-20 10:00")]
    assert year.notes("away")[0].to_address == "dora@house.example"


def test_daily_news_come_once_a_day_at_eight_in_the_readers_zone(year: Year) -> None:
    daily = [r for r in year.letters("report", to="A") if facts(r).get("daily")]
    assert len(daily) > 100
    days = [r.created_at.astimezone(ROME) for r in daily]
    assert {(d.hour, d.minute) for d in days} == {(8, 0)}
    assert len({d.date() for d in days}) == len(days)
    spans = [r.recipe["events"] for r in daily]
    assert all(one[1] < other[0] for one, other in pairwise(spans))
    single = [r for r in year.letters("report", to="A") if not facts(r).get("daily")]
    assert all(r.created_at < at("2026-02-02 08:31") for r in single)
