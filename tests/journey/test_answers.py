"""What comes back for a mail: one answer each, and nothing done that was not meant."""

import smtplib
from email.message import EmailMessage
from email.utils import make_msgid

import pytest

from tests.journey.house import House, person
from tests.journey.letter import Letter
from tests.journey.robot import MAP, NEIGHBOURS
from tests.journey.table import GameTable, open_table

KINDS = frozenset(
    {"invitation", "joined", "setup-call", "setup-result", "turn-call", "done", "mistakes"}
    | {"paused", "preview", "reminder", "late", "report", "eliminated", "game-over", "press"}
    | {"confirm", "not-understood", "help", "history", "stats", "login", "note"}
)
STATE = ["game", "turn", "step", "phase", "to-place", "open"]
CALLS = ("invitation", "setup-call", "setup-result", "turn-call", "report", "reminder")


@pytest.fixture(scope="module")
def table(house: House) -> GameTable:
    """A table at which nothing is closed: each test leaves the turn with the same seat."""
    return open_table(house)


def first_lines(letter: Letter) -> str:
    """The first lines below the marker."""
    return " ".join(letter.text.split("\n\n", 1)[1].split("\n")[:4])


def test_orders_are_answered_with_the_board_that_they_made(house: House) -> None:
    table = open_table(house)
    before, front = table.show(), table.own()[0]
    assert table.call.state | {"game": table.game} == {
        "game": table.game,
        "turn": "1",
        "step": "1",
        "phase": "place",
        "to-place": str(before["to_place"]),
        "open": "yes",
    }
    mail = house.reply(table.call, f"place 1 in {front}\n")
    answer = house.answer(mail)
    assert answer.kind == "done"
    assert answer.in_reply_to == mail
    assert mail in (answer.header("References") or "")
    left = before["to_place"] - 1
    assert answer.state["to-place"] == str(left)
    assert (answer.state["step"], answer.state["open"]) == ("2", "yes")
    assert "open" in first_lines(answer)
    assert str(left) in first_lines(answer)

    shown = table.show()
    assert (shown["step"], shown["to_place"], shown["on_turn"]) == (2, left, table.letter_on_turn)
    assert {code: list(held) for code, held in answer.board.items()} == shown["board"]

    closing = house.say(answer, f"place the rest in {front}\nend\n")
    assert closing.kind == "done"
    assert "closed" in first_lines(closing)
    assert (closing.state["open"], closing.state["to-place"]) == ("no", "0")
    following = table.wait_call(2)
    assert following.to != answer.to
    # One report a turn, to neither the sender nor the next seat.
    (third,) = {*table.people.values()} - {answer.to, following.to}
    assert house.letter(third, "report").state["turn"] == "2"
    assert house.sink is not None
    assert house.sink.to(answer.to, "report") == house.sink.to(following.to, "report") == []


def test_every_letter_names_its_kind_and_where_the_game_stands(
    house: House, table: GameTable
) -> None:
    assert house.sink is not None
    letters = [one for one in house.sink.letters if one.game == table.game]
    assert {"setup-call", "setup-result", "turn-call", "done"} <= {one.kind for one in letters}
    for letter in letters:
        assert letter.kind in KINDS
        assert list(letter.state) == STATE, letter.header("X-PBEM-State")
        assert letter.reply_to == letter.mail["From"].addresses[0].addr_spec
        assert f"+{table.game}." in letter.reply_to
        if letter.kind in CALLS:
            assert letter.in_reply_to is None, letter.kind
        else:
            assert letter.in_reply_to, letter.kind


def test_a_board_shows_each_territory_once(house: House, table: GameTable) -> None:
    answer = house.say(table.call, "board\n")
    assert answer.kind == "done"
    for letter in (table.call, answer):
        codes = [code for code, _, _ in letter.lands]
        assert sorted(codes) == sorted(MAP.codes)
        for code, _, _ in letter.lands:
            assert f"{code} {MAP.territories[code].name} " in letter.text  # type: ignore[index]
        heading = next(line for line in letter.text.splitlines() if line.startswith("BOARD"))
        for seat in ("A Red", "B Blue", "C Green"):
            assert seat in letter.text
        assert heading.count(",") >= 1


def test_the_same_message_id_has_no_second_answer(house: House, table: GameTable) -> None:
    mail = house.reply(table.call, "help\n")
    first = house.answer(mail)
    assert first.kind == "help"
    house.reply(table.call, "help\n", message_id=mail)
    later = house.say(table.call, "board\n")
    assert later.kind == "done"
    assert len(house.answers(mail)) == 1


def test_the_same_orders_again_roll_nothing(house: House) -> None:
    table = open_table(house)
    front = table.own()[0]
    text = f"place the rest in {front}\nattack {table.enemy_of(front)} from {front}, once\n"
    first = table.say(text)
    assert first.kind == "done"
    before = table.standing()
    again = table.say(text.replace("\n", " \r\n").upper())
    assert again.kind == "done"
    assert "Nothing was rolled again" in " ".join(again.text.split())
    assert again.state["step"] == first.state["step"]
    assert table.standing() == before

    # The same words in answer to the newer letter are new orders.
    newer = house.say(first, f"attack {table.enemy_of(front)} from {front}, once\n")
    assert "Nothing was rolled again" not in " ".join(newer.text.split())


def test_orders_for_an_older_step_wait_for_a_yes(house: House) -> None:
    table = open_table(house)
    front, other = table.own()[:2]
    first = table.say(f"place 1 in {front}\n")
    before = table.standing()
    stale = table.say(f"place 1 in {other}\n")
    assert stale.kind == "mistakes"
    assert table.standing() == before
    taken = house.say(stale, "Yes!\n")
    assert taken.kind == "done"
    shown = table.show()
    armies = first.board[other][1]
    assert shown["board"][other] == [table.letter_on_turn, armies + 1]
    assert shown["step"] == 3
    again = house.say(stale, "YES\n")
    assert again.kind in ("done", "mistakes")
    assert table.show() == shown


def test_orders_out_of_turn_change_nothing(house: House, table: GameTable) -> None:
    before = table.standing()
    for who in table.waiting:
        answer = house.say(table.newest(who), "place 3 in Siam\nend\n")
        assert answer.kind == "mistakes"
        assert "turn" in answer.text
        assert answer.state["open"] == "no"
    assert table.standing() == before


def test_mistakes_come_with_a_text_that_yes_takes(house: House) -> None:
    table = open_table(house)
    front = table.own()[0]
    target, left = table.enemy_of(front), table.show()["to_place"]
    before = table.standing()
    # The order of things is wrong: placing comes before attacking.
    wrong = table.say(f"attack {target} from {front}, once\nplace {left} in {front}\n")
    assert wrong.kind == "mistakes"
    assert table.standing() == before
    assert "YES" in wrong.text
    assert "/rules#turn\n" in wrong.text
    taken = house.say(wrong, "yes")
    assert taken.kind == "done"
    after = table.show()
    assert after["to_place"] == 0
    assert after["phase"] == "attack"

    nothing = house.say(taken, "YES\n")
    assert nothing.kind == "mistakes"
    assert table.show() == after


def test_nothing_of_a_mail_is_done_if_one_line_is_wrong(house: House, table: GameTable) -> None:
    front = table.own()[0]
    far = next(c for c in MAP.codes if c not in NEIGHBOURS[front] and c != front)
    before = table.standing()
    answer = table.say(f"place the rest in {front}\nattack {far} from {front}\nxyzzy 7\nend\n")
    assert answer.kind == "mistakes"
    assert table.standing() == before


@pytest.mark.parametrize(
    "text",
    ["", "\n\n \n", "> place 3 in Siam\n> end\n", "-- \nAnna\n"],
    ids=["empty", "blank", "quote", "signature"],
)
def test_a_mail_without_orders_has_one_friendly_answer(
    house: House, table: GameTable, text: str
) -> None:
    before = table.standing()
    answer = table.say(text)
    assert answer.kind == "not-understood"
    assert "Nothing was done" in answer.text
    assert answer.reply_to
    assert table.standing() == before


def unreadable(kind: str) -> EmailMessage:
    mail = EmailMessage()
    if kind == "picture":
        mail.set_content(b"\x89PNG\r\n\x1a\nnothing", maintype="image", subtype="png")
    elif kind == "encrypted":
        mail.set_content(b"Version: 1\n", maintype="application", subtype="pgp-encrypted")
        mail.replace_header("Content-Type", 'multipart/encrypted; protocol="application/pgp"')
    else:
        mail.set_content("\ufffd\x01\x02 \ufffd\n")
    return mail


@pytest.mark.parametrize("kind", ["picture", "encrypted", "garbage"])
def test_an_unreadable_mail_has_one_friendly_answer(
    house: House, table: GameTable, kind: str
) -> None:
    before = table.standing()
    mail = unreadable(kind)
    mail["From"], mail["To"], mail["Subject"] = table.on_turn, table.call.reply_to, "orders"
    mail["Message-ID"] = make_msgid(domain="people.example")
    house.send_raw(table.on_turn, table.call.reply_to, mail.as_bytes())
    answer = house.answer(str(mail["Message-ID"]))
    assert answer.kind in ("not-understood", "mistakes")
    assert table.standing() == before


def test_unknown_addresses_are_refused_with_help(house: House, table: GameTable) -> None:
    known = table.call.reply_to
    local, _, domain = known.partition("@")
    head, _, tag = local.rpartition(".")
    forged = tag[::-1] if tag[::-1] != tag else "a" * 16
    unknown = [
        f"nobody@{domain}",
        f"{head}.{forged}@{domain}",
        f"{head.replace('.1.1', '.2.1')}.{tag}@{domain}",
        f"play+g99999.a.1.1.{tag}@{domain}",
    ]
    with house.smtp() as client:
        client.ehlo()
        for address in unknown:
            client.mail(table.on_turn)
            code, reply = client.rcpt(address)
            assert code == 550, address
            assert b"newest letter" in reply, reply
            client.rset()
        for address in (known, known.upper(), known.removeprefix("play+")):
            client.mail(table.on_turn)
            assert client.rcpt(address)[0] == 250, address
            client.rset()
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        house.send(table.on_turn, f"nobody@{domain}", "end")


def test_an_address_without_its_plus_part_is_answered_too(house: House, table: GameTable) -> None:
    mail = house.send(table.on_turn, table.call.reply_to.removeprefix("play+"), "help")
    assert house.answer(mail).kind == "help"


def test_a_strangers_mail_waits_for_the_players_yes(house: House) -> None:
    table = open_table(house)
    assert house.sink is not None
    stranger, front = person("stranger"), table.own()[0]
    before = table.standing()
    text = f"place the rest in {front}\nend\n"
    mail = house.send(stranger, table.call.reply_to, text, answers=table.call)
    asked = house.letter(table.on_turn, "confirm")
    assert asked.in_reply_to is None
    assert stranger in asked.text
    assert table.standing() == before

    taken = house.say(asked, "YES\n")
    assert taken.kind == "done"
    assert taken.to == table.on_turn
    assert table.show()["turn"] == 2
    assert house.sink.to(stranger) == []
    assert house.answers(mail) == []
    assert len(house.sink.to(asked.to, "confirm")) == 1


def test_a_strangers_mail_that_the_player_denies_is_dropped(house: House, table: GameTable) -> None:
    before = table.standing()
    house.send(person("stranger"), table.call.reply_to, "place the rest in Siam\nend\n")
    asked = house.letter(table.on_turn, "confirm")
    assert house.say(asked, "NO\n").kind == "done"
    assert table.standing() == before


def test_letters_in_other_languages_say_the_same_to_programs(house: House) -> None:
    table = open_table(house, "--language", "it")
    front = table.own()[0]
    answer = table.say(f"metti 1 in {front}\n")
    assert answer.kind == "done"
    assert answer.state["open"] == "yes"
    assert sorted(code for code, _, _ in answer.lands) == sorted(MAP.codes)
    shown = table.show()
    assert {code: list(held) for code, held in answer.board.items()} == shown["board"]
