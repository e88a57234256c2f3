"""The game master's mails: commands, all or none, answered by one letter."""

from email.utils import parseaddr

import pytest

from pbem.judge.acts import commands, form
from pbem.judge.acts.registry import ACTS
from pbem.judge.acts.seats import Replace
from pbem.judge.gm_mail import MOST_QUESTIONS, master
from pbem.mail import gm_address
from pbem.orders import gm
from pbem.orders.lexicon import LANGUAGES
from pbem.store import audit, games
from pbem.store.engine import session
from pbem.store.tables import InboxStatus
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, Parlour, mail, text_of, words_of

DORA = "gm@example.org"


def address_of(house: Parlour, person: str = DORA) -> str:
    issued = gm_address.issue(house.house.secret, f"g{house.game_id}", person)
    return gm_address.written(issued, house.house.domain)


def write(house: Parlour, text: str, sender: str = DORA, *, to: str | None = None) -> str:
    """The result of the row of a game master's mail."""
    raw = mail(text, sender=f"Dora <{sender}>", message_id="<m1@example.org>")
    (row,) = house.bring(raw, to or address_of(house), mail_from=sender)
    return row.result or ""


def paused(house: Parlour) -> bool:
    with session(house.engine) as opened:
        game = games.find(opened, house.game_id)
    assert game is not None
    return game.paused_at is not None


def test_commands_are_done_told_and_answered(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    with session(house.engine) as opened:
        before = games.deadline(opened, house.game_id)
    text = "EXTEND 24h\nNOTE ALL: see you on Monday; good luck\nREASON power cut"
    assert write(house, text) == "gm-done"
    with session(house.engine) as opened:
        after = games.deadline(opened, house.game_id)
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 86400
    answer = house.letters(to=DORA)[-1]
    assert answer["In-Reply-To"] == "<m1@example.org>"
    assert "EXTEND 24h" in words_of(answer)
    assert answer["Reply-To"] == address_of(house)
    told = [words_of(letter) for letter in house.letters(kind="note", to=ANNA)]
    assert any("power cut" in words for words in told)
    assert any("see you on Monday" in words for words in told)


@pytest.mark.parametrize("above", ["", "EXTEND 24h"])
def test_a_command_in_doubt_is_asked_about(above: str, parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    text = f"{above}\n\nDora kirjoitti 30.11.2026 klo 10.02:\nHello\nPAUSE\n"
    assert write(house, text) == "gm-mistakes"
    assert not paused(house)
    answer = words_of(house.letters(to=DORA)[-1])
    assert "> PAUSE this may come from an older mail" in answer
    assert "Hello" not in answer


def test_one_wrong_line_and_nothing_is_done(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    for text, why in (
        ("PAUSE\nEXTEND soon", 'by: "soon" cannot be read'),
        ("PAUSE\nPAUSE", "the game is paused already"),
        ("PAUSE\nROLLBACK 7", "is done on the game's page"),
        ("PAUSE\nDANCE", "there is no act called dance"),
    ):
        raw = mail(text, sender=DORA)
        (row,) = house.bring(raw, address_of(house), mail_from=DORA)
        assert row.result == "gm-mistakes"
        assert why in words_of(house.letters(to=DORA)[-1])
    with session(house.engine) as opened:
        game = games.find(opened, house.game_id)
    assert game is not None
    assert game.paused_at is None
    assert not house.letters(kind="note", to=ANNA)


def test_help_lists_what_a_mail_may_do(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    assert write(house, "HELP") == "gm-help"
    told = words_of(house.letters(to=DORA)[-1])
    assert "EXTEND by" in told
    assert "ROLLBACK" not in told


@pytest.mark.parametrize("sender", [ANNA, "stranger@example.net"])
def test_nobody_else_can_use_the_address(parlour: OpenParlour, sender: str) -> None:
    house = parlour(proofs=False)
    assert write(house, "PAUSE", sender) == "gm-confirm"
    assert not house.letters(to=sender, kind="note")
    assert not paused(house)
    asked = house.letters(to=DORA)[-1]
    assert asked["In-Reply-To"] is None
    assert sender in words_of(asked)
    assert "> PAUSE" in text_of(asked)


@pytest.mark.parametrize(
    ("word", "about", "stopped"),
    [("YES", "gm-done", True), ("ja", "gm-done", True), ("NO", "gm-dropped", False)],
)
def test_a_mail_without_proof_is_asked_about(
    parlour: OpenParlour, word: str, about: str, *, stopped: bool
) -> None:
    house = parlour(proofs=True)
    assert write(house, "PAUSE") == "gm-confirm"
    assert not paused(house)
    asked = house.letters(to=DORA)[-1]
    assert asked["In-Reply-To"] == "<m1@example.org>"
    assert {"| YES", "| NO"} <= set(text_of(asked).splitlines())
    to = parseaddr(str(asked["Reply-To"]))[1]
    assert to.startswith("gm+g1.confirm1.")
    (row,) = house.bring(mail(word, sender=DORA, message_id="<m2@x>"), to, mail_from=DORA)
    assert (row.status, row.result) == (InboxStatus.DONE, about)
    assert paused(house) is stopped
    assert house.letters(to=DORA)[-1]["In-Reply-To"] == "<m2@x>"
    (row,) = house.bring(mail("YES", sender=DORA, message_id="<m3@x>"), to, mail_from=DORA)
    assert row.result == "gm-settled"


def test_only_its_game_master_answers_the_question(parlour: OpenParlour) -> None:
    house = parlour(proofs=True)
    write(house, "PAUSE")
    to = parseaddr(str(house.letters(to=DORA)[-1]["Reply-To"]))[1]
    (row,) = house.bring(mail("YES", sender=ANNA, message_id="<m2@x>"), to)
    assert (row.status, row.result) == (InboxStatus.SET_ASIDE, "gm-unproved")
    (row,) = house.bring(mail("perhaps", sender=DORA, message_id="<m3@x>"), to, mail_from=DORA)
    assert row.result == "gm-yes-or-no"
    assert not paused(house)


def test_a_stranger_cannot_fill_the_mailbox_of_a_game_master(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    for number in range(MOST_QUESTIONS + 2):
        raw = mail("PAUSE", sender="mallory@x.example", message_id=f"<m{number}@x>")
        (row,) = house.bring(raw, address_of(house), mail_from="mallory@x.example")
    assert (row.status, row.result) == (InboxStatus.HELD, "unasked")
    assert len(house.letters(to=DORA)) == MOST_QUESTIONS


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("it", "PROROGA 24h\nNOTA TUTTI: a lunedì\nMOTIVO guasto", "Ecco che cosa è stato fatto"),
        ("nl", "VERLENG 24h\nBERICHT ALLEN: tot maandag\nREDEN storing", "Dit is gedaan"),
        ("sl", "PODALJŠAJ 24h\nOBVESTILO VSI: do ponedeljka\nRAZLOG okvara", "To je bilo storjeno"),
    ],
)
def test_commands_are_read_and_answered_in_four_languages(
    parlour: OpenParlour, language: str, text: str, told: str
) -> None:
    house = parlour(proofs=False)
    assert write(house, text) == "gm-done"
    with session(house.engine) as opened:
        *_, extended, noted = audit.of_game(opened, house.game_id)
    assert (extended.what, noted.what) == ("extend", "note")
    assert extended.reason == text.rsplit(maxsplit=1)[-1]
    assert noted.detail["fields"]["to"] == "all"
    answer = house.letters(to=DORA)[-1]
    assert told in words_of(answer)
    help_word = gm.printed("help", language)
    raw = mail(help_word, sender=DORA, message_id="<m2@example.org>")
    house.bring(raw, address_of(house), mail_from=DORA)
    offered = text_of(house.letters(to=DORA)[-1])
    assert f"> {gm.printed('extend', language)} {gm.field('by', language)}" in offered
    assert gm.printed("reason", language) in offered


def test_every_act_and_field_has_words_and_no_word_means_two_acts() -> None:
    for language in LANGUAGES:
        for name, act in ACTS.items():
            assert gm.command(gm.printed(name, language)) is not None
            assert gm.printed(name, language)
            if act.grade in commands.BY_MAIL:
                assert all(gm.field(one.name, language) for one in form.fields_of(act))
    said = [(known, act) for known, _, act, _ in gm._phrases()]
    assert len({known for known, _ in said}) == len(set(said))


def test_a_wrong_line_is_told_what_a_good_one_is(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    lines = {
        "EXTEND": "by is missing; write a time as 24h, 90m or 2d",
        "EXTEND soon": 'by: "soon" cannot be read; write a time as 24h, 90m or 2d',
        "DEADLINE tomorrow": "write a moment as 2026-12-03T20:00",
        "RESEND that": "write a number",
        "NOTE X hello": "write the letter of a seat, A to F, or ALL",
        "NEUTRAL Q": "write the letter of a seat, A to F.",
        "REPLACE B nobody": "write anna@example.org, Anna <anna@example.org> or computer",
        "LANGUAGE A fr": "write one of: en, it, nl, sl",
        "DANCE": "only: PAUSE, RESUME, EXTEND",
    }
    assert write(house, "\n".join(lines)) == "gm-mistakes"
    told = words_of(house.letters(to=DORA)[-1])
    for line, good in lines.items():
        answer = told.partition(f"> {line} ")[2].partition(" > ")[0]
        assert good in answer, line


@pytest.mark.parametrize(
    ("end", "same"),
    [("", False), (" --allow-same", True), (" \N{EM DASH}Allow-Same", True), (" allow", False)],
)
def test_what_is_only_set_stands_at_the_end_of_the_line(end: str, same: bool) -> None:
    said = commands.read([f"REPLACE B Carla Bo <carla@people.example>{end}"], "UTC")
    assert [act for _, act in said.acts] == (
        [Replace("B", "Carla Bo <carla@people.example>", same)] if end != " allow" else []
    )
    assert "REPLACE seat heir [--allow-same]" in commands.offered("en")


def test_a_mail_gives_nobody_a_second_seat_unasked(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    write(house, f"REPLACE B Anna <{ANNA}>")
    told = words_of(house.letters(to=DORA)[-1])
    assert "plays seat A of this game already; --allow-same lets" in told


def test_an_address_of_nobody_is_refused_at_the_door(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    with session(house.engine) as opened:
        assert master(opened, house.house, address_of(house)) == DORA
        assert master(opened, house.house, address_of(house, ANNA)) is None
        other = address_of(house).replace("g1.", "g2.")
        assert master(opened, house.house, other) is None
