"""The few marks that the templates of the letters write, as plain text and as HTML.

A letter's words stand once, in its text template, a paragraph a line; both parts are made of it:

- ``# `` begins a heading,
- ``| `` begins an order that can be copied into an answer; it is never broken,
- two spaces begin an item of a list; the address of a page stands in one alone and is never broken
  (no link: mail programs make one of it, and HTML that refers to nothing outside is trusted more),
- an empty line separates paragraphs.
"""

import re
from collections.abc import Iterator
from itertools import groupby

from markupsafe import Markup

from pbem.render.columns import wrapped

HEADING, ORDER, ITEM = "# ", "| ", "  "


def plain(text: str) -> str:
    """The text part: headings in capitals, paragraphs broken at 72 columns."""
    lines = (piece for line in _lines(text) for piece in _plain_line(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def html(text: str) -> Markup:
    """The same as HTML: h2, p, ul and, for orders, pre. Everything in it is escaped."""
    blocks = groupby(_lines(text), key=_mark)
    return Markup("\n").join(_html_block(mark, list(lines)) for mark, lines in blocks if mark)


def _lines(text: str) -> Iterator[str]:
    return (line.rstrip() for line in text.split("\n"))


def _mark(line: str) -> str:
    for mark in (HEADING, ORDER, ITEM):
        if line.startswith(mark):
            return mark
    return "p" if line else ""


def _plain_line(line: str) -> Iterator[str]:
    match _mark(line):
        case "# ":
            yield from wrapped(line.removeprefix(HEADING).upper())
        case "| ":
            yield line
        case "  ":
            yield from wrapped(line, hang=ITEM)
        case _:
            yield from wrapped(line)


def _html_block(mark: str, lines: list[str]) -> Markup:
    match mark:
        case "# ":
            return Markup("\n").join(
                Markup("<h2>{}</h2>").format(line.removeprefix(HEADING)) for line in lines
            )
        case "| ":
            return Markup('<pre class="orders">{}</pre>').format("\n".join(lines))
        case "  ":
            items = (Markup("<li>{}</li>").format(line.strip()) for line in lines)
            return Markup("<ul>{}</ul>").format(Markup("").join(items))
        case _:
            return Markup("<p>{}</p>").format(Markup("<br>").join(lines))
