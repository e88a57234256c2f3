"""The gallery holds every letter and shows each of them on its index page."""

import re
from pathlib import Path

from pbem.render.catalogue import languages
from pbem.render.illustration import scene
from tests.render.samples import SAMPLES
from tests.render.scenes import CHOSEN
from tools.gallery import NAMED, main


def test_every_letter_in_every_language_is_there_to_be_looked_at(tmp_path: Path) -> None:
    main(str(tmp_path))
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    for language in languages():
        shelf = {path.name for path in (tmp_path / language).iterdir()}
        drawn = {f"{name}.png" for name, context in SAMPLES.items() if scene(context, language)}
        assert {name for name in shelf if name.endswith(".png")} == drawn
        assert {name for name in shelf if name.endswith(".txt")} == {f"{n}.txt" for n in SAMPLES}
    linked = re.findall(r'(?:href|src)="([^"]+)"', index)
    assert {link for link in linked if not (tmp_path / link).is_file()} == set()
    assert sum(link.endswith(".html") for link in linked) == len(SAMPLES) * len(languages())
    assert sum(link.endswith(".png") for link in linked) == 5 + len(NAMED) + len(CHOSEN)


def test_a_letter_in_the_gallery_shows_its_picture(tmp_path: Path) -> None:
    main(str(tmp_path))
    page = (tmp_path / "en" / "turn-call.html").read_text(encoding="utf-8")
    assert 'src="turn-call.png"' in page
    assert "cid:" not in page
