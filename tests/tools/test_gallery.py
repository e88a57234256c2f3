"""The gallery holds every letter and shows each of them on its index page."""

import re
from pathlib import Path

import pytest

from pbem.render.catalogue import languages
from pbem.render.illustration import scene
from pbem.render.letters import templates
from tests.render.doorstep import doorstep
from tests.render.samples import SAMPLES
from tests.render.scenes import CHOSEN
from tools.gallery import NAMED, main


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole gallery, made once."""
    folder = tmp_path_factory.mktemp("gallery")
    main(str(folder))
    return folder


def test_every_letter_in_every_language_is_there_to_be_looked_at(gallery: Path) -> None:
    index = (gallery / "index.html").read_text(encoding="utf-8")
    letters = {*SAMPLES, *doorstep("en")}
    for language in languages():
        shelf = {path.name for path in (gallery / language).iterdir()}
        drawn = {f"{name}.png" for name, context in SAMPLES.items() if scene(context, language)}
        assert {name for name in shelf if name.endswith(".png")} == drawn
        assert {name for name in shelf if name.endswith(".txt")} == {f"{n}.txt" for n in letters}
    linked = re.findall(r'(?:href|src)="([^"]+)"', index)
    assert {link for link in linked if not (gallery / link).is_file()} == set()
    assert sum(link.endswith(".html") for link in linked) == len(letters) * len(languages())
    assert sum(link.endswith(".png") for link in linked) == 5 + len(NAMED) + len(CHOSEN)


def test_every_kind_of_letter_is_among_them() -> None:
    shown = {context.kind for context in (*SAMPLES.values(), *doorstep("en").values())}
    subjects = (templates() / "mail").glob("*.subject.j2")
    assert shown == {subject.name.split(".")[0] for subject in subjects}


def test_a_letter_in_the_gallery_shows_its_picture(gallery: Path) -> None:
    page = (gallery / "en" / "turn-call.html").read_text(encoding="utf-8")
    assert 'src="turn-call.png"' in page
    assert "cid:" not in page


@pytest.mark.parametrize(
    ("language", "order"),
    [
        ("en", "| attack India from Siam, keep 4"),
        ("it", "| attacca l'India dal Siam, tieni 4"),
        ("nl", "| val India aan vanuit Zuidoost-Azië, houd 4"),
        ("sl", "| napadi Indijo iz Siama, obdrži 4"),
    ],
)
def test_orders_are_in_the_language_of_their_letter(
    gallery: Path, language: str, order: str
) -> None:
    text = (gallery / language / "turn-call.txt").read_text(encoding="utf-8")
    assert order in text.splitlines()
