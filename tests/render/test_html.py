"""The HTML parts under a strict parser: well formed, and on their own."""

import re
from html.parser import HTMLParser

import html5lib
import pytest

from pbem.render.illustration import scene
from pbem.render.letters import compose
from tests.render.samples import SAMPLES
from tests.render.test_letters import letter

CID = "board.0123456789abcdef@pbem"
BEARING = [name for name, context in SAMPLES.items() if scene(context) is not None]


class Tags(HTMLParser):
    """All tags of a page with their attributes, in their order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def page(name: str, picture: str | None = CID) -> str:
    context = SAMPLES[name]
    return compose(context.kind, context, picture=picture).html


@pytest.mark.parametrize("name", SAMPLES)
def test_a_strict_parser_has_nothing_to_say(name: str) -> None:
    parser = html5lib.HTMLParser(strict=True)
    parser.parse(page(name))


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_runs_and_nothing_is_fetched(name: str) -> None:
    tags = Tags(page(name)).found
    assert not {"script", "link", "iframe", "object", "form", "base", "svg"} & {t for t, _ in tags}
    for tag, attributes in tags:
        assert not [key for key in attributes if key.startswith("on")]
        for key, value in attributes.items():
            if key in ("src", "href", "background", "srcset", "action"):
                assert (tag, value) == ("img", f"cid:{CID}")


def test_the_letters_with_a_picture_are_the_ones_that_show_the_board_anew() -> None:
    kinds = {SAMPLES[name].kind for name in BEARING}
    assert kinds == {"turn-call", "done", "setup-result", "report", "game-over"}
    assert "done-waiting" not in BEARING


@pytest.mark.parametrize("name", BEARING)
def test_the_picture_has_an_alternative_text_of_one_sentence(name: str) -> None:
    (picture,) = [attributes for tag, attributes in Tags(page(name)).found if tag == "img"]
    told = picture["alt"]
    assert told is not None
    assert re.fullmatch(r"Map of the board, g7 · Turn \d+: Blue has 15 territories .+\.", told)
    assert told.count(".") == 1
    assert picture["width"] == "608"


@pytest.mark.parametrize("name", BEARING)
def test_without_its_picture_a_letter_speaks_of_none(name: str) -> None:
    assert "<img" not in page(name, picture=None)
    assert "cid:" not in page(name, picture=None)


def test_what_may_be_done_stands_before_the_long_tables() -> None:
    whole = page("turn-call")
    words = ("<img", "Players", "You could write", "North America 5")
    places = [whole.index(word) for word in words]
    assert places == sorted(places)
    text = letter("turn-call").text
    assert text.index("Alaska") < text.index("YOU COULD WRITE")
