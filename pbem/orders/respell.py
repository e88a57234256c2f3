"""A sentence that could not be read, with its unknown words put right where that is certain.

Decision 8 of orders.md: a word is put right only by one edit, if no word of another meaning is
nearly as near. The answer tells of every one.
"""

from collections.abc import Callable, Sequence

from pbem.orders.scan import Token
from pbem.orders.spelling import fold
from pbem.orders.word import Word

Change = tuple[str, str]
"""A word as written, and as it was read."""


def respelled(
    text: str, tokens: Sequence[Token], spelling: Callable[[str], str | None]
) -> tuple[str, list[Change]]:
    """The words of the tokens with every slip mended for which there is a spelling, and the slips.

    `spelling` is one of the mender's: that of certain slips, or that of likely ones.
    """
    first, changes = tokens[0].start, []
    said = text[first : tokens[-1].end]
    for token in reversed(tokens):
        meant = spelling(fold(token.text)) if token.word is Word.UNKNOWN else None
        if meant is not None:
            said = said[: token.start - first] + meant + said[token.end - first :]
            changes.append((token.text, meant))
    return said, changes[::-1]
