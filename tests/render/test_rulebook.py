"""The rules in plain words against the rules: nothing left out, nothing that is not so."""

import pytest

from pbem.orders.mistake import PRECEDENCE
from pbem.render.rulebook import Block, Section, read, rule_behind, rules_behind, sections
from pbem.rules.capitals import SHORT
from pbem.rules.card import FIXED, LADDER, MIXED
from pbem.rules.refusal import Reason
from pbem.rules.ruleset import OPTIONS, RULESETS, STARTING_ARMIES
from tests.rules.table import WORLD


def text(line: tuple[object, ...]) -> str:
    return "".join(getattr(piece, "text") for piece in line)  # noqa: B009  # any piece has one


def theme(anchor: str) -> Section:
    return next(section for section in sections() if section.anchor == anchor)


def table(section: Section) -> Block:
    return next(block for block in section.blocks if block.kind == "table")


def words(anchor: str) -> str:
    blocks = theme(anchor).blocks
    lines = [line for b in blocks for line in (*b.lines, *(cell for row in b.rows for cell in row))]
    return " ".join(map(text, lines))


def of_option(name: str) -> Section:
    """The section whose title ends with the option's name as it is written."""
    found = [s for s in sections() if s.title[-1].kind == "code" and s.title[-1].text == name]
    assert len(found) == 1, f"{name} has {len(found)} sections"
    return found[0]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_an_option_is_told_with_the_rulesets_that_have_it(name: str) -> None:
    head, *rows = table(of_option(name)).rows
    assert [text(cell) for cell in head] == ["value", "meaning", "rulesets"]
    told = {text(value): text(who) for value, _, who in rows}
    assert tuple(told) == OPTIONS[name]
    for value, who in told.items():
        names = [rules.name for rules in RULESETS.values() if getattr(rules, name) == value]
        assert sorted(who.split(", ")) == (sorted(names) or ["-"]), value
    assert all(len(text(meaning)) > 5 for _, meaning, _ in rows)


def test_every_ruleset_is_told_with_its_players() -> None:
    _, *rows = table(theme("rulesets")).rows
    assert {text(name): text(players) for name, players, _ in rows} == {
        rules.name: f"{rules.min_players}-{rules.max_players}" for rules in RULESETS.values()
    }


@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_has_a_line_and_a_rule(reason: Reason) -> None:
    assert reason.value in rule_behind()


def test_every_rule_that_is_named_has_its_section() -> None:
    anchors = [section.anchor for section in sections()]
    assert len(set(anchors)) == len(anchors)
    assert set(rule_behind().values()) <= set(anchors)
    known = {*Reason, *PRECEDENCE}
    assert set(rule_behind()) <= known


def test_every_link_leads_to_a_section() -> None:
    pieces = [
        piece
        for section in sections()
        for block in section.blocks
        for line in (*block.lines, *(cell for row in block.rows for cell in row))
        for piece in line
    ]
    targets = {piece.target for piece in pieces if piece.kind == "link"}
    assert targets
    assert targets <= {f"#{section.anchor}" for section in sections()}


def test_the_numbers_are_those_of_the_rules() -> None:
    names = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
    for seats, armies in STARTING_ARMIES.items():
        assert str(armies) in words("order"), names[seats]
    for continent in WORLD.continents.values():
        assert f"{continent.name} {continent.bonus}" in words("reinforcements")
    assert ", ".join(map(str, (*LADDER, 20))) in words("trade-values")
    assert [str(n) in words("trade-values") for n in (*FIXED.values(), MIXED)] == [True] * 4
    assert SHORT == {4: 2, 5: 3}
    assert "With four players two others, with five three" in words("capitals")


def test_the_rules_behind_mistakes_come_once_in_their_order() -> None:
    assert rules_behind(["E30", "E01", "E06", "E17", "E07"]) == ("fortify", "attack")


def test_a_page_is_read_piece_by_piece() -> None:
    [section] = read("# Title\n\nSee [here](cards.md#sets)\nand `END`.\n\n- one\n  line\n- two\n")
    paragraph, listed = section.blocks
    assert [tuple(piece) for piece in paragraph.lines[0]] == [
        ("text", "See ", ""),
        ("link", "here", "#sets"),
        ("text", " and ", ""),
        ("code", "END", ""),
        ("text", ".", ""),
    ]
    assert [text(line) for line in listed.lines] == ["one line", "two"]


@pytest.mark.parametrize("page", ["text alone\n", "### Deep\n\ntext\n"])
def test_a_page_in_another_form_is_a_fault(page: str) -> None:
    with pytest.raises(ValueError, match="heading"):
        list(read(page))
