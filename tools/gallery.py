"""Every kind of letter in every language, to be looked at: text, HTML and picture in a folder.

    python -m tools.gallery FOLDER

The letters are those of the tests' samples in the words of each language, the pictures those of
their scenes. `index.html` in the folder shows all of them.
"""

import argparse
from collections.abc import Iterator
from html import escape
from pathlib import Path

from pbem.render import illustration, letters
from pbem.render.catalogue import languages
from pbem.render.picture.board import draw
from tests.render.doorstep import doorstep
from tests.render.samples import SAMPLES
from tests.render.scenes import CHOSEN, random_scene
from tests.render.spoken import spoken

ZONE = "Europe/Rome"
NAMED = ("en", "it", "nl", "sl")
"""Languages in which the board has names, whether or not letters are complete in them."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1240px; padding: 0 1rem }
table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left }
img { max-width: 100%; height: auto } figure { margin: 0 0 2rem }
"""


def main(folder: str) -> None:
    """Writes the gallery into the folder, which may exist."""
    target = Path(folder)
    shelves = {language: list(_letters(target, language)) for language in languages()}
    pictures = list(_pictures(target))
    page = "\n".join(_index(shelves, pictures))
    (target / "index.html").write_text(page, encoding="utf-8")


def _letters(target: Path, language: str) -> Iterator[tuple[str, str]]:
    """Writes the letters of a language; the name of each with its subject."""
    shelf = target / language
    shelf.mkdir(parents=True, exist_ok=True)
    samples = {name: spoken(name, language) for name in SAMPLES}
    for name, context in (samples | dict(doorstep(language))).items():
        scene = illustration.scene(context, language)
        picture = f"{name}.png"
        if scene is not None:
            (shelf / picture).write_bytes(draw(scene))
        cid = picture if scene is not None else None
        letter = letters.compose(context.kind, context, language, ZONE, cid)
        # In a mail the picture has a content id, in a folder a name.
        page = letter.html.replace(f"cid:{picture}", picture)
        (shelf / f"{name}.html").write_text(page, encoding="utf-8")
        (shelf / f"{name}.txt").write_text(
            f"Subject: {letter.subject}\n\n{letter.text}", encoding="utf-8"
        )
        yield name, letter.subject


def _pictures(target: Path) -> Iterator[str]:
    """Draws boards of two to six seats, the chosen positions, and all languages of the board."""
    shelf = target / "pictures"
    shelf.mkdir(parents=True, exist_ok=True)
    scenes = {f"{2 + seed % 5}-seats": random_scene(seed) for seed in range(5)}
    scenes |= {f"names-{language}": random_scene(9, language) for language in NAMED}
    for name, scene in (scenes | dict(CHOSEN)).items():
        (shelf / f"{name}.png").write_bytes(draw(scene))
        yield name


def _index(shelves: dict[str, list[tuple[str, str]]], pictures: list[str]) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Gallery</title><style>{_STYLE}</style></head><body><h1>Gallery</h1>"
    for language, letters_in_it in shelves.items():
        yield f"<h2>{language}</h2><table><tbody>"
        for name, subject in letters_in_it:
            yield (
                f'<tr><th scope="row"><a href="{language}/{name}.html">{name}</a></th>'
                f'<td><a href="{language}/{name}.txt">text</a></td><td>{escape(subject)}</td></tr>'
            )
        yield "</tbody></table>"
    yield "<h2>Pictures</h2>"
    for name in pictures:
        yield (
            f'<figure><img src="pictures/{name}.png" alt="The board, {name}" loading="lazy">'
            f"<figcaption>{name}</figcaption></figure>"
        )
    yield "</body></html>\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.gallery", description=__doc__)
    parser.add_argument("folder", metavar="FOLDER")
    main(parser.parse_args().folder)
