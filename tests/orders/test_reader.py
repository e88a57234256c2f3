"""Mails as players write them, and what they say."""

import pytest

from pbem.orders import reader
from pbem.orders.service import Away, Defend, Help, History, Say, Set, Simple, Whole
from pbem.orders.sheet import Mode, Table
from pbem.rules.seat import Seat
from tests.orders.desk import WORLD, printed, read

SAMPLE_MAILS = pytest.mark.parametrize(
    ("mail", "lines"),
    [
        (
            "place 5 in Siam\nattack India from Siam\nend",
            ["place 5 in Siam", "attack India from Siam", "end"],
        ),
        (
            "Put 3 bra 2 peru rest egypt. Attack naf from bra, keep 5",
            [
                "place 3 in Brazil, 2 in Peru, the rest in Egypt. "
                "attack North Africa from Brazil, keep 5"
            ],
        ),
        (
            "attack North Africa to Brazil to Venezuela to Central America, leave 2",
            ["attack North Africa to Brazil to Venezuela to Central America, leave 2"],
        ),
        (
            "attack Ukraine from Scandinavia, while odds 60%, lose at most 4, move in 5\n"
            "if captured: attack Ural from Ukraine, 2 rolls\n"
            "else attack Iceland from Scandinavia, all in\n"
            "end",
            [
                "attack Ukraine from Scandinavia, lose at most 4, while odds at least 60%,"
                " move in 5",
                "if captured: attack Ural from Ukraine, 2 rolls",
                "else attack Iceland from Scandinavia, all in",
                "end",
            ],
        ),
        (
            "attack Western Europe from North Africa, keep 6, else stop\n"
            "if no card yet: attack Southern Europe from Egypt, all in\n"
            "fortify all but 1 from Egypt to North Africa",
            [
                "attack Western Europe from North Africa, keep 6, else stop",
                "if no card yet: attack Southern Europe from Egypt, all in",
                "fortify all but 1 from Egypt to North Africa",
            ],
        ),
        (
            "trade Egypt, Peru and wild, bonus Egypt\nplace the rest in North Africa",
            ["trade Egypt, Peru, wild, bonus Egypt", "place the rest in North Africa"],
        ),
        (
            "attack Kamchatka from Alaska, all in\n"
            "if eliminated: trade auto; place the rest in Kamchatka\n"
            "if Kamchatka captured and odds at least 70%: attack Japan from Kamchatka",
            [
                "attack Kamchatka from Alaska, all in",
                "if eliminated: trade auto; place the rest in Kamchatka",
                "if Kamchatka captured and odds at least 70%: attack Japan from Kamchatka",
            ],
        ),
    ],
    ids=["turn", "codes", "chain", "else", "no-card", "trade", "eliminated"],
)


@SAMPLE_MAILS
def test_a_sample_mail_is_read_as_meant(mail: str, lines: list[str]) -> None:
    assert printed(mail) == lines


@SAMPLE_MAILS
@pytest.mark.parametrize("language", ["it", "nl", "sl"])
def test_a_sample_mail_is_read_alike_in_every_language(
    mail: str, lines: list[str], language: str
) -> None:
    abroad = printed(mail, to=language)
    assert abroad != lines
    assert printed("\n".join(abroad), language) == lines


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ATTACK INDIA FROM SIAM", "attack India from Siam"),
        ("1. attack ida from sia", "attack India from Siam"),
        ("- Attack India, from Siam!", "attack India from Siam"),
        ("| attack India from Siam", "attack India from Siam"),
        ("attack Siam -> India", "attack India from Siam"),
        ("attack Siam → India -> Afghanistan", "attack Siam to India to Afghanistan"),
        ("attack Siam - India - Afghanistan", "attack Siam to India to Afghanistan"),
        ("attack siam-india, keep 4", "attack India from Siam, keep 4"),
        ("attack West-Europe - North-Africa", "attack North Africa from Western Europe"),
        ("attack India from Siam - keep 4", "attack India from Siam, keep 4"),
        ("attack Siam => India", "attack India from Siam"),
        ("please attack India from Siam now", "attack India from Siam"),
        ("assault “India” from ‘Siam’", "attack India from Siam"),
        ("attack N. Africa from W. Europe", "attack North Africa from Western Europe"),
        ("attack n afr from w europe", "attack North Africa from Western Europe"),
        ("attack S Africa from E Africa", "attack South Africa from East Africa"),
        ("attack Québec from Eastern US", "attack Quebec from Eastern United States"),
        ("attack India from Siam (82% to capture)", "attack India from Siam"),
        ("attack India from Siam, one roll", "attack India from Siam, once"),
        ("attack India from Siam two rolls", "attack India from Siam, 2 rolls"),
        ("attack India from Siam, 2 dice", "attack India from Siam, with 2 dice"),
        (
            "attack India from Siam with 5 armies and move in all",
            "attack India from Siam, with 5 armies, move in all",
        ),
        (
            "attack India from Siam, then move in 3",
            "attack India from Siam, move in 3",
        ),
        (
            "attack India from Siam until China at most 2, else pause",
            "attack India from Siam, until China at most 2, else pause",
        ),
        ("place 3 to Siam and 2 in Peru", "place 3 in Siam, 2 in Peru"),
        ("place Siam 3, Peru 2", "place 3 in Siam, 2 in Peru"),
        ("place all in Siam", "place the rest in Siam"),
        ("reinforce Siam with 5", "place 5 in Siam"),
        ("put all my armies in Siam", "place the rest in Siam"),
        ("I want to attack India from Siam with everything", "attack India from Siam, all in"),
        ("Let's attack India from Siam, please", "attack India from Siam"),
        ("I'll put 5 in Siam", "place 5 in Siam"),
        ("I'm done", "end"),
        ("a) end my turn", "end"),
        (
            "attack India from Siam; else attack China from Siam",
            "attack India from Siam. else attack China from Siam",
        ),
        (
            "if captured attack Ural from Ukraine, else: attack Iceland from Scandinavia",
            "if captured: attack Ural from Ukraine. else attack Iceland from Scandinavia",
        ),
        ("move 3 armies from Peru to Brazil", "fortify 3 from Peru to Brazil"),
        ("move 3 to Brazil from Peru", "fortify 3 from Peru to Brazil"),
        ("fortify Brazil from Peru with 3", "fortify 3 from Peru to Brazil"),
        ("fortify all from Peru to Brazil", "fortify all but 1 from Peru to Brazil"),
        ("trade 1 3 5, bonus on Egypt", "trade 1 3 5, bonus Egypt"),
        ("trade cards 1, 3 and 5", "trade 1 3 5"),
        ("trade 1 2 3 and trade 4 5 6", "trade 1 2 3; trade 4 5 6"),
        ("trade nothing", "trade none"),
        ("trade in cards 1, 2 and 3 with bonus on Egypt", "trade 1 2 3, bonus Egypt"),
        ("reinforce Siam by 5", "place 5 in Siam"),
        ("place 3 in Siam and the other 2 in Peru", "place 3 in Siam, 2 in Peru"),
        ("attack: Siam to India (82%)", "attack India from Siam"),
        ("attack India from Siam 2x", "attack India from Siam, 2 rolls"),
        ("attack India out of Siam", "attack India from Siam"),
        ("attack India from Siam with at most 5 armies", "attack India from Siam, with 5 armies"),
        ("finish my turn", "end"),
        (
            "place 5 in Siam, attack India from Siam and end",
            "place 5 in Siam; attack India from Siam; end",
        ),
        (
            "unless Siam at least 4 armies, attack India from Siam",
            "unless Siam at least 4: attack India from Siam",
        ),
        ("if I hold Asia: end", "if I hold Asia: end"),
        ("if not hold Siam and no card: end", "if not hold Siam and no card yet: end"),
        (
            "claim Australia, Siam, South America, nearest",
            "claim Australia, Siam, South America, nearest",
        ),
        ("fill Siam 6, Indonesia 4", "fill Siam 6, Indonesia 4"),
        ("fill 6 in Siam and 4 in Indonesia", "fill Siam 6, Indonesia 4"),
        ("avoid Asia and Europe", "avoid Asia, Europe"),
    ],
)
def test_ways_to_write_an_order(written: str, meant: str) -> None:
    assert printed(written) == [meant]


@pytest.mark.parametrize(
    ("language", "mail", "english"),
    [
        (
            "it",
            "Metti 5 in Siam. Attacca l'India dal Siam finché non è conquistata, tieni 4. "
            "Se conquistata: attacca il Medio Oriente dall'India, una volta. Fine",
            "place 5 in Siam. attack India from Siam, until captured, keep 4. "
            "if captured: attack Middle East from India, once. end",
        ),
        (
            "sl",
            "Postavi 5 v Siam. Napadi Indijo iz Siama, dokler ni zavzeta. sicer premor. Konec",
            "place 5 in Siam. attack India from Siam, until captured. else pause. end",
        ),
        (
            "nl",
            "Plaats 5 op Siam. Val India aan vanuit Siam, houd 4. anders pauze. klaar",
            "place 5 in Siam. attack India from Siam, keep 4. else pause. end",
        ),
    ],
)
def test_a_mail_in_another_language(language: str, mail: str, english: str) -> None:
    assert printed(mail, language) == [english]


@pytest.mark.parametrize("language", ["it", "nl", "sl"])
def test_english_works_beside_every_language(language: str) -> None:
    mail = "place 5 in Siam\nattack India from Siam, with 2 dice, move in all\nend"
    assert printed(mail, language) == mail.split("\n")


def test_the_italian_is_and_the_italian_and_are_told_apart() -> None:
    assert printed("se India è conquistata: fine", "it") == ["if India captured: end"]
    assert printed("se conquistata e possiedo Asia: fine", "it") == [
        "if captured and I hold Asia: end"
    ]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("se SIA conquistata: fine", "if Siam captured: end"),
        ("se non sia conquistata: fine", "if Siam not captured: end"),
        ("se SIA mia e possiedo Asia: fine", "if I hold Siam and I hold Asia: end"),
        ("a meno che SIA conquistata: fine", "unless Siam captured: end"),
        ("a meno che: non SIA presa: fine", "unless Siam not captured: end"),
        ("a meno che non sia conquistata, fine", "unless captured: end"),
        ("a meno che India non sia presa, fine", "unless India captured: end"),
        ("attacca IDA da SIA finché non sia presa", "attack India from Siam, until captured"),
    ],
)
def test_the_italian_be_and_the_code_of_siam_are_told_apart(said: str, meant: str) -> None:
    assert printed(said, "it") == [meant]


@pytest.mark.parametrize(
    "unclear",
    [
        "attack India from Siam till the end",
        "attack India from Siam unless odds at most 40%",
        "Siam attacks India",
        "5 to Siam",
        "place 5",
        "place Siam",
        "fortify 3 from Siam",
        "attack India from Siam, keep",
        "attack India from Siam, keep 0",
        "attack India from Siam, with 4 dice",
        "if: end",
        "trade",
        "claim",
    ],
)
def test_what_is_half_understood_is_asked_about(unclear: str) -> None:
    assert [m.code for m in read(unclear).mistakes] == ["E27"]


def test_slovenian_case_endings_are_read() -> None:
    written = ["Indijo iz Siama", "Indije iz Siamu", "Indiji z Siama"]
    assert {printed(f"napadi {path}", "sl")[0] for path in written} == {"attack India from Siam"}


def test_a_greeting_and_a_signature_are_ignored() -> None:
    sheet = read("Hi, hope this is right\n\nplace 5 in Siam\n\nCheers, Anna\nTel 0123 456\n")
    assert [(line.line, line.why) for line in sheet.ignored] == [
        (1, "chatter"),
        (5, "signature"),
        (6, "signature"),
    ]
    assert not sheet.mistakes


@pytest.mark.parametrize("line", ["Here are my orders:", "Orders:", "----", "My hand is good:"])
def test_a_heading_is_chatter(line: str) -> None:
    sheet = read(f"{line}\nend")
    assert [ignored.text for ignored in sheet.ignored] == [line]
    assert not sheet.services
    assert not sheet.mistakes


@pytest.mark.parametrize("mail", ["place 0 in Siam", "fortify 0 from Siam to India"])
def test_nothing_is_no_number_of_armies(mail: str) -> None:
    assert [m.code for m in read(mail).mistakes] == ["E27"]


def test_nothing_is_read_below_the_mark_of_a_signature() -> None:
    sheet = read("end\n-- \nattack India from Siam")
    assert [line.number for line in sheet.lines] == [1]
    assert not sheet.ignored


def test_a_number_makes_a_line_more_than_chatter() -> None:
    assert [m.code for m in read("see you at 8\nend").mistakes] == ["E27"]


def test_words_after_an_order_are_ignored_as_a_sentence_of_their_own() -> None:
    sheet = read("attack India from Siam. Good luck!")
    assert [line.text for line in sheet.ignored] == ["Good luck"]
    assert len(sheet.lines) == 1


def test_what_follows_the_end_is_only_noted() -> None:
    sheet = read("end\nattack India from Siam")
    assert [(line.line, line.why) for line in sheet.ignored] == [(2, "after-end")]
    assert [note.code for note in sheet.notes] == ["after-end"]


@pytest.mark.parametrize("denial", ["I won't", "Don't", "do not", "I will not", "never"])
def test_a_denied_order_is_not_read_as_the_order(denial: str) -> None:
    sheet = read(f"{denial} attack India from Siam")
    assert not sheet.lines
    assert [m.code for m in sheet.mistakes] == ["E27"]


@pytest.mark.parametrize(
    ("mail", "mode"),
    [
        ("YES", Mode.YES),
        ("Yes please!", Mode.YES),
        ("Hello\nyes", Mode.YES),
        ("no", Mode.NO),
        ("Cancel.", Mode.CANCEL),
        ("TRY\nend", Mode.TRY),
        ("try attack India from Siam", Mode.TRY),
        ("NEXT TURN\nend", Mode.NEXT_TURN),
        ("end", Mode.NONE),
    ],
)
def test_the_first_line_sets_the_mode(mail: str, mode: Mode) -> None:
    sheet = read(mail)
    assert sheet.mode is mode
    assert not sheet.mistakes


@pytest.mark.parametrize("mail", ["end\nTRY", "place 5 in Siam\nyes", "YES\nend"])
def test_a_mode_among_orders_is_a_mistake(mail: str) -> None:
    assert [m.code for m in read(mail).mistakes] == ["E27"]


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("attack Indai from Siam", ("Indai", "IDA")),
        ("attack India from Siamm", ("Siamm", "SIA")),
        ("place 3 in Norht Africa", ("Norht Africa", "NAF")),
        ("place 3 in Western Eurpe", ("Western Eurpe", "WEU")),
        ("place 3 in Irkutks", ("Irkutks", "IRK")),
    ],
)
def test_one_slip_of_the_pen_is_mended_and_told(written: str, note: tuple[str, str]) -> None:
    sheet = read(written)
    assert not sheet.mistakes
    assert [(n.facts["written"], n.facts["territory"]) for n in sheet.notes] == [note]


def test_a_slip_in_an_order_word_is_mended_and_told() -> None:
    sheet = read("atack India from Siam")
    assert [n.facts for n in sheet.notes] == [{"written": "atack", "word": "attack"}]
    assert len(sheet.lines) == 1


@pytest.mark.parametrize("written", ["Idnai", "Cihan"])
def test_two_slips_are_asked_about(written: str) -> None:
    (mistake,) = read(f"attack {written} from Siam").mistakes
    assert mistake.code == "E01"


def test_the_italian_chita_is_never_mended_to_china() -> None:
    assert printed("metti 3 in Cita", "it") == ["place 3 in Irkutsk"]
    assert printed("metti 3 in Cina", "it") == ["place 3 in China"]


@pytest.mark.parametrize(
    ("mail", "service"),
    [
        ("help attack", Help("attack")),
        ("HELP", Help()),
        ("board", Simple.BOARD),
        ("hand.", Simple.HAND),
        ("orders", Simple.ORDERS),
        ("stats", Simple.STATS),
        ("resign", Simple.RESIGN),
        ("history", History()),
        ("history 3-5", History(3, 5)),
        ("history 4", History(4, 4)),
        ("set", Set()),
        ("SET TRADE AUTO", Set("TRADE", "AUTO")),
        ("set on fail = stop", Set("ON FAIL", "STOP")),
        ("set zone = Europe/Rome", Set("ZONE", "Europe/Rome")),
        ("SET LATE PLACE Siam", Set("LATE", "PLACE SIA")),
        ("DEFEND all with 2", Defend(Whole.ALL, 2)),
        (
            "DEFEND Iceland with 1 when at most 2",
            Defend(next(c for c in WORLD.codes if c == "ICE"), 1, 2),
        ),
        ("AWAY 3 Dec to 9 Dec", Away("3 Dec", "9 Dec")),
        ("say to Blue: truce? END SAY", Say(("B",), "truce?")),  # type: ignore[arg-type]
        ("say all: hello", Say((), "hello")),
    ],
)
def test_a_service_is_asked_for(mail: str, service: object) -> None:
    sheet = read(mail)
    assert not sheet.mistakes
    assert [asked.service for asked in sheet.services] == [service]


@pytest.mark.parametrize(
    ("language", "mail"),
    [
        ("it", "difendi tutto con 2"),
        ("nl", "verdedig alles met 2"),
        ("sl", "brani vse z 2"),
        ("sl", "brani vse s 2 kockama"),
    ],
)
def test_the_defence_is_set_in_every_language(language: str, mail: str) -> None:
    sheet = read(mail, language)
    assert not sheet.mistakes
    assert [asked.service for asked in sheet.services] == [Defend(Whole.ALL, 2)]


@pytest.mark.parametrize(
    ("language", "mail", "days"),
    [
        ("en", "AWAY from 3 Dec until 9 Dec", ("3 Dec", "9 Dec")),
        ("en", "AWAY 3-9 Dec", ("3", "9 Dec")),
        ("en", "AWAY 2026-12-03 - 2026-12-09", ("2026-12-03", "2026-12-09")),
        ("en", "AWAY 2026-12-03", ("2026-12-03", "2026-12-03")),
        ("nl", "afwezig van 24 dec tot en met 26 dec", ("24 dec", "26 dec")),
        ("nl", "afwezig 24 t/m 26 dec", ("24", "26 dec")),
        ("it", "assente dal 24 al 26 dicembre", ("24", "26 dicembre")),
        ("sl", "odsotna od 24. dec. do 26. dec.", ("24. dec", "26. dec")),
    ],
)
def test_days_of_absence_are_written_as_people_do(
    language: str, mail: str, days: tuple[str, str]
) -> None:
    sheet = read(mail, language)
    assert not sheet.mistakes
    assert [asked.service for asked in sheet.services] == [Away(*days)]


@pytest.mark.parametrize(
    ("mail", "to"),
    [
        ("SCRIVI A: ciao", "A"),
        ("scrivi a A: ciao", "A"),
        ("scrivi A, B: ciao", "AB"),
        ("scrivi A e E: ciao", "AE"),
        ("scrivi a E: ciao", "E"),
        ("scrivi a E, A: ciao", "EA"),
        ("scrivi B, E: ciao", "BE"),
        ("scrivi a Rosso e a B: ciao", "AB"),
        (": scrivi", ""),
        ("scrivi: ciao", ""),
    ],
)
def test_a_seat_whose_letter_is_an_italian_word_is_written_to(mail: str, to: str) -> None:
    names = {Seat("A"): "Rosso", Seat("B"): "Blu", Seat("E"): "Viola"}
    services = reader.read([mail], "it", Table(WORLD, names)).services
    written = [asked.service for asked in services]
    assert written == ([Say(tuple(map(Seat, to)), "ciao")] if to else [])


@pytest.mark.parametrize("line", ["stop. say to Red: hi", ". Say, Siam", "3 if say"])
def test_a_message_that_begins_within_a_line_is_asked_about(line: str) -> None:
    assert [m.code for m in read(line).mistakes] == ["E27"]


def test_marks_before_a_service_say_nothing() -> None:
    (asked,) = read(": - board").services
    assert asked.service is Simple.BOARD


def test_a_message_takes_as_many_lines_as_it_needs() -> None:
    sheet = read("say to Blue, Green: I will\n\nleave you alone END SAY\nend")
    assert [asked.service for asked in sheet.services] == [
        Say(("B", "C"), "I will\n\nleave you alone")  # type: ignore[arg-type]
    ]
    assert [line.number for line in sheet.lines] == [4]


@pytest.mark.parametrize(
    ("language", "line", "code"),
    [
        ("en", "place 5 in mongo", "E02"),  # the beginning of Mongolia, or a slip of Congo
        ("en", "if not hold North Amrica: end", "E02"),  # North Africa, or the continent
        ("en", "attack from Siam to India Afghanistan", "E27"),  # where in the chain?
        ("en", "and", "E27"),  # what a phone makes of "end"
        ("en", "I'd like to and", "E27"),
        ("it", "poi fihe", "E27"),
        ("it", "attacca l'Alaska agli Stati Uniti Orientali, con 1 dado", "E27"),  # "dagli"?
        ("sl", "napadi iz Konga v Afganistan v Jakutsk NGU", "E27"),
        ("sl", "napadi Indijo od tam do konca", "E01"),  # no slip of "Konga"
    ],
)
def test_what_may_be_a_slip_of_two_things_is_asked_about(
    language: str, line: str, code: str
) -> None:
    sheet = read(line, language)
    assert [mistake.code for mistake in sheet.mistakes] == [code]
    assert not sheet.lines
