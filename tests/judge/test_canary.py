"""What one seat may not see, marked and looked for in every part of every letter to it.

Anna holds cards, Bruno has standing orders of all sorts, each has a mission; Carla has no card and
must learn of nothing but what happens on the board. She gets every file and news that a seat can
ask for.
"""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest

from pbem.judge import calendar, overview, public_news, webhooks
from pbem.judge.acts.board import Set, SetCards
from pbem.judge.acts.clock import Extend, Pause, Remind, Resume
from pbem.judge.acts.letters import Note
from pbem.judge.acts.seats import Replace
from pbem.judge.acts.terms import ChangeOption
from pbem.judge.acts.turns import OrderFor
from pbem.judge.sweep import sweep
from pbem.rules.position import Phase
from pbem.store import games, lobby, tables
from pbem.store import webhooks as stored
from pbem.store.engine import session
from tests.judge.desk import GM, Desk, Letter
from tests.rules.table import A, B, C

HANDS = {"A": "EGY PRU WILD", "B": "ALA JPN"}
SYMBOLS = re.compile(r"\b(soldier|horse|cannon|wild|infantry|cavalry|artillery)s?\b", re.IGNORECASE)
SECRETS = re.compile(
    r"\b(defend|defence|LATE PLACE|AWAY|Feb|2026-02|the rest in China)\b", re.IGNORECASE
)
MISSIONS = {A: "asia-south-america", B: "destroy-1", C: "occupy-18x2"}
OTHERS_MISSIONS = re.compile(
    r"asia-south-america|destroy-1|Asia and South America|last territory of|somebody else does it"
)
STANDING = """defend India with 1
defend all with 2
set late place China
set trade auto
away 3 Feb to 9 Feb
set file json"""


WHISPER = "walrus"
TURNS = {"done", "mistakes", "help", "history", "stats", "press", "report", "turn-call"}
NOTES = {
    *("draw-offered", "pause-asked", "paused-by-all", "resume-asked", "resumed", "outage"),
    *("deadline-moved", "gm-note", "option-changed", "orders-for", "territory-set", "hand-set"),
    *("replaced", "paused"),
}


@pytest.fixture(scope="module", params=["turns", "notes"])
def told(request: pytest.FixtureRequest) -> Desk:
    """A game in which every service was asked for, by those who may and those who may not."""
    desk = table()
    if request.param == "turns":
        play_turns(desk)
    else:
        play_around_them(desk)
    return desk


def table() -> Desk:
    """All have given their standing orders, and Anna whispers to Bruno."""
    desk = Desk(
        "A SIA 8; B IDA 1, CHN 2; C rest 1",
        phase=Phase.TRADE,
        to_place=3,
        hands=HANDS,
        options={"goal": "missions"},
        missions=MISSIONS,
        deck="BRA QUE GRL",
        dice="6 6 6 1",
        chosen={"press": "anonymous", "pause": "7d"},
    )
    desk.say("C", "set file json")
    desk.say("B", STANDING)
    desk.say("B", "NEXT TURN\nplace the rest in China\nend")
    desk.say("A", f"set file json\nhand\norders\nsay Bruno: the {WHISPER} sings")
    return desk


def play_turns(desk: Desk) -> None:
    desk.say("A", "say all: hello\nend say\ntrade auto\nplace the rest in Siam")
    desk.say("B", "say anon: beware")
    desk.say("A", "attack India from Siam\nend")
    for mail in ("board", "hand", "orders", "set", "stats", "history 1-9", "help", "cancel", "no"):
        desk.say("C", mail)
    desk.say("C", "place 1 in Idnai\nhand\nboard")
    desk.say("A", "place 2 in Siam")
    desk.say("C", "place the rest in Brazil\nend")
    desk.say("A", "resign")
    desk.run_out()


def play_around_them(desk: Desk) -> None:
    """What players agree on, what the game master does, and what the clock tells."""
    for letter in "ABC":
        desk.say(letter, "draw" if letter == "A" else "board")
    for words in ("pause game", "resume game"):
        for letter in "ABC":
            desk.say(letter, words)
    desk.perform(OrderFor("A", "trade auto\nplace 1 in Siam"), "no mail program")
    desk.drain()
    desk.perform(Set("IDA", "B", 2), "an army too few")
    desk.perform(SetCards("A", ("EGY", "BRA")), "a card too many")
    desk.perform(ChangeOption("pace", "72h"))
    desk.perform(Extend(timedelta(hours=24)), "power cut")
    desk.perform(Remind())
    desk.perform(Note("all", "Back on Monday."))
    desk.perform(Pause())
    desk.say("C", "place 1 in Brazil")
    desk.perform(Resume())
    desk.say("A", "trade auto\nplace the rest in Siam\nend")
    desk.perform(Replace("A", "Ada <ada@people.example>:en"), "gone")
    stood = timedelta(hours=5)
    with session(desk.engine) as opened:
        begun, ended = desk.now, desk.now + stood
        opened.add(tables.Outage(began_at=begun, ended_at=ended, cause="down"))
    desk.now += stood
    sweep(desk.engine, desk.house, desk.now, lambda _name, _id: None)
    desk.say("C", "set news daily\nset address carla@new.example")
    desk.say("B", "place the rest in China\nend")
    desk.now += timedelta(days=1)
    sweep(desk.engine, desk.house, desk.now, lambda _name, _id: None)
    desk.say("C", "place the rest in Brazil\nend")


def to_carla(desk: Desk) -> Iterator[Letter]:
    yield from desk.letters("C")


def test_the_letters_are_there_to_be_searched(told: Desk) -> None:
    kinds = {letter.kind for letter in to_carla(told)}
    notes = {letter.facts["about"] for letter in told.letters("C", "note")}
    assert kinds >= TURNS or notes >= NOTES, (TURNS - kinds, NOTES - notes)


def test_carla_reads_no_card_of_anybody(told: Desk) -> None:
    own = "\n".join(letter.everything for letter in told.letters("A"))
    assert SYMBOLS.search(own), "the marks are looked for in the wrong place"
    for letter in to_carla(told):
        found = SYMBOLS.search(letter.everything)
        assert found is None, f"{letter.kind}: {found}"


def test_carla_reads_of_no_standing_order_of_others(told: Desk) -> None:
    own = "\n".join(letter.everything for letter in told.letters("B"))
    assert len(set(SECRETS.findall(own))) > 3, "the marks are looked for in the wrong place"
    for letter in to_carla(told):
        found = SECRETS.search(_without_help(letter))
        assert found is None, f"{letter.kind}: {found}"


def test_the_twin_of_a_letter_to_carla_has_an_empty_hand(told: Desk) -> None:
    twins = [letter.twin for letter in to_carla(told) if list(letter.mail.iter_attachments())]
    assert len(twins) > 10
    assert all(twin["hand"] == [] for twin in twins)


def test_carla_reads_no_mission_but_her_own(told: Desk) -> None:
    own = "\n".join(letter.everything for letter in (*told.letters("A"), *told.letters("B")))
    assert len(set(OTHERS_MISSIONS.findall(own))) > 1, "the marks are looked for in the wrong place"
    for letter in to_carla(told):
        found = OTHERS_MISSIONS.search(letter.everything)
        assert found is None, f"{letter.kind}: {found}"
        if list(letter.mail.iter_attachments()):
            assert letter.twin["mission"] == MISSIONS[C]


def test_a_choice_of_capital_is_told_to_nobody_before_all_have_chosen() -> None:
    desk = Desk(
        "A SIA 8, JPN 1; B IDA 1; C rest 1", phase=Phase.CAPITAL, options={"goal": "capitals"}
    )
    desk.say("C", "set file json")
    desk.say("A", "capital Japan")
    for mail in ("board", "hand", "orders", "history", "stats", "capital Japan"):
        desk.say("C", mail)
    for letter in desk.letters("C"):
        assert "): Japan" not in letter.everything
        assert "CAPITALS" not in letter.text
        assert letter.twin["capitals"] == {}
    desk.say("B", "capital India")
    desk.say("C", "capital Brazil")
    (told,) = desk.letters("C", "setup-result")
    assert "Red (Anna): Japan" in told.text
    assert told.twin["capitals"] == {"A": "JPN", "B": "IDA", "C": "BRA"}


def test_the_game_master_reads_neither_cards_nor_defences(told: Desk) -> None:
    for letter in told.letters(GM):
        assert SYMBOLS.search(letter.everything) is None
        assert "defend" not in letter.everything.casefold()


def test_what_commands_show_tells_nobody_that_a_small_hand_holds_a_set() -> None:
    small = Desk(phase=Phase.TRADE, to_place=3, hands={"A": "EGY PRU WILD"})
    forced = Desk(phase=Phase.TRADE, to_place=3, hands={"A": "EGY PRU WILD ALA JPN"})
    for desk, phase in ((small, "place"), (forced, "trade")):
        game = desk.game
        with session(desk.engine) as opened:
            shown = overview.show(opened, desk.house, game)
            line = overview.line(opened, game)
        assert (shown["phase"], line["phase"]) == (phase, phase)


def test_nobody_but_whom_it_is_for_reads_a_private_message(told: Desk) -> None:
    assert WHISPER in told.letters("B", "press")[0].everything
    for letter in told.letters():
        assert letter.row.seat in ("A", "B") or WHISPER not in letter.everything, letter.kind


def test_the_calendar_of_a_seat_tells_of_no_other(told: Desk) -> None:
    for letter in "ABC":
        row = told.seat(letter)
        with session(told.engine) as opened:
            shown = calendar.written(opened, told.house, row, told.now).decode()
        for secret in (SYMBOLS, SECRETS, OTHERS_MISSIONS):
            assert secret.search(shown) is None


def test_who_has_left_a_seat_gets_no_file_of_its_new_player() -> None:
    desk = Desk(chosen={"vacant": "gm"}, hands=HANDS)
    desk.say("B", "resign")
    desk.say("B", "yes")
    desk.say("B", "set file json")
    (left,) = desk.letters("bruno@people.example", "note")
    assert list(left.mail.iter_attachments()) == []


def test_no_letter_shows_the_address_of_another(told: Desk) -> None:
    for letter in told.letters():
        others = {"anna@", "bruno@", "carla@"} - {letter.row.to_address.split("@")[0] + "@"}
        assert not any(address in letter.everything for address in others)


def _without_help(letter: Letter) -> str:
    """Help tells everybody what can be written, DEFEND and AWAY with examples too."""
    return "" if letter.kind == "help" else letter.everything


def test_the_public_news_hold_no_secret_of_anybody() -> None:
    """Letters to spectators, calls of webhooks and the feed: each mark is looked for in all."""
    desk = Desk(hands=HANDS, chosen={"spectators": "yes", "press": "named"})
    game = desk.game
    with session(desk.engine) as opened:
        watcher = tables.Spectator(game_id=desk.id, address="vera@x.example", since=desk.now)
        lobby.watch(opened, watcher)
        webhooks.make(opened, game, "https://hooks.x.example/", "dora", desk.now, bytes)
    desk.say("B", "say Anna: THE-MARKED-MESSAGE\nend say\nset late place India")
    desk.say("A", "say Bruno: THE-OTHER-MARK\nend say\nend")
    game = desk.game
    with session(desk.engine) as opened:
        (call,) = webhooks.due(opened, desk.now)
        made = stored.call(opened, call[0])
        assert made is not None
        closed = games.closed_turns(opened, desk.id)
        feed = public_news.feed(opened, desk.house, game, closed, "en")
    (letter,) = desk.letters("vera@x.example")
    for told in (letter.everything, made[0].body, repr(feed)):
        assert "MARK" not in told.upper()
        assert not SYMBOLS.search(told)
        assert not re.search(r"\b(EGY|PRU|ALA|JPN)\b.*card", told)
        assert "@people.example" not in told
