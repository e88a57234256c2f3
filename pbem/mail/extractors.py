"""Two libraries that look for the new lines of an answer; neither is trusted alone.

`mail-parser-reply` knows the programs' words in many languages, `email-reply-parser` works by
shape. Both have inputs on which they take very long: they run where they can be killed.
"""

from collections.abc import Sequence

from email_reply_parser import EmailReplyParser as ShapeParser  # type: ignore[import-untyped]
from mailparser_reply import EmailReplyParser as WordParser  # type: ignore[import-untyped]

_LANGUAGES = ("en", "it", "nl", "de", "fr")


def kept_by_words(lines: Sequence[str]) -> frozenset[int]:
    """Numbers of the lines that `mail-parser-reply` takes for new."""
    replies = WordParser(languages=list(_LANGUAGES)).read("\n".join(lines)).replies
    if not replies or replies[0].headers:
        return frozenset()
    return _found_again(lines, replies[0].body)


def kept_by_shape(lines: Sequence[str]) -> frozenset[int]:
    """Numbers of the lines that `email-reply-parser` takes for new."""
    return _found_again(lines, ShapeParser.parse_reply("\n".join(lines)))


def _found_again(lines: Sequence[str], kept: str) -> frozenset[int]:
    """Both give back text, not places: walk through the lines and tick off what was kept."""
    found: set[int] = set()
    at = 0
    for wanted in filter(None, (line.strip() for line in kept.split("\n"))):
        place = next((n for n in range(at, len(lines)) if lines[n].strip() == wanted), None)
        if place is not None:
            found.add(place)
            at = place + 1
    return frozenset(found)
