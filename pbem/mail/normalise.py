"""One spelling for the many that keyboards and mail programs produce."""

import re
import unicodedata

_BREAKS = re.compile(r"\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
# Zero-width marks, soft hyphen, direction marks, byte order mark, variation selectors; halves
# of characters, which no database takes.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef\ud800-\udfff]"
)
_SPACES = re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_DASHES = re.compile("[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]")
_COLONS = re.compile("[\u2236\ufe13\ufe55\uff1a]")
_ARROWS = re.compile(
    "[-=]+>|[\u2192\u21d2\u21a6\u21e8\u21fe\u27a1\u2794\u279c\u279e\u27a4\u27f6\u27f9\u2b95]"
)
_SINGLE_QUOTES = re.compile("[\u2018-\u201b\u2032\u2035\u00b4\u0060\uff07\u2039\u203a]")
_DOUBLE_QUOTES = re.compile("[\u201c-\u201f\u2033\u2036\u00ab\u00bb\uff02]")
_BULLET = re.compile(
    r"^(?:(?:-{2,3}|[-*+\u2022\u2023\u25cf\u25e6\u25aa\u00b7\u2043]|\(?\d{1,3}[.)]|\(?[a-z]\)"
    r"|\[(?:\d{1,3}|[ xX])?\]|#\d{1,3}\b)\s+(?=\S)"
    # Figures with less behind them may belong to the words.
    r"|\d{1,3}(?:\.|: | - )(?=[^\W\d_])|(?:\d\u20e3 ?|o {2,})(?=\S)"
    r"|[-\u2022\u00b7](?=[^\W\d_]))"
)
_BOLD = re.compile(r"^\*(?=\S)(.+)(?<=\S)\*$")
_RUNS = re.compile(" {2,}")


def clean(text: str) -> str:
    """The text with plain breaks and spaces, without marks that nobody sees. Meaning untouched."""
    broken = _BREAKS.sub("\n", text)
    seen = _INVISIBLE.sub("", _CONTROLS.sub("", broken))
    return _SPACES.sub(" ", seen)


def normalise_line(line: str) -> str:
    """One line of orders as the order reader wants it: NFKC, plain dashes and quotes, no bullet.

    An arrow of any kind becomes a dash: it must not look like a quote mark. The stars
    by which plain text shows bold words go as well.
    """
    # NFKC comes last: it would take an acute accent for a space and a mark without a letter.
    folded = _DOUBLE_QUOTES.sub('"', _SINGLE_QUOTES.sub("'", _SPACES.sub(" ", line)))
    folded = _ARROWS.sub("-", fold_dashes(folded))
    folded = unicodedata.normalize("NFKC", folded)
    bare = _BOLD.sub(r"\1", without_bullet(folded.strip()))
    return _RUNS.sub(" ", bare).strip()


def order_lines(text: str) -> list[str]:
    """The lines of a text that no mail brought, as the order reader wants them."""
    return [normalise_line(line) for line in clean(text).split("\n")]


def fold_dashes(line: str) -> str:
    """The line with one dash for the dozen that typography knows."""
    return _DASHES.sub("-", line)


def fold_colons(line: str) -> str:
    """The line with one colon for those that other alphabets write."""
    return _COLONS.sub(":", line)


def without_bullet(line: str) -> str:
    """The line without the marks of a list: `-`, `--`, `*`, a dot, `1.`, `(a)`, `[x]`."""
    return _BULLET.sub("", _BULLET.sub("", line))
