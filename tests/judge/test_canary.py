"""What one seat may not see, marked and looked for in every part of every letter to it.

Anna holds cards, Bruno has standing orders of all sorts, each has a mission; Carla has no card and
must learn of nothing but what happens on the board. She gets every file and news that a seat can
ask for.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import cache

import pytest

from pbem.judge import bounced, calendar, compose, login, overview, public_news, webhooks
from pbem.judge.acts import performing
from pbem.judge.acts.act import Act
from pbem.judge.acts.board import Set, SetCards
from pbem.judge.acts.clock import Extend, Pause, Remind, Resume
from pbem.judge.acts.letters import Note
from pbem.judge.acts.performing import Performed, Waiting
from pbem.judge.acts.rollback import Rollback
from pbem.judge.acts.seats import Replace
from pbem.judge.acts.terms import ChangeOption
from pbem.judge.acts.turns import OrderFor
from pbem.judge.gm import Why
from pbem.judge.outcome import kind_of
from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.judge.sweep import sweep
from pbem.mail import errand, gm_address
from pbem.mail.bounces import Bounced
from pbem.mail.errand import Purpose
from pbem.rules.position import Phase
from pbem.store import appointments, games, lobby, outbox, snapshots, tables
from pbem.store import webhooks as stored
from pbem.store.engine import session
from pbem.store.tables import Office, SeatStatus
from tests.judge.desk import GM, Desk, Letter
from tests.judge.rewind import Rewind
from tests.rules.table import A, B, C

EMIL = "emil@x.example"
PEOPLE = {"A": "anna", "B": "bruno", "C": "carla"}
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


CLOCK = {"taken", "stopped", "stale"}
ASKED = {"consent-asked", "consent-noted", "consent-over", "hand-set"}
TO_GM = {
    *("missed", "taken", "unreached", "bounced", "silenced", "set-aside", "stale", "came-back"),
    *("consent-asked", "consent-given", "consent-refused", "gm-confirm", "gm-help", "press"),
    *("gm-mistakes", "gm-done"),
}


class Told:
    """A game in which every service was asked for, by those who may and those who may not."""

    def __init__(self, scene: str) -> None:
        self.desk = table(**CHOSEN.get(scene, {}))
        SCENES[scene](self.desk)
        self._letters = self.desk.letters()

    def letters(self, to: str | None = None, kind: str | None = None) -> list[Letter]:
        """All letters, or those to a seat or an address, or of a kind: written once."""
        return [
            one
            for one in self._letters
            if to in (None, one.row.seat, one.row.to_address) and kind in (None, one.kind)
        ]


scene = cache(Told)
"""One of the `SCENES`, played once."""


@pytest.fixture(params=["turns", "notes", "clock", "asked"])
def told(request: pytest.FixtureRequest) -> Told:
    return scene(request.param)


CHOSEN: Mapping[str, Mapping[str, str]] = {
    "clock": {"time_bank": "24h", "vacant": "neutral", "late_after": "1", "stalled": "5d"},
    "asked": {"consent": "players"},
}


def table(**chosen: str) -> Desk:
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
        chosen={"press": "anonymous", "pause": "7d", **chosen},
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


def play_by_the_clock(desk: Desk) -> None:
    """Turns that run out, seats that are taken and given back, letters that do not arrive."""
    for mail in ("board", "hand", "orders", "set", "stats", "history 1-9", "board", "hand"):
        desk.say("C", mail)
    desk.say("A", "trade auto\nplace the rest in Siam\nend")  # then Bruno's plan is played
    for _ in range(5):  # Carla misses, Anna and Bruno too, after the time that they had saved
        desk.run_out()
    desk.say("C", "place the rest in Brazil\nend")
    desk.say("A", "place the rest in Siam\nend")
    _sweep(desk, desk.game.warning_at)
    desk.run_out()  # that was the last chance of Bruno, who is neutral now
    assert desk.seat("B").status is SeatStatus.ELIMINATED
    _sweep(desk, desk.game.next_reminder_at)
    desk.perform(ChangeOption("vacant", "computer"))  # which then plays for Carla, until she writes
    for seat in "CA":
        _bounce(desk, seat)
        _stop(desk, seat)
    for _ in range(2):
        desk.run_out()
    assert desk.seat("C").computer
    desk.say("C", "board")
    with session(desk.engine) as opened:
        progress = Progress(opened, desk.house, games.lock(opened, desk.id), desk.now, None)
        # As an error that holds a hand is told: by its kind.
        why = kind_of("Traceback\nValueError: A holds EGY, a soldier")
        progress.tell_gm(GmNote("set-aside", 1, {"seat": "A", "reason": why}))
        progress.close()
    _sweep(desk, desk.now + timedelta(days=6))


def play_by_consent(desk: Desk) -> None:
    """Acts that wait for all sorts of people, who answer all sorts of things."""
    for mail in ("board", "hand", "orders", "set", "stats", "history 1-9", "board", "hand", "set"):
        desk.say("C", mail)
    desk.say("A", "say gm: my cards, please")
    _ask(desk, SetCards("A", ("EGY", "PRU")))
    for seat, text in (("C", "what?"), ("C", "NO"), ("A", "YES"), ("B", "YES"), ("C", "NO")):
        _vote(desk, seat, text)
    with session(desk.engine) as opened:
        appointments.appoint(opened, desk.id, EMIL, Office.GM, GM, desk.now)
        game = games.lock(opened, desk.id)
        game.options = {**game.options, "consent": "gm"}
    for act, text in ((SetCards("A", ("EGY", "WILD")), "NO"), (SetCards("A", ("PRU",)), "YES")):
        _ask(desk, act)
        _vote(desk, EMIL, text)
    for text in ("HELP", "PAUSE\nRESUME", "EXTEND soon"):
        _write_as_master(desk, text, GM)
    _write_as_master(desk, "ORDERS A: trade auto", "mallory@x.example")


SCENES: Mapping[str, Callable[[Desk], None]] = {
    "turns": play_turns,
    "notes": play_around_them,
    "clock": play_by_the_clock,
    "asked": play_by_consent,
}


def _sweep(desk: Desk, at: datetime | None) -> None:
    assert at is not None
    desk.now = at
    sweep(desk.engine, desk.house, desk.now, lambda *_: None)


def _bounce(desk: Desk, letter: str) -> None:
    """Two letters to a seat have come back for good."""
    with session(desk.engine) as opened:
        progress = Progress(opened, desk.house, games.lock(opened, desk.id), desk.now, None)
        for number in (1, 2):
            source = f"outbox:{letter}{number}"
            said = "550 no such mailbox"
            bounced.count(progress, progress.seat(letter), source, Bounced.HARD, desk.now, said)
        progress.close()


def _stop(desk: Desk, letter: str) -> None:
    """The seat's player wants no more of these letters, by the address in one."""
    issued = errand.issue(desk.house.secret, "g1", letter, Purpose.ALL)
    _mail(desk, "stop", issued.at(desk.house.domain), f"{PEOPLE[letter]}@people.example", letter)


def _ask(desk: Desk, act: Act) -> None:
    why = Why(GM, "a card too many")
    done = performing.perform(desk.engine, desk.house, desk.id, act, why, desk.now)
    assert isinstance(done, Waiting)


def _vote(desk: Desk, who: str, text: str) -> None:
    """An answer to the newest question to a seat, or to a game master."""
    asked = [one for one in desk.letters(who, "note") if one.facts["about"] == "consent-asked"]
    seat = who if who in PEOPLE else None
    to = parseaddr(str(asked[-1].mail["Reply-To"]))[1]
    _mail(desk, text, to, asked[-1].row.to_address, seat)


def _write_as_master(desk: Desk, text: str, sender: str) -> None:
    issued = gm_address.issue(desk.house.secret, "g1", GM)
    _mail(desk, text, gm_address.written(issued, desk.house.domain), sender, None)


def _mail(desk: Desk, text: str, to: str, sender: str, seat: str | None) -> None:
    """A mail of that sender to an address of ours is played."""
    desk.now += timedelta(minutes=1)
    desk.bring_to(to, text, sender, seat)
    desk.drain()


def to_carla(told: Told) -> Iterator[Letter]:
    yield from told.letters("C")


def test_the_letters_are_there_to_be_searched(told: Told) -> None:
    kinds = {letter.kind for letter in to_carla(told)}
    notes = {letter.facts["about"] for letter in told.letters("C", "note")}
    assert kinds >= TURNS or any(notes >= wanted for wanted in (NOTES, CLOCK, ASKED)), notes


def test_every_kind_of_note_to_a_game_master_is_searched() -> None:
    """In one scene or the other."""
    notes = (one for name in ("clock", "asked") for one in scene(name).letters(kind="note"))
    seen = {one.facts["about"] for one in notes if one.row.seat is None}
    assert seen >= TO_GM, TO_GM - seen


def test_carla_reads_no_card_of_anybody(told: Told) -> None:
    own = "\n".join(letter.everything for letter in told.letters("A"))
    assert SYMBOLS.search(own), "the marks are looked for in the wrong place"
    for letter in to_carla(told):
        found = SYMBOLS.search(letter.everything)
        assert found is None, f"{letter.kind}: {found}"


def test_carla_reads_of_no_standing_order_of_others(told: Told) -> None:
    own = "\n".join(letter.everything for letter in told.letters("B"))
    assert len(set(SECRETS.findall(own))) > 3, "the marks are looked for in the wrong place"
    for letter in to_carla(told):
        found = SECRETS.search(_without_help(letter))
        assert found is None, f"{letter.kind}: {found}"


def test_the_twin_of_a_letter_to_carla_has_an_empty_hand(told: Told) -> None:
    twins = [letter.twin for letter in to_carla(told) if list(letter.mail.iter_attachments())]
    assert len(twins) > 10
    assert all(twin["hand"] == [] for twin in twins)


def test_carla_reads_no_mission_but_her_own(told: Told) -> None:
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


def test_the_game_master_reads_neither_cards_nor_defences(told: Told) -> None:
    for letter in (*told.letters(GM), *told.letters(EMIL)):
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


def test_nobody_but_whom_it_is_for_reads_a_private_message(told: Told) -> None:
    assert WHISPER in told.letters("B", "press")[0].everything
    for letter in told.letters():
        assert letter.row.seat in ("A", "B") or WHISPER not in letter.everything, letter.kind


def test_the_calendar_of_a_seat_tells_of_no_other(told: Told) -> None:
    for letter in "ABC":
        desk, row = told.desk, told.desk.seat(letter)
        with session(desk.engine) as opened:
            shown = calendar.written(opened, desk.house, row, desk.now).decode()
        for secret in (SYMBOLS, SECRETS, OTHERS_MISSIONS):
            assert secret.search(shown) is None


def test_who_has_left_a_seat_gets_no_file_of_its_new_player() -> None:
    desk = Desk(chosen={"vacant": "gm"}, hands=HANDS)
    desk.say("B", "resign")
    desk.say("B", "yes")
    desk.say("B", "set file json")
    (left,) = desk.letters("bruno@people.example", "note")
    assert list(left.mail.iter_attachments()) == []


def test_no_letter_shows_the_address_of_another(told: Told) -> None:
    for letter in told.letters():
        others = {"anna@", "bruno@", "carla@"} - {letter.row.to_address.split("@")[0] + "@"}
        assert not any(address in letter.everything for address in others)


def test_a_rollback_tells_nobody_of_cards_that_were_drawn() -> None:
    game = Rewind()
    for _ in range(6):
        game.play_turn()
    assert any(game.state.hands.values()), "somebody has drawn a card"
    done = game.do(Rollback(game.seq_of("turn-started", 3), new_dice=True))
    assert isinstance(done, Performed)
    with session(game.engine) as opened:
        sent = [outbox.find(opened, number) for number in done.letters]
    written = {one.row.id: one for one in game.letters()}
    notes = [written[row.id] for row in sent if row is not None and row.kind == "note"]
    assert {one.facts["about"] for one in notes} == {"rolled-back"}
    assert len(notes) == 3
    for letter in notes:
        assert SYMBOLS.search(letter.everything) is None


def test_a_link_to_log_in_tells_of_no_game() -> None:
    desk = table()
    with session(desk.engine) as opened:
        (number,) = login.ask(opened, desk.house, "anna@people.example", desk.now, bytes, "en")
        row = outbox.find(opened, number)
    assert row is not None
    _, raw = compose.write_of_house(desk.house, row)
    shown = Letter(row, raw).everything
    assert "/login/" in shown
    for secret in (SYMBOLS, SECRETS, OTHERS_MISSIONS):
        assert secret.search(shown) is None


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
        closed = snapshots.closed_turns(opened, desk.id)
        feed = public_news.feed(opened, desk.house, game, closed, "en")
    (letter,) = desk.letters("vera@x.example")
    for told in (letter.everything, made[0].body, repr(feed)):
        assert "MARK" not in told.upper()
        assert not SYMBOLS.search(told)
        assert not re.search(r"\b(EGY|PRU|ALA|JPN)\b.*card", told)
        assert "@people.example" not in told
