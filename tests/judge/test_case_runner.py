"""The runner of cases: what a case can give and expect works, and what is wrong in it is found."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from pbem.judge.cases import case as cases
from pbem.judge.cases.case import CaseError
from pbem.judge.cases.run import Verdict, run
from pbem.store.engine import Engine
from pbem.store.memory import open_memory

HEAD = """
    [[case]]
    id = "one"
    rule = 5
    title = "A title"
"""
POSITION = """
    [case.position]
    seats = ["red", "blue", "green"]
    turn = "red"
    rest = { blue = 1 }
    holdings.red = { SIA = 5 }
    holdings.green = { ALA = 1 }
    hands = { red = ["EGY", "PRU", "WILD"] }
    deck = ["BRA", "ARG"]
    discards = ["VEN"]
"""
GIVEN = """
    [case.given]
    dice = [6, 5, 4, 3]
    orders = "attack India from Siam"
"""
PASSES = {
    "result": '"done"',
    "holdings.red": "{ SIA = 2, IDA = 3 }",
    "hands": '{ red = ["WILD", "EGY", "PRU"], blue = 0 }',
    "phase": '"attack"',
    "to_place": "0",
    "captured": "true",
    "sets_traded": "0",
    "dice_used": "4",
    "skipped": "[]",
    "mistakes": "[]",
    "turn": '"red"',
    "reserve": "{ red = 0 }",
    "deck": '["BRA", "ARG"]',
    "discards": '["VEN"]',
    "winner": '""',
    "eliminated": "[]",
    "events": '["rolled", "captured", "occupied"]',
    "see": '{ red = { has = ["You took India"], not = ["Green lost"] } }',
}
FAILS = {
    "result": '"mistakes"',
    "holdings.red": "{ SIA = 3 }",
    "holdings.blue": "{ SIA = 2 }",
    "hands": '{ red = ["EGY", "PRU"] }',
    "phase": '"place"',
    "to_place": "1",
    "captured": "false",
    "sets_traded": "1",
    "dice_used": "3",
    "skipped": "[1]",
    "mistakes": '["E06"]',
    "turn": '"blue"',
    "reserve": "{ red = 1 }",
    "deck": '["ARG", "BRA"]',
    "discards": "[]",
    "winner": '"red"',
    "eliminated": '["green"]',
    "events": '["rolled", "occupied", "captured"]',
    "see": '{ red = { not = ["You took India"] } }',
}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    opened = open_memory()
    yield opened
    opened.dispose()


def text(expect: str, *, position: str = POSITION, given: str = GIVEN, head: str = HEAD) -> str:
    parts = (head, position, given, "[case.expect]\n" + expect)
    return "\n".join(dedent(part) for part in parts)


def read(tmp_path: Path, content: str) -> cases.Case:
    path = tmp_path / "a.toml"
    path.write_text(content, encoding="utf-8")
    (case,) = cases.read(path)
    return case


def verdict(tmp_path: Path, engine: Engine, content: str) -> Verdict:
    return run(read(tmp_path, content), engine)


@pytest.mark.parametrize("key", PASSES)
def test_an_expectation_that_is_met_passes(key: str, tmp_path: Path, engine: Engine) -> None:
    found = verdict(tmp_path, engine, text(f"{key} = {PASSES[key]}"))
    assert found == Verdict(True)


@pytest.mark.parametrize("key", FAILS)
def test_an_expectation_that_is_not_met_fails(key: str, tmp_path: Path, engine: Engine) -> None:
    found = verdict(tmp_path, engine, text(f"{key} = {FAILS[key]}"))
    assert not found.passed
    assert key.split(".", maxsplit=1)[0].rstrip("s") in found.report


def test_a_failed_case_shows_what_was_and_what_came(tmp_path: Path, engine: Engine) -> None:
    report = verdict(tmp_path, engine, text("holdings.red = { SIA = 4 }")).report
    assert report.startswith("one: A title (rule 5)")
    assert "holdings SIA: expected ('red', 4), came ('red', 2)" in report
    before, after = report.split("before:")[1].split("after:")
    assert "SIA A 5" in " ".join(before.split())
    assert "SIA A 2" in " ".join(after.split())


class TestDice:
    def test_faces_that_nobody_rolls_fail(self, tmp_path: Path, engine: Engine) -> None:
        given = GIVEN.replace("[6, 5, 4, 3]", "[6, 5, 4, 3, 1, 1]")
        found = verdict(tmp_path, engine, text("captured = true", given=given))
        assert "2 of the given faces were not rolled" in found.report

    def test_unless_the_case_states_how_many(self, tmp_path: Path, engine: Engine) -> None:
        given = GIVEN.replace("[6, 5, 4, 3]", "[6, 5, 4, 3, 1, 1]")
        assert verdict(tmp_path, engine, text("dice_used = 4", given=given)).passed

    def test_a_roll_without_faces_fails(self, tmp_path: Path, engine: Engine) -> None:
        given = GIVEN.replace("[6, 5, 4, 3]", "[6, 5]")
        found = verdict(tmp_path, engine, text("dice_used = 0", given=given))
        assert "roll 1 needs 4 faces, 2 left" in found.report

    def test_it_fails_in_an_earlier_mail_too(self, tmp_path: Path, engine: Engine) -> None:
        given = """
            [case.given]
            mails = ["attack India from Siam", { seat = "blue", text = "board" }]
        """
        found = verdict(tmp_path, engine, text("dice_used = 0", given=given))
        assert "roll 1 needs 4 faces, 0 left" in found.report


class TestGiven:
    def test_several_mails(self, tmp_path: Path, engine: Engine) -> None:
        given = """
            [case.given]
            dice = [6, 5, 4, 3]
            mails = ["attack India from Siam", { seat = "blue", text = "attack Siam from China" }]
        """
        expect = 'result = "mistakes"\nmistakes = ["E19"]\nholdings.red = { IDA = 3 }'
        assert verdict(tmp_path, engine, text(expect, given=given)).passed

    def test_a_step_is_the_letter_that_is_answered(self, tmp_path: Path, engine: Engine) -> None:
        given = """
            [case.given]
            dice = [6, 5, 4, 3]
            mails = ["attack India from Siam", { step = 1, text = "attack China from Siam" }]
        """
        assert verdict(tmp_path, engine, text('mistakes = ["E20"]', given=given)).passed

    def test_empty_lines_count(self, tmp_path: Path, engine: Engine) -> None:
        given = """
            [case.given]
            orders = '''


            if India captured: attack China from Siam
            '''
        """
        assert verdict(tmp_path, engine, text("skipped = [3]", given=given)).passed

    def test_settings_hold_from_the_first_mail_on(self, tmp_path: Path, engine: Engine) -> None:
        position = POSITION + '    phase = "trade"\n    to_place = 3\n'
        given = """
            [case.given]
            settings = { red = "SET TRADE AUTO / SET LATE PLACE Siam" }
            orders = "trade auto"
            deadline = true
        """
        expect = 'turn = "blue"\nholdings.red = { SIA = 12 }'
        assert verdict(tmp_path, engine, text(expect, position=position, given=given)).passed

    def test_standing_orders_that_cannot_be_read_fail(self, tmp_path: Path, engine: Engine) -> None:
        position = POSITION + '    defence = { blue = "DEFEND all with 7" }\n'
        found = verdict(tmp_path, engine, text("captured = true", position=position))
        assert "blue orders 'DEFEND all with 7', which cannot be read" in found.report

    def test_a_defence_is_in_force(self, tmp_path: Path, engine: Engine) -> None:
        position = POSITION + '    defence = { blue = "DEFEND all with 1" }\n'
        position += "    holdings.blue = { IDA = 4 }\n"
        given = GIVEN.replace("Siam", "Siam, once")
        expect = "holdings.blue = { IDA = 3 }"
        assert verdict(tmp_path, engine, text(expect, position=position, given=given)).passed

    def test_lists_part_lines_by_slashes(self, tmp_path: Path, engine: Engine) -> None:
        position = """
            [case.position]
            seats = ["red", "blue", "green"]
            phase = "fill"
            rest = { blue = 1 }
            holdings.red = { SIA = 1, BRA = 1 }
            holdings.green = { ALA = 1 }
            reserve = { red = 3 }
        """
        given = """
            [case.given]
            lists = { red = "FILL Siam 1 / FILL Brazil 2", blue = "" }
        """
        expect = 'holdings.red = { SIA = 2, BRA = 3 }\nreserve = { red = 0 }\nphase = "place"'
        assert verdict(tmp_path, engine, text(expect, position=position, given=given)).passed

    @pytest.mark.parametrize(
        "neutral",
        ["neutral = { IDO = 3 }", "holdings.neutral = { IDO = 3 }", "rest = { neutral = 3 }"],
    )
    def test_the_neutral_army_stands_anywhere(
        self, neutral: str, tmp_path: Path, engine: Engine
    ) -> None:
        position = POSITION.replace("rest = { blue = 1 }", "").replace(
            "holdings.green", "holdings.blue = { IDA = 1 }\n    holdings.green"
        )
        found = text("holdings.neutral = { IDO = 3 }", position=position + f"    {neutral}\n")
        assert verdict(tmp_path, engine, found).passed

    def test_a_deadline_needs_a_game_that_waits(self, tmp_path: Path, engine: Engine) -> None:
        given = GIVEN + "    deadline = true\n"
        expect = 'turn = "blue"\nhands = { red = 4 }\ndeck = ["ARG"]'
        assert verdict(tmp_path, engine, text(expect, given=given)).passed


class TestLetters:
    def test_a_line_break_parts_no_words(self, tmp_path: Path, engine: Engine) -> None:
        given = GIVEN.replace('Siam"', 'Siam\\nend"')
        expect = 'see = { green = { has = ["Red lost 0, Blue lost 1. 3 armies moved in."] } }'
        assert verdict(tmp_path, engine, text(expect, given=given)).passed

    def test_the_next_seat_reads_of_the_turn(self, tmp_path: Path, engine: Engine) -> None:
        given = GIVEN.replace('Siam"', 'Siam\\nend"')
        expect = 'see = { blue = { has = ["Red took India from you"], not = ["Egypt, soldier"] } }'
        assert verdict(tmp_path, engine, text(expect, given=given)).passed

    def test_a_word_that_nobody_wrote_is_missed(self, tmp_path: Path, engine: Engine) -> None:
        expect = 'see = { red = { has = ["Atlantis"] } }'
        assert "no letter to red says 'Atlantis'" in verdict(tmp_path, engine, text(expect)).report


class TestForm:
    @pytest.mark.parametrize(
        ("old", "new", "says"),
        [
            ('id = "one"', "", "'id' is missing"),
            ('id = "one"', 'id = ""', "id must be a text"),
            ("rule = 5", "rule = [5]", "rule must be a number or a heading"),
            ("rule = 5", "colour = 5", "there is no key 'colour'"),
            ('seats = ["red", "blue", "green"]', "", "position.seats must be a list of 2 to 6"),
            ('"blue", "green"]', '"blue", "pink"]', "position.seats must be"),
            ('"blue", "green"]', '"blue", "blue"]', "position.seats must be"),
            ('turn = "red"', 'turn = "black"', "position.turn must be a colour that has a seat"),
            ('turn = "red"', 'phase = "tea"', "position.phase must be a phase"),
            ('turn = "red"', "turns = 1", "there is no key 'position.turns'"),
            ('turn = "red"', "to_place = -1", "position.to_place must be a number"),
            ('turn = "red"', "captured = 1", "position.captured must be true or false"),
            ("{ SIA = 5 }", "{ SIX = 5 }", "position.holdings must be"),
            ("{ SIA = 5 }", "{ SIA = 0 }", "position.holdings must be"),
            ("{ SIA = 5 }", "{ SIA = 5, ALA = 1 }", "ALA has two owners"),
            ("{ blue = 1 }", "{ blue = 1, green = 1 }", "position.rest has two owners"),
            ('"WILD"', '"JOKER"', "position.hands must be"),
            ("[6, 5, 4, 3]", "[7]", "given.dice must be a list, each a face from 1 to 6"),
            ("orders =", "order =", "there is no key 'given.order'"),
            ("[case.given]", '[case.given]\nmails = [{ seat = "red" }]', "given.mails must be"),
            (
                "[case.given]",
                '[case.given]\nmails = [{ text = "end", stop = 1 }]',
                "there is no key 'given.mails.stop'",
            ),
            ("captured = true", "capture = true", "there is no key 'expect.capture'"),
            ("captured = true", 'winner = "nobody"', "expect.winner must be"),
            ("captured = true", 'events = ["exploded"]', "expect.events must be"),
            ("captured = true", 'see = { red = { say = ["x"] } }', "expect.see must be"),
        ],
    )
    def test_what_is_wrong_is_named(self, old: str, new: str, says: str, tmp_path: Path) -> None:
        whole = text("captured = true")
        assert old in whole
        with pytest.raises(CaseError) as error:
            read(tmp_path, whole.replace(old, new, 1))
        assert says in str(error.value)
        assert "\n" not in str(error.value)

    @pytest.mark.parametrize("part", ["position", "given", "expect"])
    def test_no_part_may_be_missing(self, part: str, tmp_path: Path) -> None:
        with pytest.raises(CaseError, match=f"'{part}' is missing"):
            read(tmp_path, text("captured = true").replace(f"[case.{part}]", "[other]"))

    @pytest.mark.parametrize("content", ["", "case = 1", "[case]\nid = 'x'", "case = [1]", "[["])
    def test_what_is_no_case_file_is_told(self, content: str, tmp_path: Path) -> None:
        with pytest.raises(CaseError):
            read(tmp_path, content)

    def test_bytes_that_are_no_text_are_told(self, tmp_path: Path) -> None:
        path = tmp_path / "a.toml"
        path.write_bytes(b"\xff\xfe")
        with pytest.raises(CaseError):
            cases.read(path)


@pytest.mark.parametrize(
    "options", ['{ fortify = "fly" }', '{ gravity = "none" }', '{ board = "flat" }']
)
def test_an_option_that_is_none_fails_the_case(
    options: str, tmp_path: Path, engine: Engine
) -> None:
    found = verdict(
        tmp_path, engine, text("captured = true", head=HEAD + f"    options = {options}")
    )
    assert not found.passed
    assert found.report.startswith("one: ")


class TestCommand:
    def test_files_and_folders(self, tmp_path: Path) -> None:
        folder = tmp_path / "more" / "deep"
        folder.mkdir(parents=True)
        for path in (tmp_path / "a.toml", folder / "b.toml"):
            path.write_text(text("captured = true"), encoding="utf-8")
        found = list(cases.find([tmp_path / "a.toml", tmp_path / "more"]))
        assert [path.name for path in found] == ["a.toml", "b.toml"]

    def test_a_path_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(CaseError, match="no such file or folder"):
            list(cases.find([tmp_path / "none"]))
