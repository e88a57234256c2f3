"""The marks of the letters, as text and as HTML."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.orders.reader import read
from pbem.orders.sheet import Table
from pbem.render.columns import clip, left, listed, width, wrapped
from pbem.render.prose import html, plain
from pbem.rules.board import load


def test_a_heading_is_in_capitals_in_the_text_and_an_h2_in_html() -> None:
    assert plain("# Your cards") == "YOUR CARDS"
    assert html("# Your cards") == "<h2>Your cards</h2>"


def test_an_order_is_never_broken() -> None:
    order = "| attack " + " to ".join(["Eastern United States"] * 5)
    assert plain(order) == order
    assert html(order) == f'<pre class="orders">{order}</pre>'


def test_paragraphs_are_broken_at_72_columns() -> None:
    assert max(map(len, plain("word " * 60).splitlines())) <= 72


def test_items_hang() -> None:
    lines = plain("  " + "word " * 20).splitlines()
    assert [line[:4] for line in lines] == ["  wo", "    "]
    assert html("  one\n  two") == "<ul><li>one</li><li>two</li></ul>"


def test_the_address_of_a_page_stays_whole_and_is_no_link() -> None:
    address = "https://games.example.org/games/g7?turn=" + "7" * 60
    assert plain(f"  {address}") == f"  {address}"
    assert html(f"  {address}") == f"<ul><li>{address}</li></ul>"


def test_lines_of_one_paragraph_keep_their_ends() -> None:
    assert plain("one\ntwo\n\n\n\nthree") == "one\ntwo\n\nthree"
    assert html("one\ntwo\n\nthree") == "<p>one<br>two</p>\n<p>three</p>"


def test_html_is_escaped() -> None:
    assert html("a <b> & c") == "<p>a &lt;b&gt; &amp; c</p>"


def test_widths_are_those_of_a_terminal() -> None:
    assert width("日本") == 4
    assert left("日本", 6) == "日本  "
    assert clip("日本日本", 6) == "日本."
    assert clip("Siam", 4) == "Siam"


def test_a_word_too_long_stands_alone() -> None:
    assert wrapped("ab " + "c" * 80) == ["ab", "c" * 80]


def test_the_last_word_of_a_paragraph_takes_one_along() -> None:
    assert wrapped("all of it was done", columns=14) == ["all of it", "was done"]


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["turn:", "write", "e.g.", "Write", "example"]), min_size=1, max_size=30
    ),
    st.sampled_from(
        ["place the rest in Siam", "attack India from Siam, keep 4", "end", "trade 1 2 3"]
    ),
    st.lists(st.sampled_from(["instead.", "of", "it"]), max_size=20),
)
def test_no_line_of_a_broken_paragraph_is_read_as_the_order_that_it_quotes(
    before: list[str], order: str, after: list[str]
) -> None:
    lines = wrapped(" ".join([*before, f'"{order}".', *after]))
    assert max(map(width, lines)) <= 72
    assert [line for line in lines if read([line], "en", Table(load())).lines] == []


def test_no_seat_of_several_stands_alone_on_a_line() -> None:
    text = listed([f"{letter} {'x' * 20}" for letter in "ABCDE"], "BOARD ")
    assert [line.count("x" * 5) > 1 for line in text.splitlines()] == [True, True]
    assert max(map(len, text.splitlines())) <= 72
