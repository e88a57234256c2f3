"""Records: written, read, played again and proved; and every forgery found."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.rules.action import Place, TakeBack
from pbem.rules.adjudicate import play
from pbem.rules.card import WILD
from pbem.rules.claim import acting
from pbem.rules.event import Eliminated, Event, Traded, Won
from pbem.rules.record import Closed, body, write
from pbem.rules.replay import replay
from pbem.rules.seat import Seat
from pbem.rules.state import Played
from pbem.rules.transcript import read
from pbem.rules.verify import Check, verify
from tests.rules.recorded_game import DECK_SEED, Game, a_game, chance

SCRIPT = Path(__file__).parents[2] / "docs" / "developers" / "verify_dice.py"


def public(game: Game) -> str:
    return write(game.header, game.events, game.closed, public=True)


def full(game: Game) -> str:
    return write(game.header, game.events, game.closed, public=False)


def whole_game() -> str:
    game = a_game(400)
    return write(game.finished, game.events, game.closed, public=True)


def has(game: Game, *kinds: type[Event]) -> bool:
    return all(any(isinstance(event, kind) for event in game.events) for kind in kinds)


def test_missions_stay_hidden_until_the_end() -> None:
    running, over = a_game(3, goal="missions"), a_game(400, goal="missions")
    assert public(running).count("mission A ?") == 1
    assert "mission A ?" not in full(running)
    ended = write(over.finished, over.events, over.closed, public=True)
    told = re.findall("mission [ABC] ([a-z0-9-]+)", ended)
    assert len(set(told)) == 3
    assert f"won {over.state.winner} {told['ABC'.index(over.state.winner or '')]}" in ended


def test_a_mission_that_the_seed_does_not_deal_is_found() -> None:
    over = a_game(400, goal="missions")
    ended = write(over.finished, over.events, over.closed, public=True)
    forged = re.sub("mission B [a-z0-9-]+", "mission B asia-africa", ended)
    assert forged != ended
    assert any("mission B" in failure.message for failure in verify(forged).failures)


# -- the form --------------------------------------------------------------------------------------


def test_a_turn_stands_in_the_record_as_in_its_description() -> None:
    lines = public(a_game(2)).splitlines()
    turn = lines.index("2 B link 3")
    assert lines[turn + 1] == "  get 9 = 4+2+3"
    assert lines[turn + 2].startswith("  place VEN 5 VEN 2")
    assert lines[turn + 3].startswith("  attack VEN CAM 3:646/35 0-2 4:556/46 1-1 ")
    assert lines[turn + 3].endswith("12:233/2 0-1 take 22")
    assert "  card ?" in lines[turn:]
    assert re.fullmatch("  end =[0-9a-f]{8} secret [0-9a-f]{64}", lines[-3])
    assert lines[-2:] == ["3 C link 4", "  get 9 = 4+5"]


def test_two_sets_whose_hidden_cards_look_alike_have_a_line_each() -> None:
    traded = Traded(Seat("A"), (WILD, WILD, WILD), armies=25, bonus=None)
    lines = list(body((traded, traded), {}, hidden=True))
    assert lines[1:] == ["  trade ? ? ? for 25"] * 2


def test_the_header_is_read_as_it_was_written() -> None:
    game = a_game(2)
    assert read(public(game)).header == game.header
    finished = write(game.finished, game.events, game.closed, public=True)
    assert read(finished).header.deck_seed == DECK_SEED


def test_a_variant_of_the_board_is_read_as_it_was_written() -> None:
    text = public(a_game(2)).replace("classic-world", "classic-world/old-edges")
    assert read(text).header.board_id == ("classic-world", "old-edges")


def test_comments_and_lines_of_the_gm_are_passed_over() -> None:
    text = public(a_game(2)).replace("  card ?", '@gm deadline +24h by dora "cut"\n card  ? {a 7}')
    assert verify(text).ok


def test_the_public_form_tells_no_card_before_the_end() -> None:
    game = a_game(40)
    assert has(game, Traded), "choose a longer game: this one traded nothing"
    told = re.findall("^  (?:card|trade|out .) (.*?)(?: for.*)?$", public(game), re.MULTILINE)
    assert set(" ".join(told).split()) == {"?"}


def test_the_public_form_tells_all_cards_at_the_end() -> None:
    assert "?" not in whole_game()


def test_both_forms_have_the_same_checksums() -> None:
    def ends(text: str) -> list[str]:
        return re.findall("^  end.*$", text, re.MULTILINE)

    assert ends(public(a_game(40))) == ends(full(a_game(40)))


def test_a_closed_turn_without_its_checksum_cannot_be_written() -> None:
    game = a_game(2)
    closed: dict[int, Closed] = {link: game.closed[link] for link in (1, 2)}
    with pytest.raises(KeyError):
        write(game.header, game.events, closed, public=True)


# -- playing again ---------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", ["claim", "deal"])
def test_a_full_record_plays_again_to_the_same_events_and_state(setup: str) -> None:
    game = a_game(25, ends_open=True, setup=setup)
    replayed = replay(read(full(game)))
    assert replayed.stopped is None
    assert replayed.events == game.events
    assert replayed.state is not None
    assert replayed.state.hands == game.state.hands
    assert replayed.state.armies == game.state.armies


def test_a_finished_record_plays_again_to_the_same_state() -> None:
    assert replay(read(whole_game())).state == a_game(400).state


def test_a_public_record_plays_again_to_the_same_board() -> None:
    game = a_game(51)
    assert has(game, Traded, Eliminated)
    assert not has(game, Won)
    replayed = replay(read(public(game)))
    assert replayed.stopped is None
    assert replayed.state is not None
    assert (replayed.state.owner, replayed.state.armies) == (game.state.owner, game.state.armies)
    assert {seat: len(hand) for seat, hand in replayed.state.hands.items()} == {
        seat: len(hand) for seat, hand in game.state.hands.items()
    }


@pytest.mark.parametrize("form", [public, full])
def test_a_placement_that_was_taken_back_plays_again(form: Callable[[Game], str]) -> None:
    game = a_game(3)
    spot = game.state.held(acting(game.state))[0]
    events, state = list(game.events), game.state
    for action in (Place(spot, 2), TakeBack(), Place(spot, state.to_place)):
        played = play(state, action, chance(state.link))
        assert isinstance(played, Played)
        state, happened = played
        events += happened
    text = form(replace(game, events=tuple(events)))
    assert f"  place {spot} 2\n  back {spot} 2\n  place {spot} " in text
    assert verify(text).ok
    replayed = replay(read(text)).state
    assert replayed is not None
    assert (replayed.armies, replayed.placed) == (state.armies, state.placed)


# -- proving ---------------------------------------------------------------------------------------


def test_a_finished_game_is_proved_whole() -> None:
    report = verify(whole_game())
    assert report.failures == ()
    assert (report.unproved_dice, report.unproved_cards) == (0, 0)
    turns = a_game(400).state.turn
    assert report.checked[Check.LINK] == report.checked[Check.CHECKSUM] == turns + 1
    assert report.checked[Check.DIE] > 1000
    assert report.checked[Check.DECK] > 20


@pytest.mark.parametrize("setup", ["claim", "deal"])
@pytest.mark.parametrize("form", [public, full])
def test_a_running_game_is_proved_as_far_as_its_links_are_shown(form: object, setup: str) -> None:
    game = a_game(25, ends_open=True, setup=setup)
    report = verify(write(game.header, game.events, game.closed, public=form is public))
    assert report.failures == ()
    assert report.unproved_dice > 0
    assert report.unproved_cards > 0


@pytest.mark.parametrize(
    "options",
    [
        {"fortify": "chain", "territory_bonus": "per-set", "first_turn": "fresh-roll"},
        {"trade_values": "fixed", "forced_trade_at": "none"},
        {"trade_values": "capped-25", "wild": "pair-only", "fortify": "none"},
        {"elimination_trade": "optional", "occupation_min": "one", "territory_bonus": "none"},
        {"attack_dice": "max", "defence_dice": "max", "card_deck": "continental"},
        {"goal": "missions", "setup": "deal"},
        {"goal": "missions", "mission_deck": "dutch13"},
        {"goal": "capitals", "setup": "deal", "first_turn": "fresh-roll"},
    ],
    ids="-".join,
)
def test_games_with_other_options_are_proved_too(options: dict[str, str]) -> None:
    running, whole = a_game(20, ends_open=True, **options), a_game(400, **options)
    assert verify(public(running)).failures == ()
    assert verify(write(whole.finished, whole.events, whole.closed, public=True)).failures == ()
    assert replay(read(full(running))).events == running.events


@pytest.mark.parametrize("order", ["neutral-interleaved", "neutral-sequential", "plain"])
def test_games_of_two_are_proved_too(order: str) -> None:
    running = a_game(20, ends_open=True, seats=2, two_player=order)
    whole = a_game(400, seats=2, two_player=order)
    assert ("deal N " in public(running)) == (order != "plain")
    assert verify(public(running)).failures == ()
    assert verify(write(whole.finished, whole.events, whole.closed, public=True)).failures == ()
    assert replay(read(full(running))).events == running.events


@pytest.mark.parametrize("setup", ["claim", "deal"])
def test_a_game_that_only_opened_its_setup_is_proved(setup: str) -> None:
    game = a_game(0, setup=setup)
    draft = [event for event in game.events if type(event).__name__ in ("OrderRolled", "Dealt")]
    report = verify(write(game.header, draft, {}, public=True))
    assert report.failures == ()
    assert report.unproved_dice == 5


def small() -> list[str]:
    """The lines of the record of two turns."""
    return public(a_game(2)).splitlines()


UNPROVABLE = ("[Seats", "[DeckCommit", "[Event")
"""Tags that nothing in a running game's record can prove."""


def test_no_digit_of_a_record_can_be_changed() -> None:
    lines = small()
    for number, text in enumerate(lines):
        if text.startswith(UNPROVABLE):
            continue
        for forged in _forgeries(text):
            told = "\n".join([*lines[:number], forged, *lines[number + 1 :]])
            assert not verify(told).ok, forged


def _forgeries(text: str) -> Iterator[str]:
    """The line with one of its digits raised, each in turn; hexadecimal ones within secrets."""
    secrets = [m.span(1) for m in re.finditer("([0-9a-f]{8,64})", text)]
    for place, digit in enumerate(text):
        in_secret = any(start <= place < stop for start, stop in secrets)
        if digit.isdigit() or in_secret:
            other = f"{(int(digit, 16) + 1) % (16 if in_secret else 10):x}"
            yield text[:place] + other + text[place + 1 :]


@pytest.mark.parametrize(
    ("honest", "forged", "check"),
    [
        ("3:646/35", "3:656/35", Check.DIE),
        ("3:646/35", "3:664/35", Check.DIE),
        ("1:545", "1:554", Check.DIE),
        ("3:646/35 0-2", "3:646/35 1-1", Check.LINE),
        ("take 22", "take 21", Check.LINE),
        ("take 22", "", Check.LINE),
        ("place GRL 5 GRL 2", "place ALA 5 GRL 2", Check.CHECKSUM),
        ("place GRL 5 GRL 2", "place SIA 5 GRL 2", Check.LINE),
        ("place GRL 5 GRL 2", "place XXX 5 GRL 2", Check.LINE),
        ("place GRL 5 GRL 2", "place GRL 5 GRL", Check.LINE),
        ("place GRL 5 GRL 2", "place GRL 5 GRL x", Check.LINE),
        ("place GRL 5 GRL 2", "plaice GRL 5 GRL 2", Check.LINE),
        ("get 9 = 4+5", "get 8 = 3+5", Check.LINE),
        ("first A", "first B", Check.LINE),
        ("claim A:ALA B:ARG", "claim A:ARG B:ALA", Check.CHECKSUM),
        ("claim A:ALA B:ARG", "claim B:ALA A:ARG", Check.LINE),
        ("claim A:ALA B:ARG", "claim A:ALA B:ALA", Check.LINE),
        ("  card ?\n", "", Check.LINE),
        ("2 B link 3", "2 C link 3", Check.LINE),
        ("2 B link 3", "2 B link 2", Check.LINK),
        ("2 B link 3", "2 B link 999999999", Check.LINK),
        ("mango", "melon", Check.DIE),
        ('"g7"', '"g8"', Check.DIE),
        ("classic-1993", "classic-1993 fortify=sideways", Check.FORMAT),
        ("classic-1993", "classic-1993 fortify", Check.FORMAT),
        ("classic-world", "moon", Check.LINE),
        ("C=green:", "D=green:", Check.LINE),
        ("conquest/1", "conquest/2", Check.FORMAT),
        ('[Luck "mango,-,42"]', "", Check.FORMAT),
        ('[DiceCommit "b8', '[DiceCommit "', Check.FORMAT),
        ("setup link 1\n", "", Check.FORMAT),
        ("end =4b2bf6af secret", "end =4b2bf6af", Check.FORMAT),
        ("mango", "čaj", Check.FORMAT),
    ],
)
def test_a_forgery_is_found_and_named(honest: str, forged: str, check: Check) -> None:
    text = "\n".join(small()) + "\n"
    assert honest in text, "the game has changed: choose another line"
    report = verify(text.replace(honest, forged, 1))
    assert check in {failure.check for failure in report.failures}


def test_a_failure_names_its_line_and_what_would_be_true() -> None:
    text = "\n".join(small()).replace("3:646/35", "3:656/35")
    line = next(n for n, text in enumerate(small(), 1) if "3:646/35" in text)
    failures = [str(failure) for failure in verify(text).failures]
    assert failures == [f"line {line}: die: link 3 gives 3:646/35, not 3:656/35"]


def test_tags_without_a_line_are_a_failure_of_the_whole_text() -> None:
    tags = "\n".join(text for text in small() if text.startswith("["))
    failures = [str(failure) for failure in verify(tags).failures]
    assert failures == ["line: by the rules: setup link 1"]


def test_a_turn_whose_link_is_held_back_is_found() -> None:
    text = re.sub("(?m)^  end =.*\n", "", "\n".join(small()), count=2)
    assert not verify(text).ok


def test_a_record_cut_short_after_a_closed_turn_is_found() -> None:
    assert not verify("\n".join(small()[:-2])).ok


@pytest.mark.parametrize("text", ["", "hello", '[Record "conquest/1"]', "{", '[Record "x'])
def test_what_is_no_record_is_a_failure_and_no_crash(text: str) -> None:
    assert verify(text).failures[0].check is Check.FORMAT


@given(st.data())
def test_a_damaged_record_is_judged_without_a_crash(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(["\n".join(small()), full(a_game(3, setup="deal"))]))
    start = data.draw(st.integers(0, len(text)))
    stop = start + data.draw(st.integers(0, 90))
    put = data.draw(st.text('0167:/=-? \nABCabc[]{}~@"\\ž', max_size=8))
    verify(text[:start] + put + text[stop:])


@pytest.mark.parametrize(
    ("pattern", "forged", "check"),
    [
        (r"(?m)^  card (?!WILD).*$", "  card WILD", Check.LINE),
        (r'DeckSeed "20', 'DeckSeed "30', Check.DECK),
        (r'DeckCommit "4', 'DeckCommit "5', Check.DECK),
        (r"\[DeckSeed .*\]\n", "", Check.DECK),
        (r"trade (\w+)", r"trade \1 \1", Check.LINE),
        (r"for 4\b", "for 6", Check.LINE),
        (r"(?m)^  won C", "  won A", Check.LINE),
        (r"(?m)^  out (.).*$", r"  out \1", Check.LINE),
    ],
)
def test_a_forged_card_or_end_is_found_once_the_deck_is_shown(
    pattern: str, forged: str, check: Check
) -> None:
    text, changed = re.subn(pattern, forged, whole_game(), count=1)
    assert changed, "the game has changed: choose another line"
    assert check in {failure.check for failure in verify(text).failures}


@pytest.mark.parametrize("armies", [5, 7])
def test_a_forged_worth_of_a_hidden_set_is_found(armies: int) -> None:
    text, changed = re.subn(r"\? for 4\b", f"? for {armies}", public(a_game(40)), count=1)
    assert changed
    assert not verify(text).ok


def test_a_hidden_set_with_a_bonus_is_proved_to_be_worth_what_its_symbols_are() -> None:
    text = public(a_game(40, trade_values="fixed"))
    assert "trade ? ? ? for 6 bonus MDG\n" in text, "the game has changed: choose another one"
    assert verify(text).failures == ()


# -- the script in the documentation ---------------------------------------------------------------


def run_script(record: Path, roll: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(record), roll],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("roll", "words"),
    [("1", "545 against nobody, by link 1"), ("3", "646 against 35, by link 3"), ("12", "233")],
)
def test_the_independent_script_agrees(roll: str, words: str, tmp_path: Path) -> None:
    record = tmp_path / "g7.txt"
    record.write_text("\n".join(small()), "utf-8")
    result = run_script(record, roll)
    assert (result.returncode, result.stderr) == (0, "")
    assert words in result.stdout


@pytest.mark.parametrize(
    ("honest", "forged", "roll", "words"),
    [
        ("3:646/35", "3:656/35", "3", "must be 64635"),
        ("", "", "9999", "no roll 9999"),
        ("DiceCommit", "DiceCommitted", "3", "DiceCommit"),
        ("mango", "melon", "3", "must be"),
    ],
)
def test_the_independent_script_finds_a_forgery(
    honest: str, forged: str, roll: str, words: str, tmp_path: Path
) -> None:
    record = tmp_path / "g7.txt"
    record.write_text("\n".join(small()).replace(honest, forged), "utf-8")
    result = run_script(record, roll)
    assert result.returncode == 1
    assert words in result.stderr


def test_the_independent_script_waits_for_the_link(tmp_path: Path) -> None:
    record = tmp_path / "g7.txt"
    record.write_text(public(a_game(25, ends_open=True)), "utf-8")
    rolls = re.findall(r" (\d+):", record.read_text("utf-8"))
    assert "not shown before its turn is over" in run_script(record, rolls[-1]).stderr
