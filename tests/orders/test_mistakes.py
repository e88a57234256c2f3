"""Each mistake: its code, and the text that the player reads."""

import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pytest

from pbem.orders import check as checking
from pbem.orders.lexicon import LANGUAGES, lexicon
from pbem.orders.mistake import Mistake
from pbem.orders.service import Away, Defend, History, Say, Service, Set, Simple, Whole
from pbem.orders.word import Word
from pbem.render.letters import environment
from pbem.render.words import Reader
from pbem.rules.position import Phase
from pbem.rules.state import State
from pbem.rules.view import view
from tests.orders.desk import WORLD, check, codes, read
from tests.rules.table import A, B, drawn

START = drawn(
    "A SIA 4, BRA 6, NAF 3, IDO 2, PRU 1; B IDA 4, CHN 2, JPN 1; C rest 2",
    phase=Phase.PLACE,
    to_place=7,
)
ATTACKING = drawn("A SIA 9, BRA 6, NAF 3, IDO 2, PRU 1, EGY 5; B IDA 4; C rest 2")
TRADING = drawn(
    "A SIA 4, EGY 2, PRU 3; B IDA 4; C rest 2",
    phase=Phase.TRADE,
    to_place=3,
    hands={A: "EGY PRU WILD"},
)
FORCED = drawn(
    "A SIA 4, EGY 2, PRU 3; B IDA 4; C rest 2",
    phase=Phase.TRADE,
    to_place=3,
    hands={A: "EGY PRU GRL BRA WILD"},
)


@dataclass
class Line:
    letter: str
    colour: str
    name: str = ""


class Seats:
    """The part of a letter's table that the texts ask."""

    reader = A

    def seat(self, letter: str) -> Line:
        return Line(letter, {"A": "red", "B": "blue", "C": "green"}[letter])


def text(mistake: Mistake, state: State, language: str = "en") -> str:
    """The words of a mistake, on one line."""

    template = environment(language, escaped=False).get_template("_mistakes.txt.j2")
    module = template.make_module(
        {"table": Seats(), "reader": Reader(language, ZoneInfo("UTC"), state.board)}
    )
    told = str(module.mistake_text(mistake))  # type: ignore[attr-defined]
    return re.sub(r"\s+", " ", told).strip()


EACH = [
    (
        "E01",
        START,
        "place 7 in Siam\nattack Idnai from Siam",
        'Line 2 "attack Idnai from Siam": I know no territory "Idnai". Did you mean India? '
        "(next to Siam)",
    ),
    (
        "E01",
        START,
        "place the rest in Zanzibar",
        'Line 1 "place the rest in Zanzibar": I know no territory "Zanzibar".',
    ),
    (
        "E02",
        START,
        "place 3 in North",
        'Line 1 "place 3 in North": "North" can be North Africa, Northern Europe or Northwest '
        "Territory. You hold North Africa. Write NAF.",
    ),
    (
        "E03",
        START,
        "place 9 in Siam",
        "Line 1: you have 7 armies to place but placed 9. Take 2 away.",
    ),
    (
        "E04",
        START,
        "place 5 in Siam\nattack India from Siam",
        "You have 7 armies to place and placed 5. Before attacking place the other 2, e.g. "
        '"place the rest in Siam".',
    ),
    (
        "E05",
        START,
        "place 3 in Japan",
        'Line 1 "place 3 in Japan": Japan belongs to Blue. You can place only in your own '
        "territories.",
    ),
    (
        "E06",
        ATTACKING,
        "attack Japan from Siam",
        'Line 1 "attack Japan from Siam": Siam and Japan are not neighbours. From Siam you can '
        "attack China, India.",
    ),
    (
        "E07",
        ATTACKING,
        "attack Indonesia from Siam",
        'Line 1 "attack Indonesia from Siam": Indonesia is yours. To move armies at the end of the '
        'turn write "fortify 3 from Siam to Indonesia".',
    ),
    (
        "E08",
        ATTACKING,
        "attack China from India",
        'Line 1 "attack China from India": you do not hold India, and no earlier line tries to '
        "capture it.",
    ),
    (
        "E09",
        ATTACKING,
        "attack Western Europe from North Africa",
        "Line 1: North Africa has only 3 armies, too few for three dice. How far shall I go? Add "
        '"once", "2 rolls" or "all in".',
    ),
    (
        "E10",
        ATTACKING,
        "attack India from Siam with 3",
        'Line 1 "attack India from Siam with 3": 3 dice or 3 armies? Write "with 3 dice" or "with '
        '3 armies".',
    ),
    (
        "E11",
        FORCED,
        "trade none",
        "You hold 5 cards and must trade. Possible: "
        "trade 1 2 5 (4 armies, 2 more in Egypt or Peru), "
        "trade 1 3 4 (4 armies, 2 more in Egypt), trade 1 3 5 (4 armies, 2 more in Egypt), "
        "trade 1 4 5 (4 armies, 2 more in Egypt).",
    ),
    (
        "E12",
        FORCED,
        "trade 1 2 3",
        'Line 1 "trade 1 2 3": soldier, soldier, horse are not a set. A set is three alike, one of '
        "each, or any two with a wild.",
    ),
    (
        "E13",
        drawn(
            "A SIA 4, PRU 3; B IDA 4; C rest 2",
            phase=Phase.TRADE,
            to_place=3,
            hands={A: "EGY PRU WILD"},
        ),
        "trade 1 2 3, bonus Egypt",
        'Line 1 "bonus Egypt": you do not hold Egypt. From these cards you can take the 2 extra '
        "armies in Peru.",
    ),
    (
        "E14",
        START,
        "attack India from Siam\nplace 7 in Siam",
        'Line 2 "place 7 in Siam" comes after an attack. Armies are placed first. I moved the line '
        "up in the text below.",
    ),
    (
        "E15",
        ATTACKING,
        "move 2 to Brazil",
        'Line 1 "move 2 to Brazil": from where? At the end of the turn: "fortify 2 from North '
        'Africa to Brazil". After a capture: "attack ..., move in 2".',
    ),
    (
        "E16",
        ATTACKING,
        "fortify 2 from Siam to Indonesia\nfortify 1 from Indonesia to Siam",
        "Lines 1 and 2: only one fortify a turn. Keep one of them.",
    ),
    (
        "E17",
        ATTACKING,
        "fortify 2 from Egypt to Peru",
        "Line 1: Egypt and Peru are not joined (this game: fortify only between neighbours). From "
        "Egypt you can reach North Africa.",
    ),
    (
        "E18",
        ATTACKING,
        "attack India from Siam, leave 2, move in 9",
        'Line 1 "leave 2, move in 9": with 9 armies both cannot be met. Write one of them.',
    ),
    (
        "E21",
        ATTACKING,
        "attack Siam ->\nIndia",
        'Line 1 ends with ">": your mail program broke a chain there. Write "to" instead of '
        "arrows, or the chain in one line.",
    ),
    (
        "E22",
        ATTACKING,
        "attack Western Europe from North Africa, with 3 dice",
        'Line 1: 3 dice need 4 armies, North Africa has 3. Write "with 2 dice" or "once".',
    ),
    (
        "E24",
        ATTACKING,
        "fortify Egypt to North Africa",
        'Line 1 "fortify Egypt to North Africa": how many? Egypt can give 1 to 4. Write "fortify 4 '
        'from Egypt to North Africa", or "all but 1".',
    ),
    (
        "E25",
        ATTACKING,
        "fortify 2 from Siam to Indonesia\nattack India from Siam",
        "Line 2 comes too late: after a fortify only END may follow. I moved the line up in the "
        "text below.",
    ),
    (
        "E26",
        START,
        "place 3 Brazil Peru 2",
        'Line 1 "place 3 Brazil Peru 2": is the number before or after the name? Write "3 Brazil, '
        '2 Peru".',
    ),
    (
        "E27",
        ATTACKING,
        "attack quickly",
        'Line 1 "attack quickly": I understand "attack", but not what. Write for example "attack '
        'China from Siam".',
    ),
    (
        "E28",
        TRADING,
        "trade Egypt, Peru, Siam",
        'Line 1 "trade Egypt, Peru, Siam": you do not hold the card Siam. Your cards: 1 Egypt, 2 '
        "Peru, 3 wild.",
    ),
    (
        "E29",
        ATTACKING,
        "attack Venezuela from Peru",
        "Line 1: Peru has 1 army, and one must stay. From Peru you cannot attack or fortify.",
    ),
    (
        "E30",
        drawn("A SIA 9, IDO 2; B IDA 4; C rest 2", options={"fortify": "none"}),
        "fortify 2 from Siam to Indonesia",
        'Line 1 "fortify 2 from Siam to Indonesia": this game has no fortifying.',
    ),
    (
        "E31",
        drawn("A SIA 9; B IDA 4; C rest 2", rolled=True),
        "take back",
        'Line 1 "take back": dice have rolled in this turn; only placements before the first roll '
        "can be taken back.",
    ),
    (
        "E32",
        ATTACKING,
        "continue",
        "There is nothing waiting for YES, NO or CONTINUE.",
    ),
    (
        "E33",
        drawn(
            "A SIA 9, EGY 2; B IDA 4; C rest 2",
            hands={A: "EGY PRU WILD"},
        ),
        "trade 1 2 3",
        'Line 1 "trade 1 2 3": trading is for the start of the turn, before placing and attacking.',
    ),
    (
        "E34",
        ATTACKING,
        "place 3 in Siam",
        'Line 1 "place 3 in Siam": you have no armies left to place.',
    ),
    (
        "E36",
        ATTACKING,
        "claim Siam",
        'Line 1 "claim Siam": the territories are taken; claims are for the setup.',
    ),
    (
        "E37",
        ATTACKING,
        "say to Blue: hello\nnothing more\nattack India from Siam",
        "Line 1: your message to Blue has no END SAY, and line 3 looks like an order. Write END "
        "SAY where the message ends.",
    ),
    (
        "E38",
        ATTACKING,
        "say to Greem: hello",
        'Line 1 "say to Greem: hello": nobody here is called Greem. Did you mean Green (C)?',
    ),
]


@pytest.mark.parametrize(("code", "state", "mail", "words"), EACH, ids=[case[0] for case in EACH])
def test_each_mistake_has_its_code_and_its_text(
    code: str, state: State, mail: str, words: str
) -> None:
    (mistake,) = check(mail, state).mistakes
    assert mistake.code == code
    assert text(mistake, state) == words


@pytest.mark.parametrize(
    ("mail", "words"),
    [
        ("set news all", 'I understand "set", but not "all". Write for example "SET NEWS EACH".'),
        ("say Blue hello", 'I understand "say", but not what. Write for example "SAY ALL: hello".'),
        ("away 3 Dec to", 'I understand "away", but not what. Write for example "AWAY 3 Dec to'),
    ],
)
def test_a_service_that_is_misread_is_shown_by_an_example_of_its_own(mail: str, words: str) -> None:
    (mistake,) = check(mail, ATTACKING).mistakes
    assert words in text(mistake, ATTACKING)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("word", "meant"),
    [
        (Word.SET, Set("NEWS", "DAILY")),
        (Word.DEFEND, Defend(Whole.ALL, 2)),
        (Word.HISTORY, History(3, 5)),
        (Word.BOARD, Simple.BOARD),
        (Word.STOP_MAIL, Simple.STOP_MAIL),
    ],
)
def test_the_example_of_a_service_is_in_the_language_of_its_player(
    word: Word, meant: Service, language: str
) -> None:
    said = lexicon(language, WORLD).printed[word]
    (mistake,) = check(f"{said} Siam 77", ATTACKING, language).mistakes
    shown = str(mistake.facts["example"])
    assert shown.startswith(said.upper())
    assert [asked.service for asked in read(shown, language).services] == [meant]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_longer_services_can_be_sent_too(language: str) -> None:
    examples = lexicon(language, WORLD).examples
    (away,) = read(examples["away"], language).services
    (say,) = read(examples["say"], language).services
    assert isinstance(away.service, Away)
    assert (away.service.first[0], away.service.last[0]) == ("3", "9")
    assert isinstance(say.service, Say)
    assert (say.service.to, say.service.gm) == ((), False)


def test_of_two_names_the_nearer_one_is_meant() -> None:
    (mistake,) = check("say to Gren: hello", ATTACKING).mistakes  # Red is two slips away
    assert mistake.facts["candidates"] == ("C",)


def test_orders_out_of_turn_are_one_mistake() -> None:
    state = drawn("A SIA 9; B IDA 4; C rest 2", on_turn=B)
    sheet = read("attack India from Siam\nend")
    (mistake,) = checking.check(sheet, view(state, A)).mistakes
    assert mistake.code == "E19"
    assert text(mistake, state) == (
        "It is Blue's turn. To keep these orders for your next turn put NEXT TURN above them."
    )


def test_a_second_bonus_is_refused_where_it_comes_once_a_turn() -> None:
    state = drawn(
        "A SIA 4, EGY 2, PRU 3; B IDA 4; C rest 2",
        phase=Phase.TRADE,
        to_place=3,
        hands={A: "EGY ALA WILD PRU BRA WILD"},
    )
    mail = "trade 1 2 3, bonus Egypt\ntrade 4 5 6, bonus Peru"
    (mistake,) = check(mail, state).mistakes
    assert text(mistake, state) == (
        'Line 2 "bonus Peru": the 2 extra armies are given once a turn in this game, and line 1 '
        "took them in Egypt."
    )


def test_where_the_most_dice_are_always_rolled_fewer_cannot_be_asked_for() -> None:
    state = drawn("A SIA 9; B IDA 4; C rest 2", options={"attack_dice": "max"})
    checked = check("attack India from Siam, with 1 dice", state)
    assert [text(m, state) for m in checked.mistakes] == [
        'Line 1: in this game the most dice are always rolled; leave "with 1 dice" out.'
    ]
    assert checked.corrected == ("attack India from Siam, move in the least",)


@pytest.mark.parametrize(
    ("mail", "expected"),
    [
        ("place 5 in Siam\nend", ["E04"]),
        ("attack India from Siam\nplace 5 in Siam", ["E04", "E14"]),
        ("place 9 in Siam\nattack Japn from Siam", ["E03", "E06"]),
        ("attack quickly\nplace 9 in Siam", ["E27"]),
        ("place 7 in Siam\nattack China from India\nattack Siam from India", ["E08", "E08"]),
        ("place 3 in Japan\nplace 4 in Siam\nattack Idnai from Siam", ["E05", "E01"]),
        ("place 7 in Siam\nattack India from Siam\nattack China from India", []),
        ("trade 1 2 3", ["E28"]),
        ("attack Idnai from Siam\nattack China from India", ["E01"]),
        ("place 7 in Siam\nattack Japan from Siam\nattack Ural from Japan", ["E06", "E06"]),
    ],
)
def test_all_mistakes_are_told_at_once(mail: str, expected: list[str]) -> None:
    assert codes(mail, START) == expected


def test_the_mistakes_stand_by_line() -> None:
    mistakes = check("place 3 in Japan\nattack Idnai from Siam\nmove 3 to Siam", START).mistakes
    assert [m.line for m in mistakes] == [1, 2, 3]


def test_every_single_repair_together_makes_the_corrected_text() -> None:
    state = drawn("A SIA 4, IDO 4; B IDA 4; C rest 2", phase=Phase.PLACE, to_place=6)
    mail = (
        "place 5 in Siam, the rest in Indonesia\nattack Idnai from Siam\n"
        "Hope this is right\nmove 3 to Siam\nend"
    )
    checked = check(mail, state)
    assert [m.code for m in checked.mistakes] == ["E01", "E15"]
    assert checked.corrected == (
        "place 5 in Siam, the rest in Indonesia",
        "attack India from Siam, move in the least",
        "fortify 3 from Indonesia to Siam",
        "end",
    )


def test_one_mistake_without_a_repair_leaves_no_corrected_text() -> None:
    checked = check("place 7 in Siam\nattack Idnai from Siam\nattack quickly", START)
    assert checked.corrected is None


def test_a_trade_behind_placing_is_moved_up() -> None:
    checked = check("place the rest in Siam\ntrade 1 2 3", TRADING)
    assert [m.code for m in checked.mistakes] == ["E14"]
    assert checked.corrected == (
        "trade Egypt, Peru, wild, bonus Egypt",
        "place the rest in Siam",
    )


def test_an_attack_with_one_possible_source_is_completed() -> None:
    state = drawn("A SIA 9, IDO 2; B IDA 4; C rest 2")
    checked = check("attack India, once", state)
    assert [m.facts["example"] for m in checked.mistakes] == ["attack India from Siam"]
    assert checked.corrected == ("attack India from Siam, once, move in the least",)


@pytest.mark.parametrize(
    ("mail", "offered"),
    [
        ("attack India form Siam", "attack India from Siam, move in the least"),
        ("attack India from Siam untill captured", "until captured"),
        ("capture India from Siam", "attack India from Siam, move in the least"),
        ("With Siam I capture India", "attack India from Siam, move in the least"),
        ("Siam must not fight India", None),
        ("use Siam to attack India", "attack India from Siam, move in the least"),
        ("attack Siam India", "attack India from Siam, move in the least"),
        ("attack India Siam", None),
        ("Siam to India, 3 rolls", "attack India from Siam, 3 rolls, move in the least"),
        ("Siam -> Indonesia 3", "fortify 3 from Siam to Indonesia"),
        ("Indonesia sends 2 to Siam", "fortify 2 from Indonesia to Siam"),
        ("move 2 Indonesia Siam", "fortify 2 from Indonesia to Siam"),
        ("reinforce Siam with 2 from Indonesia", "fortify 2 from Indonesia to Siam"),
        ("2 armies from Indonesia to Siam", "fortify 2 from Indonesia to Siam"),
    ],
)
def test_what_is_likely_is_offered_and_never_done(mail: str, offered: str | None) -> None:
    state = drawn("A SIA 9, IDO 5; B IDA 4; C rest 2")
    checked = check(mail, state)
    assert checked.plan is None
    assert [m.code for m in checked.mistakes] == ["E27"]
    if offered is None:
        assert checked.corrected is None
    else:
        assert checked.corrected is not None
        assert offered in checked.corrected[0]


def test_armies_move_in_with_the_attack_that_captures() -> None:
    mail = "attack India from Siam, move in 3\nmove in 5"
    (mistake,) = check(mail, ATTACKING).mistakes
    assert text(mistake, ATTACKING) == (
        'Line 2 "move in 5": I understand "move in 5", but not what. '
        'Write for example "attack India from Siam, move in 5".'
    )


def test_in_the_setup_only_wishes_are_orders() -> None:
    claiming = drawn("A SIA 1; B IDA 1; C CHN 1", phase=Phase.CLAIM)
    assert codes("claim Siam, Asia, nearest\navoid Europe\nfill Siam 3", claiming) == []
    (mistake,) = check("attack India from Siam", claiming).mistakes
    assert text(mistake, claiming) == (
        'Line 1 "attack India from Siam": the game is still being set up. '
        'Write for example "claim North America, nearest".'
    )
    filling = drawn("A SIA 1; B IDA 1; C rest 1", phase=Phase.FILL)
    assert codes("fill Siam 3, India 2\nclaim Asia", filling) == ["E05", "E36"]


def test_a_mid_turn_trade_is_checked_like_any_other() -> None:
    state = drawn(
        "A SIA 9, EGY 2; C rest 2",
        phase=Phase.TRADE,
        mid_turn=True,
        hands={A: "EGY PRU GRL BRA ALA WILD"},
    )
    assert codes("trade 1 2 9", state) == ["E28"]
    assert codes("trade 1 2 6\nplace 9 in Siam", state) == ["E03"]
    assert codes("trade 1 2 6\nplace the rest in Siam\nattack China from Siam", state) == []


def test_two_fortifies_are_fine_if_only_one_can_run() -> None:
    mail = (
        "attack India from Siam\n"
        "if captured: fortify 2 from Siam to Indonesia\n"
        "else fortify 1 from Indonesia to Siam"
    )
    assert codes(mail, ATTACKING) == []


def test_every_code_of_the_reader_and_the_check_has_a_case() -> None:
    told = {case[0] for case in EACH} | {"E19", "E23"}
    by_the_judge = {"E20", "E35", "E39"}
    assert told | by_the_judge == {f"E{number:02}" for number in range(1, 40)}


def test_a_name_of_the_board_never_reads_as_an_order_word() -> None:
    assert all(not read(t.name).services for t in WORLD.territories.values())
