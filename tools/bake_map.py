# /// script
# requires-python = ">=3.11"
# dependencies = ["pillow==13.0.0", "resvg-py==0.5.0"]
# ///
"""Bakes the map's SVG into the layers that a picture of the board is laid from.

    python -m tools.bake_map

`under.png` is the sea with the continents' coasts, `land.png` the place of a territory in the
board's order (from 1) at each pixel, `over.png` borders and lakes. `rims.png` holds, one below the
other, an outline for each territory and a ring for each continent: grey is the share of the inner
colour, alpha the cover; `rims.json` says where each lies, as [x, y, width, height, row].
`paths.json` has the lines themselves, for pages that draw the board as SVG.
"""

import io
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import resvg_py
from PIL import Image, ImageChops

from pbem.render.picture.palette import INK, SEA
from pbem.rules import board as boards
from tools.make_map import ATLAS, PLACES, SVG

LAYERS = PLACES.parent
OUTLINE, RING = (5.0, 2.8), (14.0, 10.0)
"""Pixels of the outer and the inner stroke."""


def main() -> None:
    """Reads the SVG and writes the layers."""
    source = SVG.read_text(encoding="utf-8")
    paths = dict(re.findall(r'<path id="([a-z-]+)" d="([^"]+)"', source))
    borders = re.findall(r'points="([^"]+)"', source)
    plan = tomllib.loads((ATLAS / "classic-world.toml").read_text(encoding="utf-8"))
    size = (plan["frame"]["width"], plan["frame"]["height"])
    tints = {name: entry["tint"] for name, entry in plan["continent"].items()}
    territories = {t.code: t.id for t in boards.load().territories.values()}
    lands = [paths[name] for name in territories.values()]
    rims: dict[str, tuple[str, tuple[float, float]]]
    rims = {code: (paths[name], OUTLINE) for code, name in territories.items()}
    rims |= {name: (paths[f"outline-{name}"], RING) for name in tints}
    coasts = _raster(_coasts(paths, tints, size), size).convert("RGB")
    _save("under", coasts.quantize(64, dither=Image.Dither.NONE), exact=True)
    _save("land", _raster(_numbered(lands), size, crisp=True).getchannel("R"), exact=True)
    _save("over", _raster(_lines(paths, lands, borders), size))
    _save_rims(rims, size)
    _save_paths(paths, borders)


def _save_paths(paths: Mapping[str, str], borders: Sequence[str]) -> None:
    """The lines of the map by what they bound, in the sheet's coordinates."""
    codes = {t.id: t.code for t in boards.load().territories.values()}
    lines = {
        "lands": {codes[name]: path for name, path in paths.items() if name in codes},
        "coasts": {
            name.removeprefix("outline-"): path
            for name, path in paths.items()
            if name.startswith("outline-")
        },
        "lakes": [path for name, path in paths.items() if name.startswith("lake-")],
        "borders": list(borders),
    }
    (LAYERS / "paths.json").write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")


def _coasts(paths: dict[str, str], tints: dict[str, str], size: tuple[int, int]) -> Iterator[str]:
    yield f'<rect width="{size[0]}" height="{size[1]}" fill="{SEA}"/>'
    for name in tints:
        yield _stroke(paths[f"outline-{name}"], "#fff", 10)
    for name, tint in tints.items():
        yield _stroke(paths[f"outline-{name}"], tint, 7, opacity=0.6)


def _numbered(lands: Iterable[str]) -> Iterator[str]:
    for place, path in enumerate(lands, start=1):
        yield f'<path d="{path}" fill="#{place:02x}0000"/>'


def _lines(paths: dict[str, str], lands: list[str], borders: list[str]) -> Iterator[str]:
    for name, path in paths.items():
        if name.startswith("lake-"):
            yield f'<path d="{path}" fill="{SEA}"/>'
            yield _stroke(path, INK, 0.5, opacity=0.5)
    yield from (_stroke(path, "#fff", 2.4, opacity=0.55) for path in lands)
    yield from (_stroke(path, INK, 1) for path in lands)
    for colour, width in (("#fff", 4.2), (INK, 2.2)):
        for points in borders:
            yield (
                f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}" '
                'stroke-linejoin="round" stroke-linecap="round"/>'
            )


def _stroke(path: str, colour: str, width: float, opacity: float = 1) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        f'stroke-opacity="{opacity}" stroke-linejoin="round"/>'
    )


def _raster(parts: Iterable[str], size: tuple[int, int], *, crisp: bool = False) -> Image.Image:
    rendering = "crispEdges" if crisp else "geometricPrecision"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
        f'width="{size[0]}" height="{size[1]}" shape-rendering="{rendering}">'
        f"{''.join(parts)}</svg>"
    )
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
    return Image.open(io.BytesIO(png)).convert("RGBA")


def _save_rims(rims: dict[str, tuple[str, tuple[float, float]]], size: tuple[int, int]) -> None:
    drawn = {name: _rim(path, widths, size) for name, (path, widths) in rims.items()}
    boxes = {name: box for name, image in drawn.items() if (box := image.getbbox())}
    strip = Image.new(
        "LA",
        (max(box[2] - box[0] for box in boxes.values()), sum(b[3] - b[1] for b in boxes.values())),
    )
    row, listed = 0, {}
    for name, box in boxes.items():
        strip.paste(drawn[name].crop(box), (0, row))
        listed[name] = [box[0], box[1], box[2] - box[0], box[3] - box[1], row]
        row += box[3] - box[1]
    _save("rims", strip)
    lines = ",\n".join(
        f" {json.dumps(name)}: {json.dumps(where)}" for name, where in listed.items()
    )
    (LAYERS / "rims.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _rim(path: str, widths: tuple[float, float], size: tuple[int, int]) -> Image.Image:
    """White where the inner colour goes, black where the outer one does."""
    outer, inner = widths
    lines = (_stroke(path, "#000", outer), _stroke(path, "#fff", inner))
    image = _raster(lines, size)
    grey = ImageChops.multiply(image.getchannel("R"), image.getchannel("A").point(_covered))
    return Image.merge("LA", (grey, image.getchannel("A")))


def _covered(alpha: int) -> int:
    """Colour without cover is left out, so that it does not swell the file."""
    return 255 if alpha else 0


def _save(name: str, image: Image.Image, *, exact: bool = False) -> None:
    """Sixteen steps a channel are more than the picture's palette can show."""
    stored = image if exact else image.point(_coarse)
    stored.save(LAYERS / f"{name}.png", optimize=True)


def _coarse(value: int) -> int:
    return round(value / 17) * 17


if __name__ == "__main__":
    main()
