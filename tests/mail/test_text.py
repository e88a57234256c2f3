"""From bytes to lines: charsets, flowed text, one spelling, HTML, the marker."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from pbem.mail.charset import decode
from pbem.mail.flowed import unflow
from pbem.mail.html import html_to_text
from pbem.mail.marker import MARKERS, find_marker
from pbem.mail.normalise import clean, normalise_line


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("utf-8", "Perù".encode(), "Perù"),
        ("ISO-8859-2", "Češka".encode("iso-8859-2"), "Češka"),
        ("iso-8859-1", b"\x93India\x94", "“India”"),
        ("'windows-1252'", b"\x80", "€"),
        ("cp-850", "é".encode("cp850"), "é"),
        ("x-mac-roman", "é".encode("mac-roman"), "é"),
        ("gb2312", "中".encode("gb18030"), "中"),
        ("ks_c_5601-1987", "한".encode("cp949"), "한"),
        ("unicode-1-1-utf-7", b"+AOk-", "é"),
        ("iso-8859-8-i", "א".encode("iso-8859-8"), "א"),
        ("windows-874", "ก".encode("cp874"), "ก"),
    ],
)
def test_labels_of_real_programs_are_known(label: str, data: bytes, text: str) -> None:
    assert decode(data, label) == (text, None)


@pytest.mark.parametrize("label", ["rot13", "zip", "hex", "base64", "idna", "undefined", "?", "\0"])
def test_a_label_that_is_no_charset_is_not_obeyed(label: str) -> None:
    assert decode("Perù".encode(), label) == ("Perù", "charset")


@given(st.binary(), st.text(max_size=20) | st.none())
def test_every_byte_becomes_text(data: bytes, label: str | None) -> None:
    assert isinstance(decode(data, label)[0], str)


def test_flowed_lines_are_joined_within_one_depth() -> None:
    text = "one \ntwo\n> quoted \n> on\n>> deeper\n-- \nAnna\n"
    assert unflow(text) == "one two\n> quoted on\n>> deeper\n-- \nAnna\n"


def test_space_stuffing_and_delsp() -> None:
    assert unflow(" >no quote\n From here") == ">no quote\nFrom here"
    assert unflow("attack Ind \nia", delsp=True) == "attack India"


def test_the_signature_mark_does_not_flow() -> None:
    assert unflow("end \n-- \nAnna") == "end \n-- \nAnna"


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("  attack India  from Siam ", "attack India from Siam"),
        ("SIA → IDA", "SIA - IDA"),
        ("SIA->IDA", "SIA-IDA"),
        ("SIA —> IDA", "SIA - IDA"),
        ("SIA\u2011IDA", "SIA-IDA"),
        ("‘a’ “b” «c» `d´", "'a' \"b\" \"c\" 'd'"),
        ("• place", "place"),
        ("- place", "place"),
        ("12. place", "place"),
        ("2) place", "place"),
        ("-place", "place"),
        ("-- place", "place"),
        ("--- place", "place"),
        ("(a) place", "place"),
        ("b) place", "place"),
        ("[3] place", "place"),
        ("- [x] place", "place"),
        ("#4 place", "place"),
        ("1) - place", "place"),
        ("1 - place", "place"),
        ("2: place", "place"),
        ("3.place", "place"),
        ("4\u20e3 place", "place"),
        ("o   place", "place"),
        ("o place", "o place"),
        ("--place", "--place"),
        ("5 - 3", "5 - 3"),
        ("2:1", "2:1"),
        ("[India]", "[India]"),
        ("*attack India*", "attack India"),
        ("5 in Siam", "5 in Siam"),
        ("1.5 armies", "1.5 armies"),
        ("-5", "-5"),
        ("ＳＩＡＭ　５", "SIAM 5"),
        ("Pe\u0301ru", "Péru"),
    ],
)
def test_one_spelling(line: str, plain: str) -> None:
    assert normalise_line(line) == plain


@given(st.text())
def test_clean_text_stays_as_it_is_and_can_be_stored(line: str) -> None:
    cleaned = clean(line)
    assert clean(cleaned) == cleaned
    assert "\0" not in cleaned
    cleaned.encode("utf-8")


def test_what_nobody_sees_is_gone() -> None:
    assert clean("a\u200bb\u00adc\ufeff\u202ed\ufe0f\x00\x07\ud800") == "abcd"
    assert clean("a\r\nb\rc\u2028d\x0be") == "a\nb\nc\nd\ne"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("one<br>two", "one\ntwo"),
        ("one\ntwo", "one two"),
        ("<p>Si<b>a</b>m</p>", "Siam"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<ol><li>a</li><li>b</li></ol>", "a\nb"),
        ("a<script>x</script><style>y</style><p hidden>z</p>", "a"),
        ("a<div style='font-size:0'>x<p style='display: none'>y</p></div>", "a"),
        ("<p style='white-space: pre-wrap'>a\nb<span>\nc</span></p>", "a\nb\nc"),
        ("<p style='white-space: normal'>a\nb</p>", "a b"),
        ("a &amp; b &gt; c&nbsp;d", "a & b > c\u00a0d"),
    ],
)
def test_html_becomes_the_lines_a_reader_sees(html: str, text: str) -> None:
    assert html_to_text(html).strip() == text


def test_quotes_of_html_stand_behind_marks() -> None:
    page = "<p>new</p><blockquote type=cite><p>old</p><blockquote>older</blockquote></blockquote>x"
    assert [line for line in html_to_text(page).split("\n") if line.strip("> ")] == [
        "new",
        "> old",
        "> older",
        "x",
    ]


def test_html_cannot_forge_the_place_of_a_quote() -> None:
    assert html_to_text("<p>\ue0000\ue001</p><p>\ue0009\ue001</p>").split() == ["0", "9"]


@given(st.text(st.sampled_from("<>/=\"' abdivpqblockquotestyle\ue0000\ue001"), max_size=200))
def test_no_page_breaks_the_reader(page: str) -> None:
    assert isinstance(html_to_text(page), str)


@pytest.mark.parametrize("marker", MARKERS.values(), ids=MARKERS)
def test_the_marker_is_found_in_every_state(marker: str) -> None:
    words = marker.strip("- ")
    first, rest = words.split(" ", 1)
    for lines, at in [
        ([marker], (0, 0)),
        (["a", "", f"> > {marker}"], (2, 2)),
        ([f"    {marker.upper()}"], (0, 0)),
        ([f"> --- {first}", f"> {rest} ---"], (0, 1)),
        ([f"> --- {first}", f"{rest} ---"], (0, 1)),
        ([f"— {words} —"], (0, 0)),
        ([f"| *{marker}*"], (0, 0)),
        (["---", words, "---"], (1, 1)),
        ([f"Anna wrote: {marker}"], (0, 0)),
    ]:
        place = find_marker(lines)
        assert place is not None, lines
        assert (place.first, place.last) == at


def test_words_about_the_marker_are_not_the_marker() -> None:
    assert find_marker(["should I write your orders above this line or below?"]) is None
    assert find_marker(["--- write your orders above this line --- now"]) is None


def test_markers_are_plain_and_short() -> None:
    assert all(marker.isascii() and len(marker) <= 72 for marker in MARKERS.values())
