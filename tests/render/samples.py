"""One context for every kind of letter. The cast: Anna reads, Bruno, Carla and Dita play too.

Anna must never see what Bruno, Carla and Dita hold.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any

from pbem.orders.forecast import Battle, Forecast, Line
from pbem.orders.mistake import Mistake
from pbem.orders.sheet import Ignored
from pbem.render import contexts, enclosed
from pbem.rules import board as boards
from pbem.rules.board import Code, ContinentId
from pbem.rules.card import WILD, Card
from pbem.rules.event import (
    Captured,
    CardDrawn,
    Claimed,
    Eliminated,
    Event,
    Filled,
    Fortified,
    Occupied,
    OrderRolled,
    Placed,
    Rolled,
    Traded,
    TurnEnded,
    TurnStarted,
    Won,
)
from pbem.rules.fortune import Fortune
from pbem.rules.position import Occupation, Phase
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import View, view, visible

MARKER = "--- write your orders above this line ---"
ANNA, BRUNO, CARLA, DITA = Seat("A"), Seat("B"), Seat("C"), Seat("D")
SIA, IDA, CHN, IDO, EGY, PRU, BRA = map(Code, ("SIA", "IDA", "CHN", "IDO", "EGY", "PRU", "BRA"))
NEW_ADDRESS = "anna@new.example"
DEADLINE = datetime(2025, 12, 2, 19, 0, tzinfo=UTC)
BOARD = boards.load()

RULESET = Ruleset().with_options({"fortify": "chain"})
TABLE = contexts.Table(
    game="g7",
    seats=(
        contexts.SeatLine(ANNA, "blue", "Anna"),
        contexts.SeatLine(BRUNO, "red", "Bruno"),
        contexts.SeatLine(CARLA, "green", "Carla"),
        contexts.SeatLine(DITA, "yellow", "Dita", computer=True),
    ),
    reader=ANNA,
    ruleset=RULESET,
    marker=MARKER,
)

HANDS: Mapping[Seat, tuple[Card, ...]] = {
    ANNA: (Card("EGY"), Card("PRU"), WILD),
    BRUNO: (Card("ALA"), Card("JPN")),
    CARLA: (Card("QUE"),),
    DITA: (),
}


def state() -> State:
    """Turn 23: Anna is on move with 6 armies; she holds Australia and Siam, Bruno took India."""
    seats = (ANNA, BRUNO, CARLA, DITA)
    owner = {code: seats[place % 4] for place, code in enumerate(BOARD.codes)}
    australia = BOARD.continents[ContinentId("australia")].territories
    owner |= dict.fromkeys((*australia, SIA, EGY), ANNA) | dict.fromkeys((IDA, PRU), BRUNO)
    return State(
        board_id=("classic-world", None),
        ruleset=RULESET,
        seats=seats,
        phase=Phase.TRADE,
        turn=23,
        on_turn=ANNA,
        first=ANNA,
        owner=owner,
        armies={code: 1 + place % 5 for place, code in enumerate(BOARD.codes)},
        to_place=6,
        sets_traded=2,
        next_roll=101,
        link=24,
        hands=HANDS,
        deck=(Card("GRL"), Card("ONT")),
    )


def seen(game: State | None = None, **changes: object) -> View:
    """What Anna sees of the state."""
    return replace(view(game or state(), ANNA), **changes)  # type: ignore[arg-type]  # its fields


def _consent(of: str, act: str, **fields: str) -> Mapping[str, object]:
    """A question about an act of the game master."""
    return {
        "act": act,
        "of": of,
        "by": "",
        "reason": "an army too few",
        "until": datetime(2025, 12, 8, 20, 0, tzinfo=UTC),
        "fields": fields,
        "board": (("SIA", "A 4", "A 7"),) if act == "set" else (),
    }


STARTED = TurnStarted(23, ANNA, 24, 14, 4, ((ContinentId("australia"), 2),))

OTHERS: tuple[Event, ...] = (
    TurnStarted(20, BRUNO, 21, 10, 3, ()),
    Traded(BRUNO, (Card("ALA"), Card("JPN"), Card("MEA")), 8, PRU),
    Placed(BRUNO, CHN, 3),
    Placed(BRUNO, PRU, 8),
    Rolled(90, BRUNO, CHN, IDA, (6, 2, 6), (4, 3), 0, 2),
    Rolled(91, BRUNO, CHN, IDA, (1, 2, 3), (6,), 1, 0),
    Rolled(92, BRUNO, CHN, IDA, (6, 2, 6), (4,), 0, 1),
    Captured(BRUNO, CHN, IDA, ANNA),
    Occupied(BRUNO, CHN, IDA, 3),
    Rolled(93, BRUNO, IDA, SIA, (1, 2, 3), (6, 4), 2, 0),
    CardDrawn(BRUNO, Card("BRA")),
    TurnEnded(20, BRUNO),
    TurnStarted(21, CARLA, 22, 10, 3, ()),
    Placed(CARLA, BRA, 3),
    Fortified(CARLA, BRA, Code("VEN"), 2),
    TurnEnded(21, CARLA),
)

OWN: tuple[Event, ...] = (
    Rolled(101, ANNA, SIA, IDA, (6, 6, 2), (4, 3), 0, 2),
    Rolled(102, ANNA, SIA, IDA, (6, 4, 1), (3, 3), 0, 2),
    Captured(ANNA, SIA, IDA, BRUNO),
    Occupied(ANNA, SIA, IDA, 3),
)
CLOSE: tuple[Event, ...] = (
    CardDrawn(ANNA, Card("GRL")),
    Fortified(ANNA, IDO, SIA, 3),
    TurnEnded(23, ANNA),
)

LINES = (
    contexts.Understood(
        1,
        ("place 5 in Siam, 1 in Indonesia",),
        (Placed(ANNA, SIA, 5), Placed(ANNA, IDO, 1)),
    ),
    contexts.Understood(2, ("attack India from Siam, keep 4",), OWN),
)

EXAMPLES = (
    "place 5 in Siam",
    "place the rest in Indonesia",
    "attack India from Siam, keep 4",
    "fortify 3 from Indonesia to Siam",
    "end",
)

MISTAKES = (
    Mistake(
        "E01",
        2,
        "attack Idnai from Siam",
        {"name": "Idnai", "candidates": ("IDA",), "next_to": "SIA"},
    ),
)

TURN_CALL = contexts.TurnCall(
    table=TABLE,
    view=seen(),
    step=1,
    deadline=DEADLINE,
    started=STARTED,
    since=visible(OTHERS, ANNA),
    examples=EXAMPLES,
)
DONE = contexts.Done(
    table=TABLE,
    thread="[g7] Turn 23: your move, Blue (by Tue 2 Dec 20:00)",
    view=seen(phase=Phase.ATTACK, to_place=0),
    closed=False,
    lines=LINES,
    ignored=(Ignored(3, "Hi, hope this is right", "chatter"),),
    deadline=DEADLINE,
    examples=("attack China from India", "end"),
)
CLOSED = replace(DONE, closed=True, events=CLOSE, next_seat=BRUNO, ignored=(), examples=())
FAULTY = contexts.Mistakes(
    table=TABLE,
    thread=DONE.thread,
    view=seen(),
    mistakes=MISTAKES,
    understood=(contexts.Understood(1, ("place 5 in Siam, 1 in Indonesia",)),),
    ignored=DONE.ignored,
    corrected=(
        contexts.Proposed("place 5 in Siam, 1 in Indonesia"),
        contexts.Proposed("attack India from Siam", Fraction(82, 100), full_dice=True),
        contexts.Proposed("end"),
    ),
    deadline=DEADLINE,
    rules=("https://play.example.org/rules#attack", "https://play.example.org/rules#fortify"),
)

TRIED = Forecast(
    lines=(
        Line(1, "place 6 in Siam", 1.0),
        Line(
            2,
            "attack India from Siam, move in the least",
            1.0,
            (Battle(SIA, IDA, 1.0, 0.82, 6.9, 0.5, 2.1, 3.5, 0.888),),
            full_dice=True,
        ),
        Line(3, "if India captured: stop", 0.82, missed={"guard-false": 0.18}),
    ),
    captured=0.82,
    paused=0.0,
)
PREVIEW = contexts.Preview(
    table=TABLE,
    thread=DONE.thread,
    view=seen(),
    forecast=TRIED,
    ignored=DONE.ignored,
    deadline=DEADLINE,
)

SPAN: Mapping[str, contexts.Told] = {"began": DEADLINE, "ended": DEADLINE}
CLOCK: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "outage": ("outage", {**SPAN, "cause": "down", "before": DEADLINE, "after": DEADLINE}),
    "held": ("outage", {**SPAN, "cause": "held", "before": DEADLINE, "after": DEADLINE}),
    "clock-stood": ("clock-stood", {**SPAN, "cause": "down"}),
    "clock-held": ("clock-held", {"missing": 24, "waiting": 30}),
    "stale": ("stale", {"closes": DEADLINE}),
    "stale-closed": ("stale-closed", {}),
    **{
        f"last-chance-{vacant}": (
            "last-chance",
            {"deadline": DEADLINE, "times": 2, "vacant": vacant},
        )
        for vacant in ("computer", "neutral", "replacement")
    },
    **{
        f"taken-{how}-{seat}": ("taken", {"seat": seat, "how": how, "game": "g7"})
        for how in ("computer", "neutral", "replacement")
        for seat in (ANNA, BRUNO)
    },
    "came-back": ("came-back", {"seat": BRUNO, "game": "g7"}),
    "time-bank": ("time-bank", {"deadline": DEADLINE}),
    "draw-offered": ("draw-offered", {"seat": BRUNO, "waiting": (ANNA, CARLA)}),
    "pause-asked": ("pause-asked", {"seat": BRUNO, "waiting": (ANNA,), "days": 14}),
    "paused-by-all": ("paused-by-all", {"until": DEADLINE}),
    "resume-asked": ("resume-asked", {"seat": BRUNO, "waiting": (ANNA,)}),
    "resigned-neutral": ("resigned", {"seat": BRUNO, "name": "Bruno", "how": "neutral"}),
    "resigned-replacement": ("resigned", {"seat": BRUNO, "name": "Bruno", "how": "replacement"}),
}
"""Notes of the clock and of what comes of it: the sample's name, what it is about, its facts."""

NOTICES: Mapping[str, Mapping[str, Any]] = {
    "not-started": {"missing": (CARLA, DITA)},
    "declined": {"seat": CARLA},
    "unanswered": {"seats": (CARLA, DITA), "names": ("Carla", "Dita")},
    "computer-failed": {"seat": DITA, "codes": ("E03",)},
    "unasked": {"seat": CARLA},
    "offered": {"seat": CARLA},
    "cancelled": {"by": "Dora"},
    "paused": {"by": "Dora", "until": DEADLINE},
    "resumed": {"deadline": DEADLINE},
    "deadline-moved": {
        "by": "Dora",
        "before": DEADLINE,
        "after": DEADLINE + timedelta(hours=24),
        "reason": "power cut",
    },
    "override": {"by": "Dora", "what": "a mail was corrected", "reason": "power cut"},
    "rolled-back": {
        "by": "",
        "turn": 22,
        "seat": "B",
        "undone": 24,
        "dice": "new",
        "times": 2,
        "reason": "wrong map",
    },
    "gm-note": {"by": "Dora", "lines": ("Back on Monday.", "Good luck!"), "reason": ""},
    "language": {"by": "", "reason": ""},
    "turn-closed": {"by": "", "seat": "B", "turn": 23, "reason": "too long"},
    "orders-for": {"by": "", "seat": "B", "reason": "no mail program"},
    "option-changed": {"by": "", "name": "pace", "before": "48h", "after": "72h", "reason": ""},
    "territory-set": {
        "by": "",
        "territory": "SIA",
        "before_seat": "B",
        "before_armies": 1,
        "seat": "A",
        "armies": 4,
        "reason": "an army too few",
    },
    "hand-set": {"by": "", "seat": "B", "cards": 2, "reason": "a card too many"},
    "made-neutral": {"by": "", "seat": "C", "reason": "gone"},
    "gm-done": {"lines": ("EXTEND 24h", "NOTE ALL: back on Monday")},
    "gm-mistakes": {
        "wrong": (
            {"line": "EXTEND soon", "code": "bad-span", "facts": {"field": "by", "value": "soon"}},
        )
    },
    "gm-help": {"commands": ("PAUSE [until]", "EXTEND by"), "word": "REASON"},
    "gm-confirm": {
        "sender": "dora@example.net",
        "received": datetime(2025, 12, 1, 18, 30, tzinfo=UTC),
        "lines": ("EXTEND 24h",),
    },
    "gm-dropped": {},
    "gm-yes-or-no": {},
    "gm-settled": {},
    "consent-asked": _consent("players", "set", territory="SIA", owner="A", armies="7"),
    "consent-noted": _consent("players", "rollback", to="1431", new_dice="yes"),
    "consent-given": _consent("gm", "rerun", turn="22"),
    "consent-refused": _consent("gm", "hand", seat="C", cards="3"),
    "consent-withdrawn": _consent("gm", "end", winner="A"),
    "consent-failed": {**_consent("gm", "end"), "code": "over", "facts": {}},
    "consent-lapsed": _consent("gm", "draw"),
    "consent-over": _consent("gm", "rerun"),
    "missed": {"seat": CARLA, "times": 2},
    "bounced": {"seat": CARLA, "said": "550 5.1.1 no such user"},
    "set-aside": {"reason": "it took too long to read"},
    "replaced": {"seat": CARLA, "before": "Carla", "after": "Emil"},
    "resigned": {"seat": DITA, "name": "Dita"},
    "away": {"seat": CARLA, "first": date(2025, 12, 3), "last": date(2025, 12, 9)},
    "silenced": {"seat": CARLA},
    "reveal": {"by": "", "reason": "a complaint"},
    "robot": {"seat": CARLA, "times": 5},
    "unreached": {"seat": CARLA, "late": False},
    "refused": {"domain": "example.net", "said": "550 5.7.1 policy"},
    "stopped": {"what": "news"},
    "move-asked": {"seat": ANNA, "side": "old", "address": NEW_ADDRESS, "by_gm": False},
    "move-waits": {"seat": ANNA, "side": "old", "address": NEW_ADDRESS, "by_gm": False},
    "moved": {"seat": ANNA, "side": "new", "address": NEW_ADDRESS, "by_gm": False},
    "move-declined": {"seat": ANNA, "side": "old", "address": NEW_ADDRESS, "by_gm": False},
    "move-bounced": {"seat": ANNA, "side": "old", "address": NEW_ADDRESS, "by_gm": False},
    "move-over": {"seat": ANNA, "side": "old", "address": NEW_ADDRESS, "by_gm": False},
}

_SERVED: tuple[tuple[str, Mapping[str, contexts.Told]], ...] = (
    ("set", {"key": "BOARD", "value": "LIST"}),
    ("set", {"key": "TRADE", "value": "AUTO"}),
    ("set", {"key": "ON FAIL", "value": "STOP"}),
    ("set", {"key": "LATE", "value": "PLACE SIA", "place": "SIA"}),
    ("defend", {"where": "all", "dice": 2, "at_most": None}),
    ("defend", {"where": "neutral", "dice": 1, "at_most": None}),
    ("defend", {"where": "asia", "dice": 2, "at_most": None}),
    ("defend", {"where": "IDA", "dice": 1, "at_most": 2}),
    ("away", {"first": date(2025, 12, 3), "last": date(2025, 12, 9)}),
    ("said", {"to": (BRUNO, CARLA), "text": "peace?", "anonymous": False, "cut": True}),
    ("said", {"to": (), "text": "peace?", "anonymous": True, "cut": False}),
    ("address-asked", {"value": "anna@new.example"}),
    ("resign-asked", {}),
    ("newkey", {}),
    ("silenced", {}),
    ("letters-again", {}),
    ("shown", {}),
)
SERVED = tuple(contexts.Served(code, facts) for code, facts in _SERVED)
REFUSED = tuple(
    contexts.Served(code, {"value": "x", "most": 20}, refused=True)
    for code in (
        *("address-unreadable", "address-same", "address-taken", "address-many"),
        *("zone-unknown", "name-taken", "name-empty", "news-daily"),
        *("remind-unreadable", "late-place", "defence-fixed", "away-unreadable", "away-order"),
        *("away-long", "press-none", "press-named", "press-nobody", "press-empty", "press-many"),
        *("resign-alone", "resign-not-now", "history-none", "not-in-this-game"),
    )
)
HISTORY = enclosed.HistoryPage(
    turns=(
        enclosed.TurnTold(0, None, (Claimed(ANNA, SIA), Claimed(BRUNO, IDA), Filled(ANNA, SIA))),
        enclosed.TurnTold(20, BRUNO, visible(OTHERS[:12], ANNA)),
        enclosed.TurnTold(23, ANNA, OWN),
    ),
    more=24,
)
FORTUNE = Fortune(rolls=212, lost=151, expected=163.2, variance=81.0)
TALLIES = tuple(
    enclosed.Tally(seat, (71, 65, 70, 58, 66, 60), killed=140, captures=31, fortune=fortune)
    for seat, fortune in (
        (ANNA, FORTUNE),
        (BRUNO, replace(FORTUNE, lost=190)),
        (CARLA, replace(FORTUNE, lost=165)),
        (DITA, replace(FORTUNE, rolls=12)),
    )
)
STATS = enclosed.StatsPage(
    tallies=TALLIES,
)
STANDING = enclosed.StandingPage(
    orders=("SET LATE PLACE Siam", "DEFEND India WITH 1 WHEN AT MOST 2"),
    next_turn=("place the rest in Siam",),
)

PACE = timedelta(hours=48)
BEFORE = seen(phase=Phase.CLAIM, turn=0, to_place=0, owner={}, armies={}, reserve={ANNA: 30})
ROLLED = OrderRolled(
    (((ANNA, 6), (BRUNO, 6), (CARLA, 2), (DITA, 1)), ((ANNA, 5), (BRUNO, 3))), ANNA
)

SAMPLES: Mapping[str, contexts.Letter | contexts.NotUnderstood] = {
    "turn-call": TURN_CALL,
    "done": DONE,
    "done-closed": CLOSED,
    "done-waiting": replace(DONE, view=seen(on_turn=BRUNO, turn=24), lines=(), examples=()),
    "done-repeated": replace(DONE, lines=(), repeated=DEADLINE),
    "done-corrected": replace(DONE, correction=contexts.Correction(date(2025, 12, 1), "a typo")),
    "done-corrected-unsaid": replace(DONE, correction=contexts.Correction(date(2025, 12, 1))),
    "done-setup": replace(
        DONE,
        view=BEFORE,
        lines=(contexts.Understood(1, ("claim Australia, Siam",)),),
        examples=(),
        listed=True,
    ),
    "done-setup-ran": replace(
        DONE,
        view=seen(turn=1, on_turn=BRUNO),
        lines=(contexts.Understood(1, ("claim Australia, Siam",)),),
        examples=(),
        listed=True,
    ),
    "done-setup-asked": replace(DONE, view=BEFORE, lines=(), examples=()),
    "preview": PREVIEW,
    "preview-out-of-turn": replace(PREVIEW, view=seen(on_turn=BRUNO, turn=24), supposed=True),
    "preview-branchy": replace(
        PREVIEW,
        forecast=replace(TRIED, lines=TRIED.lines[:1], paused=0.1, blank_cards=True, branchy=2),
    ),
    "mistakes": FAULTY,
    "mistakes-in-dutch": replace(FAULTY, tongue="nl", corrected=None, understood=()),
    "not-understood-in-dutch": contexts.NotUnderstood(
        reason="empty", table=TABLE, facts={"language": "nl"}
    ),
    "mistakes-stale": replace(
        FAULTY,
        mistakes=(
            Mistake("E20", None, facts={"step": 2, "turn": 23, "current": 4, "current_turn": 23}),
        ),
        board=True,
    ),
    "turn-call-dropped": replace(TURN_CALL, dropped=MISTAKES),
    "paused": contexts.Paused(
        table=TABLE,
        thread=DONE.thread,
        view=seen(hand=(*HANDS[ANNA], Card("ALA"), Card("JPN"), Card("QUE")), mid_turn=True),
        reason="trade",
        lines=LINES,
        eliminated=BRUNO,
        kept=("attack China from India",),
        examples=("trade auto", "place the rest in India", "continue"),
        deadline=DEADLINE,
    ),
    "paused-placing": contexts.Paused(
        table=TABLE, thread=DONE.thread, view=seen(phase=Phase.PLACE), reason="trade"
    ),
    "paused-occupy": contexts.Paused(
        table=TABLE,
        thread=DONE.thread,
        view=seen(phase=Phase.ATTACK, occupation=Occupation(SIA, IDA, 3, 6)),
        reason="occupy",
        examples=("move in 6",),
    ),
    "invitation": contexts.Invitation(
        table=TABLE, inviter="Bruno", deadline=DEADLINE, pace=PACE, commitment="8a" * 32
    ),
    "joined": contexts.Joined(
        table=TABLE,
        taken=3,
        waiting=(CARLA,),
        deadline=DEADLINE,
        calendar="https://games.example.org/calendar/g7.a.calendar.abcdefghijklmnop.ics",
    ),
    "setup-call": contexts.SetupCall(
        table=TABLE,
        view=BEFORE,
        deadline=DEADLINE,
        rolled=ROLLED,
        examples=("claim Australia, Siam, South America, nearest", "avoid Asia", "fill Siam 6"),
    ),
    "setup-result": contexts.SetupResult(
        table=TABLE,
        view=seen(turn=1, phase=Phase.PLACE),
        events=(
            Claimed(ANNA, SIA),
            Claimed(BRUNO, CHN),
            Claimed(ANNA, IDO),
            Filled(ANNA, SIA),
            Filled(BRUNO, CHN),
            Filled(ANNA, SIA),
        ),
        next_seat=ANNA,
        deadline=DEADLINE,
    ),
    "reminder": contexts.Reminder(
        table=TABLE,
        thread=DONE.thread,
        view=seen(),
        deadline=DEADLINE,
        left=timedelta(hours=24),
        late=contexts.Late("place", SIA),
    ),
    "late": contexts.TurnRanOut(
        table=TABLE,
        view=seen(on_turn=BRUNO, turn=24),
        turn=23,
        events=(Placed(ANNA, SIA, 6), CardDrawn(ANNA, Card("GRL")), TurnEnded(23, ANNA)),
        late=contexts.Late("nothing"),
        missed=2,
        next_seat=BRUNO,
    ),
    "report": contexts.Report(
        table=TABLE,
        view=seen(on_turn=CARLA),
        turn=20,
        seat=BRUNO,
        events=visible(OTHERS[:12], ANNA),
        next_seat=CARLA,
        deadline=DEADLINE,
    ),
    "eliminated": contexts.Out(
        table=TABLE, view=seen(eliminated=(ANNA,), hand=()), turn=22, by=CARLA
    ),
    "game-over": contexts.GameOver(
        table=TABLE,
        view=seen(phase=Phase.OVER, winner=ANNA),
        turn=23,
        winner=ANNA,
        commitment="8a" * 32,
        deck_seed="41" * 32,
        links=(contexts.Revealed(24, "c0" * 32),),
        luck="mango,-,42,-",
        final=(*OWN, Eliminated(BRUNO, ANNA, HANDS[BRUNO]), Won(ANNA, "world")),
        tallies=TALLIES,
    ),
    **{
        f"game-over-{how}": contexts.GameOver(
            table=TABLE,
            view=seen(phase=Phase.OVER, winner=winner),
            turn=23,
            winner=winner,
            commitment="8a" * 32,
            deck_seed="41" * 32,
            links=(contexts.Revealed(24, "c0" * 32),),
            final=OWN,
            how=how,
            reason="2 : 1",
        )
        for how, winner in (("draw", None), ("round-limit", ANNA), ("stalled", None), ("gm", None))
    },
    "confirm": contexts.Confirm(
        table=TABLE, sender="anna@other.example", received=DEADLINE, held=("place 5 in Siam",)
    ),
    "confirm-last": contexts.Confirm(
        table=TABLE, sender="anna@other.example", received=DEADLINE, last=True
    ),
    "done-served": replace(
        DONE,
        lines=(),
        served=SERVED + REFUSED,
        pages=(STANDING, HISTORY, STATS, enclosed.HelpPage(topic="attack"), enclosed.HandPage()),
    ),
    "done-invited": replace(DONE, view=replace(BEFORE, phase=Phase.INVITED), lines=()),
    "mistakes-played": replace(FAULTY, understood=LINES, corrected=None, board=True, played=True),
    "note-resigned-oneself": contexts.Notice(
        table=TABLE, about="resigned", facts={"seat": ANNA, "name": "Anna"}
    ),
    "note-resigned-to-gm": contexts.Notice(
        table=TABLE, about="resigned", facts={"seat": CARLA, "name": "Carla"}
    ),
    "mistakes-service": replace(
        FAULTY,
        mistakes=(Mistake("E27", 1, "AWAY", {"refused": "away-season", "left": 3}),),
        corrected=None,
    ),
    "history": contexts.History(table=TABLE, thread=DONE.thread, view=seen(), pages=(HISTORY,)),
    "stats": contexts.Stats(table=TABLE, thread=DONE.thread, view=seen(), pages=(STATS,)),
    "press": contexts.Press(table=TABLE, sender=BRUNO, to=(ANNA, CARLA), text="place 5\n\nin Siam"),
    "press-all": contexts.Press(table=TABLE, sender=BRUNO, to=(), text="hello"),
    "press-hidden": contexts.Press(table=TABLE, sender=None, to=(), text="attack India"),
    "help-topic": contexts.Help(table=TABLE, thread=DONE.thread, topic="weather"),
    "help": contexts.Help(table=TABLE, thread=DONE.thread, examples=EXAMPLES),
    "not-understood": contexts.NotUnderstood(reason="stranger"),
    "not-understood-seat": contexts.NotUnderstood(
        reason="empty", table=TABLE, examples=("place the rest in Siam", "end")
    ),
    "invitation-again": contexts.Invitation(
        table=TABLE, inviter="", deadline=DEADLINE, pace=PACE, commitment="8a" * 32
    ),
    "invitation-at-eight": contexts.Invitation(
        table=TABLE,
        inviter="Bruno",
        deadline=DEADLINE,
        pace=PACE,
        ends_at=("08:00", "20:00"),
        commitment="8a" * 32,
    ),
    "daily": contexts.DailyNews(
        table=TABLE,
        view=seen(on_turn=CARLA),
        events=visible(OTHERS, ANNA),
        next_seat=CARLA,
        deadline=DEADLINE,
    ),
    **{
        f"note-{about}": contexts.Notice(table=TABLE, about=about, facts=facts)
        for about, facts in NOTICES.items()
    },
    **{
        f"note-{name}": contexts.Notice(table=TABLE, about=about, facts=facts)
        for name, (about, facts) in CLOCK.items()
    },
}
"""By name; the name begins with the kind."""
