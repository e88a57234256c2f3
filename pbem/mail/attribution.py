"""The lines by which mail programs announce what they quote, and those they add themselves."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.orders.tongue import begins_an_order

_MOST_LINES = 4
_LONGEST_BLOCK = 12
_LONGEST = 600
# "On Mon, 30 Nov 2026 at 10:12, Anna <a@b> wrote:" in the languages that programs write it in.
_DATED = re.compile(
    r"(?:On|Il(?: giorno)?|Op|Dne|V|Am|Le|El|Em|Den|W dniu|Pe|Lun|Mar|Mer|Gio|Ven|Sab|Dom)\b"
    r"(?=.*\d)(?=.*(?:@|\d[:.]\d\d|\b(?:19|20)\d\d\b)).{6,}:"
)
_NUMERIC = re.compile(
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d\d)?\d\d)\b.{3,}(?:@|\d:\d\d).*:"
)
_VERB = (
    r"(?:wrote|writes|ha scritto|scrive|schreef|schrijft|geschreven|napisal\W{0,2}a?\)?|je pisala?"
    r"|piše|schrieb|a écrit|escribió|escreveu|napisał(?:\(a\)|a)?|napsala?(?:\(a\))?|skrev)"
)
_NAMED = re.compile(rf".{{2,}}\b{_VERB}(?!\w).{{0,120}}(?::|-{{3,}})", re.IGNORECASE)
_TIME = r"\d[:.]\d\d|\b(?:19|20)\d\d\b"
_MOMENT = re.compile(_TIME)
# An address in brackets, and a moment before the colon: enough in whatever language.
_ADDRESSED = re.compile(rf"(?=.*[<(\[][^\s<>()\[\]]+@[^\s<>()\[\]]+[>)\]])(?=.*(?:{_TIME})).+:")
# Right before a quote this is enough: orders name neither addresses nor hours before a colon.
_LOOSE = re.compile(rf".{{2,}}(?:@|{_TIME}).*(?::|-{{3,}})")
_STAMPED = re.compile(r"(?=.*\d[./-] ?\d{1,2}[./-] ?\d\d)(?=.*\d[:.]\d\d).+")
_LABEL = re.compile(r"[*_]{0,2}(?P<label>[^\W\d_][\w .]{0,20}?)[*_]{0,2}\s?:[*_]{0,2}(?=\s|$)")
_LABELS = frozenset(
    (
        *("from", "sent", "to", "subject", "date", "cc", "reply-to"),
        *("da", "inviato", "a", "oggetto", "data"),
        *("van", "verzonden", "verstuurd", "aan", "onderwerp", "datum"),
        *("od", "poslano", "za", "zadeva"),
        *("von", "gesendet", "an", "betreff", "de", "envoyé", "à", "objet"),
        *("enviado", "para", "asunto", "assunto"),
    )
)
_RULE = re.compile(r"_{5,}|-{4,}\s*\S.{2,50}\S\s*-{4,}")
_BARE_RULE = re.compile(
    r"original message|messaggio originale|oorspronkelijk bericht|izvirno sporočilo", re.IGNORECASE
)
_LINK = re.compile(r"\s*(?:<https?://[^>\s]*>|\(https?://[^)\s]*\))|[\[\]]")
_FORWARD = re.compile(
    r"(?:begin forwarded message|inizio messaggio inoltrato|begin doorgestuurd bericht"
    r"|začetek posredovanega sporočila|anfang der weitergeleiteten nachricht)\s*:",
    re.IGNORECASE,
)
# Orders may begin alike ("Sent from Siam ..."): only with the name of a thing or program in it.
_SENT_FROM = re.compile(
    r"(?:sent (?:from|with|via|using)|inviato (?:da(?:l|lla)?|con|tramite)"
    r"|(?:verstuurd|verzonden) (?:vanaf|vanuit|met|via)|poslano (?:iz|z|s|prek)"
    r"|gesendet (?:von|mit)|von meinem|envoyé (?:de|depuis|avec))\b"
    r"(?=.{0,40}\b(?:my|mio|mia|mijn|moj\w*|mein\w*|mon|i?phon\w*|ipad\w*|android\w*|outlook\w*"
    r"|gmail|e?-?mail|yahoo|samsung|galaxy|huawei|xiaomi|proton|blackberry|k-9|thunderbird|gmx|aol"
    r"|telefon\w*|smartphone\w*|tablet\w*|mobiel\w*|mobile|windows|aqua|bluemail|spark|nine|tuta"
    r"|fairemail|canary|edison|zoho)\b).{1,70}"
    r"|yahoo mail: .{1,60}"
    r"|(?:get|ottieni|scarica|pridobi|download) (?:outlook|bluemail|aqua mail)\b.{0,40}"
    r"|outlook voor \w+ downloaden",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Announcement:
    """Lines `first` up to `end` (not included) announce that a quoted mail follows."""

    first: int
    end: int


def is_signature(line: str) -> bool:
    """The line that begins a signature: two dashes, with the space that many programs lose."""
    return line.rstrip() == "--"


def is_sent_from(line: str) -> bool:
    """`Sent from my phone` and its like."""
    return _SENT_FROM.fullmatch(_LINK.sub("", line).strip()) is not None


def find_announcement(lines: Sequence[str]) -> Announcement | None:
    """The first attribution, block of headers or line of a forwarded mail."""
    for first, line in enumerate(lines):
        if line.strip() and (end := _announces(lines, first)) is not None:
            return Announcement(first, end)
    return None


def find_likely(lines: Sequence[str]) -> int | None:
    """The first line that may be an attribution in a language that we do not know.

    None too where one that we do know stands above it.
    """
    known = find_announcement(lines)
    for number, line in enumerate(lines[: known.first if known else None]):
        bare = line.strip()[:_LONGEST]
        likely = _LOOSE.fullmatch(bare) or _STAMPED.fullmatch(bare)
        if likely and not begins_an_order(bare):
            return number
    return None


def find_before(lines: Sequence[str], end: int) -> Announcement | None:
    """The attribution that ends right before line `end`, blank lines aside."""
    last = _before_blanks(lines, end)
    for first in range(last - 1, max(-1, last - 1 - _MOST_LINES), -1):
        if _is_dated(" ".join(lines[first:last])):
            return Announcement(_with_rule(lines, first), end)
    line = lines[last - 1].strip()[:_LONGEST] if last > 0 else ""
    if _NAMED.fullmatch(line) or _LOOSE.fullmatch(line):
        return Announcement(_with_rule(lines, last - 1), end)
    return None


def _with_rule(lines: Sequence[str], first: int) -> int:
    """The line where an attribution begins, or the `--- Original Message ---` above it."""
    above = _before_blanks(lines, first)
    return above - 1 if above > 0 and _RULE.fullmatch(lines[above - 1].strip()) else first


def _before_blanks(lines: Sequence[str], at: int) -> int:
    while at > 0 and not lines[at - 1].strip():
        at -= 1
    return at


def _announces(lines: Sequence[str], first: int) -> int | None:
    line = lines[first].strip()[:_LONGEST]
    rule = _RULE.fullmatch(line) or _BARE_RULE.fullmatch(line)
    block_at = _after_blanks(lines, first + 1) if rule else first
    if (end := _header_block_end(lines, block_at)) is not None:
        return end
    if (_RULE.fullmatch(line) and line.startswith("-")) or _FORWARD.fullmatch(line):
        return first + 1
    if _NAMED.fullmatch(line):
        return first + 1
    return _addressed_end(lines, first) or _dated_end(lines, first)


def _addressed_end(lines: Sequence[str], first: int) -> int | None:
    """Wrapped once at most, behind the moment or the address: what has neither may be an order."""
    line = lines[first].strip()[:_LONGEST]
    if _ADDRESSED.fullmatch(line):
        return first + 1
    if first + 1 < len(lines) and (_MOMENT.search(line) or "@" in line):
        wrapped = f"{line} {lines[first + 1].strip()}"[:_LONGEST]
        return first + 2 if _ADDRESSED.fullmatch(wrapped) else None
    return None


def _dated_end(lines: Sequence[str], first: int) -> int | None:
    for end in range(first + 1, min(first + _MOST_LINES, len(lines)) + 1):
        if not lines[end - 1].strip():
            return None
        if _is_dated(" ".join(lines[first:end])):
            return end
    return None


def _is_dated(joined: str) -> bool:
    text = " ".join(joined.split())[:_LONGEST]
    return bool(_DATED.fullmatch(text) or _NUMERIC.fullmatch(text))


def _header_block_end(lines: Sequence[str], first: int) -> int | None:
    """Where a block of `From: ...`, `Sent: ...` ends: in a known language, or with an address."""
    labels, end = [], first
    last = min(len(lines), first + _LONGEST_BLOCK)
    while end < last and (found := _LABEL.match(lines[end].strip())):
        labels.append(found["label"].strip().casefold())
        end += 1
    known = sum(label in _LABELS for label in labels)
    block = "\n".join(lines[first:end])
    if known >= 3 or (known >= 2 and "@" in block) or (len(labels) >= 3 and "@" in block):
        return end
    return None


def _after_blanks(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at
