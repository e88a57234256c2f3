"""A table of many languages: each letter speaks its reader's, headers are for programs."""

import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from pathlib import Path

import pytest

from pbem.judge import choosing, lobby
from pbem.judge.invitees import parse_seat
from pbem.mail.marker import MARKERS
from pbem.store.engine import session
from tests.judge.parlour import Parlour, mail, text_of

WHO = {"anna@x.example": "nl", "bine@x.example": "sl", "carla@x.example": "it"}
SEATS = ("red=Anna <anna@x.example>:nl", "blue=Bine <bine@x.example>:sl", "green=carla@x.example")
COMPUTER = "yellow=computer"
STATE = re.compile(r"game=g\d+ turn=\d+ step=\d+ phase=[a-z]+ to-place=\d+ open=(yes|no)")
BOARD = {
    "nl": r"GBR Groot-Brittannië +[A-D-] \d+",
    "sl": r"GBR Velika Britanija +[A-D-] \d+",
    "it": r"GBR Gran Bretagna +[A-D-] \d+",
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Parlour]:
    """A game in Italian that waits for lists, with a player of each language and a computer."""
    parlour = Parlour(tmp_path, proofs=False)
    open_table(parlour, start=True)
    yield parlour
    parlour.close()


@pytest.fixture
def invited(tmp_path: Path) -> Iterator[Parlour]:
    """The same game, whose invitations are not answered yet."""
    parlour = Parlour(tmp_path, proofs=False)
    open_table(parlour, start=False)
    yield parlour
    parlour.close()


def open_table(parlour: Parlour, *, start: bool) -> None:
    rules, chosen = choosing.choose("classic-1993", {}, pace=None, remind=())
    with session(parlour.engine) as opened:
        game = lobby.create(
            opened,
            parlour.now,
            ruleset=rules,
            options=chosen,
            seats=[parse_seat(text, "it") for text in (*SEATS, COMPUTER)],
            language="it",
            entropy=bytes,
        )
        lobby.open_game(opened, parlour.house, game, parlour.now, inviter="gm", start=start)
        parlour.game_id = game.id
    parlour.play()


@pytest.mark.parametrize("reader", WHO)
def test_each_letter_speaks_its_readers_language(table: Parlour, reader: str) -> None:
    (letter,) = table.letters(kind="setup-call", to=reader)
    text = text_of(letter)
    assert text.startswith(MARKERS[WHO[reader]])
    assert re.search(BOARD[WHO[reader]], text)
    assert max(map(len, text.splitlines())) <= 72


@pytest.mark.parametrize("reader", WHO)
def test_what_programs_read_is_not_translated(table: Parlour, reader: str) -> None:
    (letter,) = table.letters(kind="setup-call", to=reader)
    assert letter["X-PBEM-Kind"] == "setup-call"
    assert STATE.fullmatch(" ".join(str(letter["X-PBEM-State"]).split()))


def test_who_has_no_name_is_called_by_the_colour_in_every_language(table: Parlour) -> None:
    for reader, told in zip(WHO, ("D Geel", "D Rumeni", "D Giallo"), strict=True):
        text = text_of(table.letters(kind="setup-call", to=reader)[0])
        assert any(line.endswith(told) for line in text.splitlines())
        assert "Yellow" not in text
        assert "Green" not in text


def test_an_answer_speaks_the_language_that_was_written(table: Parlour) -> None:
    wishes = mail("zahtevaj Avstralija, Siam, najbližje", sender="Bine <bine@x.example>")
    table.bring(wishes, table.address("B"), mail_from="bine@x.example")
    answer = text_of(table.letters(kind="done", to="bine@x.example")[-1])
    assert "Tvoj seznam je shranjen, Bine." in answer
    assert "| zahtevaj Avstralijo, Siam, najbližje" in answer


@pytest.mark.parametrize(
    ("letter", "word", "subject"),
    [
        ("A", "ja", "[g2] Je doet mee: Rood"),
        ("B", "da", "[g2] V igri si: Modri"),
        ("C", "sì", "[g2] Sei in gioco: Verde"),
    ],
)
def test_an_invitation_is_answered_with_the_word_of_the_language(
    invited: Parlour, letter: str, word: str, subject: str
) -> None:
    reader = list(WHO)["ABC".index(letter)]
    yes = mail(word, "Content-Type: text/plain; charset=utf-8", sender=reader)
    invited.bring(yes, invited.address(letter), mail_from=reader)
    (joined,) = invited.letters(kind="joined", to=reader)
    assert str(make_header(decode_header(joined["Subject"]))).startswith(subject)
