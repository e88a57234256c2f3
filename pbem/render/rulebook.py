"""The rules in plain words: pages of `docs/rules`, read for the web page and named by letters.

The pages are Markdown of a few forms, which is all that is read here: headings, anchors,
paragraphs, lists and tables; `code` and links in them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

PAGES = (
    "README",
    "setup",
    "reinforcements",
    "cards",
    "attack",
    "elimination",
    "fortify",
    "goals",
    "two-players",
    "refusals",
)
"""The pages in the order of a reader who begins at the top."""


class Piece(NamedTuple):
    """A piece of a line: plain text, an order or option as it is written, or a link."""

    kind: Literal["text", "code", "link"]
    text: str
    target: str = ""


Line = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a list (`lines`), or a table, whose first row is its head (`rows`)."""

    kind: Literal["paragraph", "list", "table"]
    lines: tuple[Line, ...] = ()
    rows: tuple[tuple[Line, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of level 1 or 2, its anchor if it has one, and what stands below it."""

    level: int
    title: Line
    anchor: str = ""
    blocks: tuple[Block, ...] = field(default=())


def folder() -> Path:
    """Where the pages are: in the package of a wheel, in the docs of a checkout."""
    package = Path(str(resources.files("pbem")))
    shipped = package / "rulebook"
    return shipped if shipped.is_dir() else package.parent / "docs" / "rules"


@cache
def sections() -> tuple[Section, ...]:
    """All pages one after another; the heading of each page has an anchor too, ``page-NAME``."""
    return tuple(
        section if section.anchor else replace(section, anchor=f"page-{page}")
        for page in PAGES
        for section in read((folder() / f"{page}.md").read_text(encoding="utf-8"))
    )


def read(text: str) -> Iterator[Section]:
    """The sections of one page; raises ValueError for a page that does not begin with a heading."""
    anchor, heading, blocks = "", "", list[Block]()
    for is_blank, group in groupby(text.splitlines(), key=lambda line: not line.strip()):
        if is_blank:
            continue
        lines = list(group)
        if found := _ANCHOR.fullmatch(lines[0]):
            if heading:
                yield _section(heading, blocks)
            anchor, heading, blocks = found[1], "", []
        elif lines[0].startswith("#"):
            if heading:
                yield _section(heading, blocks)
            heading, blocks = f"{lines[0]} {{{anchor}}}", []
            anchor = ""
        elif heading:
            blocks.append(_block(lines))
        else:
            raise ValueError(f"{lines[0]!r} stands below no heading")
    if heading:
        yield _section(heading, blocks)


_ANCHOR = re.compile('<a id="([a-z0-9-]+)"></a>')
_HEADING = re.compile(r"(#{1,2}) (.*) \{([a-z0-9-]*)\}")
_PIECE = re.compile(r"`(?P<code>[^`]+)`|\[(?P<link>[^]]+)\]\((?P<target>[^)]+)\)")


def _section(heading: str, blocks: Sequence[Block]) -> Section:
    found = _HEADING.fullmatch(heading)
    if found is None:
        raise ValueError(f"{heading!r} is no heading of level 1 or 2")
    return Section(len(found[1]), _line(found[2]), found[3], tuple(blocks))


def _block(lines: Sequence[str]) -> Block:
    if lines[0].startswith("|"):
        head, _, *rows = lines
        return Block("table", rows=tuple(tuple(_cells(row)) for row in (head, *rows)))
    if lines[0].startswith("- "):
        items = "\n".join(line.strip() for line in lines).removeprefix("- ").split("\n- ")
        return Block("list", lines=tuple(_line(item.replace("\n", " ")) for item in items))
    return Block("paragraph", lines=(_line(" ".join(line.strip() for line in lines)),))


def _cells(row: str) -> Iterator[Line]:
    return (_line(cell.strip()) for cell in row.strip().strip("|").split("|"))


def _line(text: str) -> Line:
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[Piece]:
    done = 0
    for found in _PIECE.finditer(text):
        if found.start() > done:
            yield Piece("text", text[done : found.start()])
        if found["code"]:
            yield Piece("code", found["code"])
        else:
            yield Piece("link", found["link"], _within(found["target"]))
        done = found.end()
    if done < len(text):
        yield Piece("text", text[done:])


def _within(target: str) -> str:
    """A link to another page leads within the one page that holds them all."""
    page, _, anchor = target.partition("#")
    return f"#{anchor or 'page-' + page.removesuffix('.md')}"


@cache
def options() -> Mapping[str, str]:
    """For each option of the rules the anchor of its theme, whose title names it."""
    return {
        piece.text: section.anchor
        for section in sections()
        for piece in section.title
        if piece.kind == "code"
    }


@cache
def rule_behind() -> Mapping[str, str]:
    """For each refusal, and each mistake with a rule behind it, the anchor of that rule."""
    tables = (
        block.rows
        for section in read((folder() / "refusals.md").read_text(encoding="utf-8"))
        for block in section.blocks
        if block.kind == "table"
    )
    return {
        row[0][0].text: row[2][0].target.removeprefix("#")
        for first, *rows in tables
        for row in rows
    }


def rules_behind(codes: Sequence[str]) -> tuple[str, ...]:
    """The anchors of the rules behind these mistakes, each once, in the order of the mistakes."""
    found = rule_behind()
    return tuple(dict.fromkeys(found[code] for code in codes if code in found))
