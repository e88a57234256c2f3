"""A language whose catalogue is whole: here a made-up one, whose every message stands in « »."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from pbem.render import catalogue, letters
from pbem.render.letters import compose
from pbem.rules.board import Continent, Territory
from tests.render.samples import BOARD, MARKER, SAMPLES, TABLE

LANGUAGE = "sl"
CACHES = (catalogue.languages, catalogue.translations, letters.environment)


def words(text: str) -> set[str]:
    """Words of three letters and more, folded; a number in hex holds none."""
    return set(re.findall(r"\b[^\W\d_]{3,}\b", text.casefold()))


PLACES: tuple[Territory | Continent, ...] = (
    *BOARD.territories.values(),
    *BOARD.continents.values(),
)
NAMES = words(
    " ".join([*BOARD.codes, *(p.names[LANGUAGE] for p in PLACES), *(s.name for s in TABLE.seats)])
)


@pytest.fixture(scope="module", autouse=True)
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Slovenian, with its four plural forms, written as the English message in marks."""
    folder = tmp_path_factory.mktemp("locale")
    shutil.copy(Path(str(catalogue._locale())) / "messages.pot", folder)
    translated = Catalog(locale=LANGUAGE)
    for message in catalogue.template():
        if isinstance(message.id, tuple):
            forms = tuple(f"«{message.id[1]}»" for _ in range(translated.num_plurals))
            translated.add(message.id, forms, context=message.context)
        elif message.id:
            translated.add(message.id, f"«{message.id}»", context=message.context)
    target = folder / LANGUAGE / "LC_MESSAGES" / "messages.po"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_po(file, translated)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "_locale", lambda: folder)
        clear()
        yield folder
    clear()


def clear() -> None:
    for cache in CACHES:
        cache.cache_clear()


def outside(text: str) -> str:
    """What stands outside of all marks."""
    depth, kept = 0, []
    for sign in text:
        depth += (sign == "«") - (sign == "»")
        kept.append(sign if sign == "\n" or (not depth and sign != "»") else " ")
    assert depth == 0, "a translated sentence was cut"
    return "".join(kept)


def test_a_language_with_a_whole_catalogue_is_offered() -> None:
    assert catalogue.languages() == ("en", LANGUAGE)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_word_that_is_no_name_comes_from_the_catalogue(name: str) -> None:
    context = SAMPLES[name]
    text = compose(context.kind, context, LANGUAGE).text.replace(MARKER, "")
    quotes = ("| ", "> ", "  https://")
    lines = [line for line in outside(text).splitlines() if not line.startswith(quotes)]
    assert words(" ".join(lines)) <= NAMES


def test_html_says_its_language_and_is_not_escaped_twice() -> None:
    html = compose("turn-call", SAMPLES["turn-call"], LANGUAGE).html
    assert f'lang="{LANGUAGE}"' in html
    assert "&amp;lt;" not in html
    assert "Indija" in html


def test_names_of_territories_are_those_of_the_language() -> None:
    text = compose("turn-call", SAMPLES["turn-call"], LANGUAGE).text
    assert re.search(r"IDA Indija +B 4", text)
    assert max(map(len, text.splitlines())) <= 72


def test_a_catalogue_that_lacks_a_message_is_not_offered(marked: Path) -> None:
    path = marked / LANGUAGE / "LC_MESSAGES" / "messages.po"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('msgstr "«The board»"', 'msgstr ""'), encoding="utf-8")
    catalogue.languages.cache_clear()
    assert catalogue.languages() == ("en",)
