"""`pbem mail read` and `pbem mail ingest`, seen from outside."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Pbem

LETTERS = Path(__file__).parents[1] / "letters"
ANNA = "anna@people.example"


def game(pbem: Pbem) -> dict[str, Any]:
    seats = (f"red={ANNA}", "blue=computer", "green=computer")
    words = [word for seat in seats for word in ("--seat", seat)]
    made: dict[str, Any] = json.loads(pbem("game", "new", *words, "--json").stdout)
    return made


def mail(to: str, text: str, sender: str = ANNA, number: int = 1) -> str:
    return f"From: {sender}\nTo: {to}\nMessage-ID: <m{number}@people.example>\n\n{text}\n"


def test_each_mail_is_one_object_on_one_line(pbem: Pbem) -> None:
    files = [str(LETTERS / name) for name in ("bullets.eml", "calendar-reply.eml")]
    result = pbem("mail", "read", *files)
    assert result.exit_code == 0
    orders, calendar = map(json.loads, result.stdout.splitlines())
    assert orders["kind"] == "orders"
    assert orders["from"] == "anna@example.com"
    assert orders["text"] == ["place 5 in Siam", "attack India from Siam, keep 4", "end"]
    assert {"refused", "message_id", "doubtful", "notes"} <= set(orders)
    assert calendar["kind"] == "calendar"


def test_a_mail_of_nothing_is_still_read(pbem: Pbem) -> None:
    result = pbem("mail", "read", "-", stdin="\n\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["kind"] == "empty"


def test_the_null_sender_of_the_envelope_makes_no_orders(pbem: Pbem) -> None:
    text = "From: anna@example.com\nSubject: Undelivered\n\nend\n"
    kinds = [
        json.loads(pbem("mail", "read", "--from", envelope, "-", stdin=text).stdout)["kind"]
        for envelope in ("anna@example.com", "")
    ]
    assert kinds[0] == "orders"
    assert kinds[1] != "orders"


def test_lines_of_the_letter_that_is_answered_are_not_new(pbem: Pbem, tmp_path: Path) -> None:
    old = ["Turn 3 - your move.", "place 5 in Siam", "attack India from Siam", "Good luck."]
    sent = tmp_path / "sent.eml"
    sent.write_text("From: a@b.example\nContent-Type: text/plain\n\n" + "\n".join(old) + "\n")
    answer = "From: anna@example.com\n\nend\n" + "\n".join(old) + "\n"
    read = json.loads(pbem("mail", "read", "--sent", str(sent), "-", stdin=answer).stdout)
    assert read["text"] == ["end"]


def test_a_file_that_is_not_there_is_one_line(pbem: Pbem, tmp_path: Path) -> None:
    for command in ("read", "ingest"):
        result = pbem("mail", command, str(tmp_path / "gone.eml"))
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1


def test_a_mail_is_taken_in_played_and_answered_without_a_service(pbem: Pbem) -> None:
    to = game(pbem)["seats"][0]["reply_to"]
    result = pbem("mail", "ingest", "-", "--json", stdin=mail(to, "YES"))
    assert result.exit_code == 0, result.output
    taken = json.loads(result.stdout)
    assert (taken["recipient"], taken["arrived"], taken["result"]) == (to, "new", "joined")
    assert json.loads(pbem("game", "show", "g1", "--json").stdout)["phase"] == "claim"


def test_the_same_mail_again_changes_nothing(pbem: Pbem) -> None:
    to = game(pbem)["seats"][0]["reply_to"]
    pbem("mail", "ingest", "-", stdin=mail(to, "YES"))
    before = pbem("game", "show", "g1", "--json").stdout
    again = pbem("mail", "ingest", "-", "--json", stdin=mail(to, "YES"))
    assert json.loads(again.stdout)["arrived"] == "duplicate"
    assert again.exit_code == 0
    assert pbem("game", "show", "g1", "--json").stdout == before


def test_the_option_wins_over_the_headers(pbem: Pbem) -> None:
    to = game(pbem)["seats"][0]["reply_to"]
    text = mail("somebody@else.example", "YES")
    result = pbem("mail", "ingest", "-", "--to", to, "--json", stdin=text)
    assert json.loads(result.stdout)["result"] == "joined"


@pytest.mark.parametrize("header", ["Delivered-To", "X-Original-To", "Envelope-To"])
def test_a_list_of_recipients_is_searched_for_an_address_of_ours(pbem: Pbem, header: str) -> None:
    to = game(pbem)["seats"][0]["reply_to"]
    text = f"{header}: {to}\n" + mail("undisclosed@else.example", "YES")
    result = pbem("mail", "ingest", "-", "--json", stdin=text)
    assert json.loads(result.stdout)["recipient"] == to


def test_one_mail_to_two_games_is_taken_for_both_whoever_else_gets_it(pbem: Pbem) -> None:
    first, second = (game(pbem)["seats"][0]["reply_to"] for _ in range(2))
    result = pbem(
        "mail", "ingest", "-", "--json", stdin=mail(f"{first}, bob@else.example, {second}", "YES")
    )
    assert result.exit_code == 0
    came = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(one["recipient"], one["result"]) for one in came] == [
        (first, "joined"),
        (second, "joined"),
    ]


def test_a_recipient_that_the_door_refuses_fails_with_its_reply(pbem: Pbem) -> None:
    result = pbem("mail", "ingest", "-", stdin=mail("nobody@pbem.localhost", "end"))
    assert result.exit_code == 1
    assert "550 5.1.1" in result.stdout


def test_a_mail_without_a_recipient_is_misuse(pbem: Pbem) -> None:
    result = pbem("mail", "ingest", "-", stdin=f"From: {ANNA}\n\nend\n")
    assert result.exit_code == 2
    assert result.stderr == "pbem: the mail names no recipient; give it with --to ADDRESS\n"
