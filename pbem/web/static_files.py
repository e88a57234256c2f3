"""Files that every browser may keep: the stylesheet and the scripts."""

import hashlib
from functools import cache
from importlib import resources
from types import MappingProxyType

from fastapi import APIRouter, Response

from pbem.render import pages
from pbem.web.refusal import Reason, RefusedError

router = APIRouter()

_FOR_EVER = "public, max-age=31536000, immutable"
_TYPES = MappingProxyType(
    {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "txt": "text/plain"}
)


@router.get("/static/{name}")
def static(name: str) -> Response:
    """A file by its name, which changes with its content: `live-<hash>.js`."""
    found = _files().get(name)
    if found is None:
        raise RefusedError(404, Reason.NO_PAGE)
    media_type = f"{_TYPES[name.rpartition('.')[2]]}; charset=utf-8"
    return Response(found, media_type=media_type, headers={"Cache-Control": _FOR_EVER})


@router.get("/style.css")
def stylesheet() -> Response:
    """The stylesheet by its old name."""
    return Response(
        pages.stylesheet(),
        media_type="text/css; charset=utf-8",
        headers={"Cache-Control": "max-age=300"},
    )


@cache
def address_of(file: str) -> str:
    """Where a file of this folder, or the stylesheet, is found now."""
    stem, _, ending = file.rpartition(".")
    start = f"{stem}-{_hash(_content(file))}"
    return f"/static/{start}.{ending}"


@cache
def _files() -> dict[str, bytes]:
    folder = resources.files(__package__) / "static"
    names = [entry.name for entry in folder.iterdir() if entry.is_file()]
    return {address_of(name).rpartition("/")[2]: _content(name) for name in [*names, "style.css"]}


def _content(file: str) -> bytes:
    if file == "style.css":
        return pages.stylesheet().encode()
    return (resources.files(__package__) / "static" / file).read_bytes()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
