"""Games on boards of other makers: to the end, by mail, in all languages."""

import json
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from itertools import cycle

import pytest

from pbem.judge import atlas, overview
from pbem.judge.importing import File
from pbem.orders.lexicon import LANGUAGES
from pbem.render.columns import WIDTH, width
from pbem.rules import board as boards
from pbem.rules.board import Code
from pbem.rules.card import WILD
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.verify import verify
from pbem.store.engine import session
from tests.judge.shore import FILES, HOUSE, Shore, body, forget
from tests.rules.atlas import MAP, text

THE_MAP, THE_CARDS = FILES


@pytest.mark.parametrize(
    ("seats", "ruleset"),
    [
        (2, "two-player-2015"),
        (4, "missions-2015"),
        (5, "capital-2015"),
        (6, "simple-it"),
    ],
)
def test_computers_play_to_the_end_and_the_record_proves_it(seats: int, ruleset: str) -> None:
    shore = Shore(seats=seats, ruleset=ruleset, seed=seats)
    shore.play_out()
    assert shore.state.winner in shore.state.seats
    for public in (False, True):
        record = shore.record(public=public)
        forget()
        report = verify(record)
        assert report.ok, report.failures
        assert (report.unproved_dice, report.unproved_cards) == (0, 0)


def test_it_is_played_to_the_end_by_order_mails() -> None:
    """Each mail names places in another way: by name, code, beginning, with a slip of the pen."""
    shore = Shore(languages=("en", "it"), seats=2, changes={"two_player": "plain"}, seed=3)
    for letter in ("A", "B"):
        kind, _ = shore.say(letter, "claim Southern Sands, Italai, GAL, nearest")
        assert kind == "done"
    ways: Iterator[Callable[[str], str]] = cycle((str.lower, lambda name: name[:5], _slipped))
    for turn in range(100):
        state = shore.state
        if state.phase is Phase.OVER:
            break
        seat = state.on_turn
        assert seat is not None
        said = next(ways) if turn % 4 else None
        kind, answer = shore.say(seat, "\n".join(_orders(state, seat, said)))
        assert kind in ("done", "game-over"), answer
    assert shore.state.winner is not None
    assert verify(shore.record(public=False)).ok


def _slipped(name: str) -> str:
    """With a letter too much, which is mended at once where the name is one word."""
    return name if " " in name else f"{name[:-1]}x{name[-1]}"


def _orders(state: State, seat: Seat, said: Callable[[str], str] | None) -> list[str]:
    """All armies to the strongest front, and from there along the weakest enemies."""
    board = state.board

    def named(code: Code) -> str:
        return code if said is None else said(board.territories[code].name)

    fronts = [code for code in state.held(seat) if any(state.enemies(code))]
    path = [max(fronts, key=lambda code: state.armies[code])]
    while len(path) < 5:
        near = [n for n in board.neighbours[path[-1]] if state.owner[n] != seat and n not in path]
        if not near:
            break
        path.append(min(near, key=lambda code: state.armies[code]))
    lines = ["trade auto"] if state.phase is Phase.TRADE else []
    lines.append(f"place the rest in {named(path[0])}")
    return [*lines, f"attack {' to '.join(map(named, path))}, all in, move in all", "end"]


def test_a_game_goes_on_with_its_board_when_a_newer_one_has_its_name() -> None:
    shore = Shore()
    before = shore.state.board
    newer = File(MAP, text(MAP).replace("Hellas", "Macedonia").encode())
    shore.bring_in([newer, THE_CARDS])
    shore.play_out()
    assert shore.state.board == before
    assert verify(shore.record(public=False)).ok
    shore.id = shore.new_game((), 3, "classic-1993", {})
    names = {territory.name for territory in shore.state.board.territories.values()}
    assert "Macedonia" in names
    assert "Hellas" not in names


def test_what_commands_show_needs_nothing_but_the_rows() -> None:
    shore = Shore()
    game = shore.game
    with session(shore.engine) as opened:
        forget()
        shown = overview.show(opened, HOUSE, game)
        forget()
        assert overview.line(opened, game)["phase"] == shown["phase"]
        forget()
        assert atlas.board_of(opened, game).title == "Middle Sea"


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_show_every_territory_once_and_a_picture(language: str) -> None:
    shore = Shore(languages=(language,) * 3, ruleset="missions-2015")
    for seat in ("A", "B", "C"):
        shore.say(seat, f"fill {shore.state.held(Seat(seat))[0]} 1")
    board = shore.state.board
    (call,) = shore.letters("turn-call")
    shown = [line for line in body(call).splitlines() if width(line) > WIDTH]
    assert not shown
    for code, territory in board.territories.items():
        row = rf"\b{code} {re.escape(territory.name)} +[A-C] +[0-9]+"
        assert len(re.findall(row, body(call))) == 1, code
        assert territory.name in body(call, "html")
    assert "Middle Sea" in body(call)
    assert types(call) == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    assert body(call, "html").count("cid:board.") == 1


def types(letter: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in letter.walk()]


def test_a_board_whose_places_nobody_told_has_no_picture() -> None:
    """One territory without its coordinates is enough: it could stand anywhere."""
    unplaced = text(MAP).replace("14 Creta 4 450 270", "14 Creta 4")
    assert unplaced != text(MAP)
    shore = Shore(languages=("en",) * 3, files=[File(MAP, unplaced.encode())])
    for seat in ("A", "B", "C"):
        shore.say(seat, "claim nearest")
    (call,) = shore.letters("turn-call")
    assert types(call) == ["multipart/alternative", "text/plain", "text/html"]
    assert "cid:" not in body(call, "html")


def test_who_wants_no_picture_gets_none_of_such_a_board_either() -> None:
    shore = Shore(languages=("en",) * 3)
    shore.say("A", "set picture off")
    for seat in ("A", "B", "C"):
        shore.say(seat, "claim nearest")
    shown = {letter["To"]: "image/png" in types(letter) for letter in shore.letters("setup-result")}
    assert sorted(shown.values()) == [False, True, True], shown


def test_long_names_are_cut_in_the_board_and_nowhere_else() -> None:
    long = "Duchy_of_Upper_and_Lower_Ürümqi_am_Meer"
    named = text(MAP).replace("Hellas", long).replace("Eastern_Shore", f"The_{long[:30]}")
    shore = Shore(languages=("en",) * 3, files=[File(MAP, named.encode())])
    for seat in ("A", "B", "C"):
        shore.say(seat, "claim nearest")
    (call,) = shore.letters("turn-call")
    assert all(width(line) <= WIDTH for line in body(call).splitlines())
    rows = re.findall(r"\b([A-Z]{3}) (\S.*?) +([A-C]) +([0-9]+)(?=\s|$)", body(call))
    assert {code for code, *_ in rows} >= {*shore.state.board.codes}
    assert "Duchy of Upper and Lowe. " in body(call)


def test_a_mission_tells_the_boards_own_numbers() -> None:
    shore = Shore(
        languages=("en",) * 3,
        ruleset="missions-2015",
        files=[
            THE_MAP,
            File("sea.cards", b"[cards]\n[cards]\nInfantry 1\n[missions]\n"
                 b"1 5 2 0 0 0\n2 5 2 0 0 0\n3 6 1 0 0 0\n"),
        ],
    )  # fmt: skip
    told = {" ".join(body(letter).split()) for letter in shore.letters("setup-call")}
    assert len(told) == 3
    words = [t.partition("(ONLY YOU SEE IT) ")[2].partition(" WHAT I NEED")[0] for t in told]
    pattern = re.compile(
        r"Take the last territory of \w+ \(P\d\)\. If somebody else does it, hold"
        r" (5 territories with 2 armies or more on each|6 territories) instead\."
        r"|Hold 5 territories of your choice with 2 armies or more on each\."
        r"|Hold 6 territories of your choice\."
    )
    assert all(pattern.fullmatch(said) for said in words), words


def test_services_and_the_file_for_programs_know_the_board() -> None:
    shore = Shore(languages=("en",) * 3)
    for seat in ("A", "B", "C"):
        shore.say(seat, "claim nearest\nset file json")
    on_turn = str(shore.state.on_turn)
    kind, told = shore.say(
        on_turn, "board\nhand\nhistory\nstats\nhelp attack\ndefend The Isles with 1"
    )
    assert kind == "done", told
    row = [row for row in shore.rows() if row.kind == "turn-call" and row.seat == on_turn][-1]
    files = [
        json.loads(part.get_content())
        for part in shore.written(row).walk()
        if part.get_content_type() == "application/json"
    ]
    assert len(files) == 1
    assert set(files[0]["territories"]) == {*shore.state.board.codes}


def test_a_board_with_as_many_wild_cards_as_it_likes_is_played() -> None:
    wild = b"[cards]\nInfantry 1\n" + b"wildcard\n" * 12
    shore = Shore(files=[THE_MAP, File("sea.cards", wild)], seed=5)
    assert shore.state.deck.count(WILD) == 12
    shore.play_out()
    assert verify(shore.record(public=False)).ok


def test_the_classic_world_is_as_it_was() -> None:
    assert boards.load().is_classic
    assert boards.load(boards.CLASSIC, "italian-board").is_classic
