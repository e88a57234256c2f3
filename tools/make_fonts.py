# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools==4.68.0"]
# ///
"""Joins the Latin and the extended Latin part of the picture's font, one file a weight.

npm pack @fontsource/barlow-semi-condensed@5.3.0 && tar xzf fontsource-*.tgz
python -m tools.make_fonts package/files
"""

import sys
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parents[1] / "pbem" / "render" / "picture" / "fonts"
WEIGHTS = (500, 600, 700)


def main(files: str) -> None:
    """Reads the font's parts as they come from the package and writes whole fonts."""
    for weight in WEIGHTS:
        parts = [
            Path(files) / f"barlow-semi-condensed-{part}-{weight}-normal.woff"
            for part in ("latin", "latin-ext")
        ]
        joined(parts).save(FONTS / f"BarlowSemiCondensed-{weight}.ttf")


def joined(parts: list[Path]) -> TTFont:
    """One font of several parts that share no character."""
    with tempfile.TemporaryDirectory() as folder:
        plain = []
        for place, part in enumerate(parts):
            font = TTFont(part, recalcTimestamp=False)
            font.flavor = None
            plain.append(str(Path(folder) / f"{place}.ttf"))
            font.save(plain[-1])
        merged: TTFont = Merger().merge(plain)
        merged["head"].created = merged["head"].modified = TTFont(parts[0])["head"].modified
        merged.recalcTimestamp = False
        return merged


if __name__ == "__main__":
    main(sys.argv[1])
