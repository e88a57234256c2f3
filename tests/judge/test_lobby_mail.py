"""Mails to the lobby: what is answered, what is asked first, and what stays as it was."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from pbem.judge import choosing, invitees, lobby, seating
from pbem.judge.progress import Progress
from pbem.judge.seating import Newcomer, NoSeat
from pbem.store import games, inbox
from pbem.store import lobby as callers
from pbem.store.engine import session
from pbem.store.tables import InboxStatus, SeatStatus
from tests.judge.parlour import ANNA, BERTA, DOMAIN, Parlour, mail, text_of, words_of

GAMES = f"games@{DOMAIN}"
NEW = "nils@example.net"


@pytest.fixture
def parlour(tmp_path: Path) -> Iterator[Parlour]:
    opened = Parlour(tmp_path, proofs=False)
    yield opened
    opened.close()


def open_game(
    parlour: Parlour,
    *seats: str,
    chosen: Mapping[str, str] | None = None,
    start: bool = False,
) -> str:
    """A game with the seats as `--seat` writes them; listed and to be watched, if not chosen."""
    changes = {"listed": "yes", "spectators": "yes", **(chosen or {})}
    rules, made = choosing.choose("classic-1993", changes, pace=None, remind=())
    with session(parlour.engine) as opened:
        game = lobby.create(
            opened,
            parlour.now,
            ruleset=rules,
            options=made,
            seats=[invitees.parse_seat(seat, "en") for seat in seats],
            language="en",
            entropy=bytes,
        )
        lobby.open_game(opened, parlour.house, game, parlour.now, inviter="", start=start)
        return games.public_id(game.id)


def write(parlour: Parlour, text: str, sender: str = NEW, to: str = GAMES) -> Message:
    """A mail to the lobby; its one answer."""
    (row,) = parlour.bring(mail(text, sender=f"Nils Holm <{sender}>"), to, mail_from=sender)
    assert len(parlour.answers(row)) == 1
    read = (row.reading or {})["message_id"]
    (answer,) = [one for one in parlour.letters(to=sender) if one["In-Reply-To"] == read]
    return answer


def confirm(parlour: Parlour, text: str, sender: str = NEW) -> Message:
    """The same for what is asked about first: the answer to the YES."""
    asked = write(parlour, text, sender)
    assert asked["X-PBEM-Kind"] == "confirm"
    return write(parlour, "yes", sender, to=str(asked["Reply-To"]))


def seats_of(parlour: Parlour, game: str) -> dict[str, tuple[str | None, str]]:
    with session(parlour.engine) as opened:
        rows = games.seats(opened, games.game_id(game) or 0)
    return {seat.colour: (seat.address, seat.status) for seat in rows}


def test_the_list_names_games_with_free_seats_and_games_to_watch(parlour: Parlour) -> None:
    waiting = open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    watched = open_game(parlour, "red=computer", "blue=computer", "green=computer", start=True)
    hidden = open_game(parlour, f"red={ANNA}", "green=open", "blue=open", chosen={"listed": "no"})
    answer = write(parlour, "LIST")
    text = text_of(answer)
    assert answer["X-PBEM-Kind"] == "done"
    assert f"JOIN {waiting} GREEN" in text
    assert f"OBSERVE {watched}" in text
    assert hidden not in text.replace(waiting, "").replace(watched, "").split()
    assert "example" not in text


@pytest.mark.parametrize(
    ("command", "heading"),
    [
        ("list", "games that wait"),
        ("elenco", "partite che"),
        ("lijst", "spellen"),
        ("seznam", "igre, ki"),
    ],
)
def test_the_answer_speaks_the_language_of_the_word(
    parlour: Parlour, command: str, heading: str
) -> None:
    open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    assert heading in words_of(write(parlour, command)).lower()


def test_a_seat_is_taken_after_one_question(parlour: Parlour) -> None:
    game = open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    answer = confirm(parlour, f"JOIN {game} blue\nLUCK mango")
    assert answer["X-PBEM-Kind"] == "joined"
    assert "You are in, Nils Holm: you play C Blue." in words_of(answer)
    assert "Your word for the dice is mango." in words_of(answer)
    assert seats_of(parlour, game)["blue"] == (NEW, SeatStatus.JOINED)
    with session(parlour.engine) as opened:
        (sat,) = games.seats_at(opened, NEW)
    assert (sat.luck, sat.open_since) == ("mango", None)


def test_without_the_answer_nobody_sits_down(parlour: Parlour) -> None:
    game = open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    asked = write(parlour, f"join {game}")
    assert seats_of(parlour, game)["green"] == (None, SeatStatus.INVITED)
    assert write(parlour, "no", to=str(asked["Reply-To"]))["X-PBEM-Kind"] == "done"
    late = write(parlour, "yes", to=str(asked["Reply-To"]))
    assert "answered already" in words_of(late)
    assert seats_of(parlour, game)["green"] == (None, SeatStatus.INVITED)


def test_nobody_else_can_answer_the_question(parlour: Parlour) -> None:
    game = open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    asked = write(parlour, f"join {game}")
    (row,) = parlour.bring(
        mail("yes", sender="eve@example.com"), str(asked["Reply-To"]), mail_from="eve@example.com"
    )
    assert (row.status, parlour.answers(row)) == (InboxStatus.IGNORED, [])
    assert seats_of(parlour, game)["green"][0] is None


def test_an_address_that_nobody_gave_is_no_address(parlour: Parlour) -> None:
    with pytest.raises(AssertionError, match="550"):
        parlour.bring(mail("yes"), f"games+confirm.1.aaaaaaaaaaaaaaaa@{DOMAIN}")


def test_who_comes_second_is_told_what_is_free(parlour: Parlour) -> None:
    game = open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    confirm(parlour, f"join {game} green")
    answer = confirm(parlour, f"join {game} green", "second@example.net")
    assert answer["X-PBEM-Kind"] == "mistakes"
    assert "Green is not free" in words_of(answer)
    assert "Free is: Blue." in words_of(answer)


def test_of_two_at_once_the_second_sees_the_seat_taken(parlour: Parlour) -> None:
    game = open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    number = games.game_id(game) or 0
    for sender, sits in (("one@x.example", True), ("two@x.example", False)):
        with session(parlour.engine) as opened:
            locked = games.lock(opened, number)
            progress = Progress(opened, parlour.house, locked, parlour.now, None)
            comer = Newcomer(sender, "", "en", colour="green")
            found = seating.take(progress, comer, None)
            progress.close()
        assert isinstance(found, NoSeat) is not sits


def test_the_last_seat_begins_the_game(parlour: Parlour) -> None:
    game = open_game(parlour, "red=computer", "green=computer", "blue=open")
    confirm(parlour, f"join {game}")
    assert [one["X-PBEM-Kind"] for one in parlour.letters(to=NEW)] == [
        "confirm",
        "joined",
        "setup-call",
    ]


def test_a_seat_that_seeks_a_player_is_handed_out_while_the_game_runs(parlour: Parlour) -> None:
    game = open_game(parlour, f"red={ANNA}", f"green={BERTA}", "blue=computer", start=True)
    with session(parlour.engine) as opened:
        seat = games.seat(opened, games.game_id(game) or 0, "B")
        assert seat is not None
        seat.computer, seat.open_since = True, parlour.now
        opened.add(seat)
    answer = confirm(parlour, f"join {game}")
    assert "The game has begun already" in words_of(answer)
    assert parlour.letters(kind="setup-call", to=NEW)
    left = parlour.letters(kind="note", to=BERTA)
    assert any("in place of" in words_of(one) for one in left)


@pytest.mark.parametrize("text", ["join g77", "observe g77", "leave g77"])
def test_a_game_that_there_is_not_is_said_so(parlour: Parlour, text: str) -> None:
    assert confirm(parlour, text)["X-PBEM-Kind"] == "mistakes"


def test_a_closed_game_is_answered_as_one_that_there_is_not(parlour: Parlour) -> None:
    answer = words_of(confirm(parlour, "join g1"))
    assert answer.replace("g1", "g9") == words_of(confirm(parlour, "join g9"))


def test_what_cannot_be_read_gets_the_help(parlour: Parlour) -> None:
    answer = write(parlour, "hello, is anybody there?")
    assert answer["X-PBEM-Kind"] == "not-understood"
    assert "OBSERVE g7" in text_of(answer)
    assert write(parlour, "help")["X-PBEM-Kind"] == "help"


def test_a_machine_gets_no_answer(parlour: Parlour) -> None:
    raw = mail("list", "Auto-Submitted: auto-replied", sender=NEW)
    (row,) = parlour.bring(raw, GAMES, mail_from=NEW)
    assert (row.status, parlour.answers(row)) == (InboxStatus.IGNORED, [])


def test_an_address_is_answered_so_often_a_day(parlour: Parlour) -> None:
    with session(parlour.engine) as opened:
        for _ in range(30):
            callers.came(opened, NEW, "mail", parlour.now)
    (row,) = parlour.bring(mail("list", sender=NEW), GAMES, mail_from=NEW)
    assert (row.result, parlour.answers(row)) == ("too-many", [])
    parlour.now += timedelta(days=1, minutes=1)
    assert write(parlour, "list")["X-PBEM-Kind"] == "done"


def test_only_who_may_makes_a_game(parlour: Parlour) -> None:
    text = "NEW GAME\nred me\nblue open\ngreen open\nset listed=yes"
    assert "only game masters" in words_of(confirm(parlour, text))
    parlour.house = replace(parlour.house, is_open=True)
    made = confirm(parlour, text)
    assert "Your new game is g2" in str(made["Subject"])
    assert seats_of(parlour, "g2") == {
        "red": (NEW, SeatStatus.INVITED),
        "blue": (None, SeatStatus.INVITED),
        "green": (None, SeatStatus.INVITED),
    }
    assert len(parlour.letters(kind="invitation", to=NEW)) == 1


def test_a_new_game_is_told_each_of_its_mistakes(parlour: Parlour) -> None:
    parlour.house = replace(parlour.house, is_open=True)
    text = "NEW GAME chess\nred me\nblue nobody\nset press=loud"
    told = words_of(confirm(parlour, text))
    assert 'No rules are called "chess".' in told
    assert 'Blue: "nobody" is no address.' in told
    told = words_of(confirm(parlour, "NEW GAME\nred me\nblue open\ngreen open\nset press=loud"))
    assert 'press cannot be "loud".' in told
    assert "g2" not in seats_of(parlour, "g2")


def test_the_postmaster_stays_for_people(parlour: Parlour) -> None:
    (row,) = parlour.bring(mail("list", sender=NEW), f"postmaster@{DOMAIN}", mail_from=NEW)
    assert row.status == InboxStatus.SET_ASIDE
    with session(parlour.engine) as opened:
        assert inbox.without_game(opened, parlour.now) == []


def test_a_proved_sender_sits_down_at_once(tmp_path: Path) -> None:
    parlour = Parlour(tmp_path, authserv="mx.example.org")
    game = open_game(parlour, f"red={ANNA}", "green=open", "blue=open")
    proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net"
    for text, kind in ((f"join {game}", "joined"), (f"leave {game}", "mistakes")):
        raw = proof.encode() + b"\r\n" + mail(text, sender=NEW)
        (row,) = parlour.bring(raw, GAMES, mail_from=NEW)
        assert parlour.answers(row) == [kind]
    (row,) = parlour.bring(mail(f"observe {game}", sender="eve@example.net"), GAMES)
    assert parlour.answers(row) == ["confirm"]
    parlour.close()


def test_the_computer_plays_a_free_seat_of_a_game_that_has_begun(parlour: Parlour) -> None:
    game = open_game(parlour, f"red={ANNA}", "green=open", "blue=open", start=True)
    with session(parlour.engine) as opened:
        rows = games.seats(opened, games.game_id(game) or 0)
    assert [seat.computer for seat in rows] == [False, True, True]
    assert confirm(parlour, f"join {game} blue")["X-PBEM-Kind"] == "joined"
    with session(parlour.engine) as opened:
        rows = games.seats(opened, games.game_id(game) or 0)
    assert [seat.computer for seat in rows] == [False, True, False]
