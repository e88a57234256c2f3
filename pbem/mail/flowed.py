"""format=flowed (RFC 3676): paragraphs put together again, quote marks kept."""

SIGNATURE = "-- "


def unflow(text: str, *, delsp: bool = False) -> str:
    """Fixed lines of a flowed text; a line that ends in a space goes on in the next one.

    With `delsp` that space only marked the break. Quoted lines come out with one `>` a level.
    """
    fixed: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth, content = _split(line)
        flows = content.endswith(" ") and content != SIGNATURE
        if open_depth == depth and content != SIGNATURE:
            fixed[-1] += _unspaced(content, drop=flows and delsp)
        else:
            fixed.append(_prefix(depth) + _unspaced(content, drop=flows and delsp))
        open_depth = depth if flows else None
    return "\n".join(fixed)


def _split(line: str) -> tuple[int, str]:
    content = line.lstrip(">")
    depth = len(line) - len(content)
    # Space-stuffing: one space before what would else read as a quote or a "From " line.
    return depth, content.removeprefix(" ")


def _prefix(depth: int) -> str:
    return ">" * depth + " " if depth else ""


def _unspaced(content: str, *, drop: bool) -> str:
    return content[:-1] if drop else content
