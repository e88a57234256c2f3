"""The letter that is answered: which lines of an answer are only its copy."""

from collections.abc import Sequence

from .normalise import fold_dashes

SHORTEST_RUN = 3


class Parent:
    """The text of a letter that we sent, ready for comparing."""

    def __init__(self, text: str) -> None:
        lines = [squashed for line in text.split("\n") if (squashed := _squash(line))]
        self._lines = lines
        self._text = " ".join(lines)
        self._places: dict[str, list[int]] = {}
        for number, line in enumerate(lines):
            self._places.setdefault(line, []).append(number)

    def copies(self, lines: Sequence[str]) -> frozenset[int]:
        """Numbers of the lines that stand in a run of three or more which we sent in that order.

        Blank lines count for nothing. A single line is never a copy: a player may repeat an order.
        Nor is a run of `| ` lines alone: they are examples, copied on purpose.
        """
        squashed = [(number, text) for number, line in enumerate(lines) if (text := _squash(line))]
        found: set[int] = set()
        at = 0
        while at < len(squashed):
            length = self._longest_run([text for _, text in squashed[at:]])
            run = squashed[at : at + length]
            if length >= SHORTEST_RUN and not all(text.startswith("|") for _, text in run):
                found.update(number for number, _ in run)
            at += max(1, length if length >= SHORTEST_RUN else 1)
        return frozenset(found)

    def holds(self, line: str) -> bool:
        """Whether this very line stands in the letter, its `| ` included."""
        return _squash(line) in self._places

    def continues(self, old: str, line: str) -> bool:
        """Whether `line` goes on where the old line before it ends: wrapped on its way."""
        before, after = _squash(old), _squash(line)
        return bool(before and after) and f"{before} {after}" in self._text

    def _longest_run(self, texts: Sequence[str]) -> int:
        starts = self._places.get(texts[0], ())
        return max((self._run_from(start, texts) for start in starts), default=0)

    def _run_from(self, start: int, texts: Sequence[str]) -> int:
        length = 0
        for ours, theirs in zip(self._lines[start:], texts, strict=False):
            if ours != theirs:
                break
            length += 1
        return length


def _squash(line: str) -> str:
    return " ".join(fold_dashes(line).lstrip("> ").casefold().split())
