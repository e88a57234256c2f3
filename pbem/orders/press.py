"""SAY: a message to other seats, over as many lines as it takes, until END SAY."""

from collections.abc import Mapping, Sequence

from pbem.orders.cursor import Cursor
from pbem.orders.mistake import Mistake
from pbem.orders.scan import Token, scan
from pbem.orders.service import Say
from pbem.orders.spelling import edits, fold, words
from pbem.orders.word import Word
from pbem.rules.seat import Seat

SLIP = 2
"""A name this many edits away is offered."""


def head(cursor: Cursor) -> Say:
    """The line that begins with SAY, up to its colon; `text` is what stands behind it."""
    colon = next((t for t in cursor.tokens if t.word is Word.COLON), None)
    cursor.start = cursor.place
    if colon is None:
        raise cursor.misread()
    begun = _begin_of_names(cursor, colon)
    named = cursor.text[begun : colon.start]
    text = cursor.text[colon.end :].strip()
    parts = _parts(cursor, named, begun)
    others = [part for part in parts if not _is_master(cursor, part)]
    gm, said = len(others) < len(parts), [_words(cursor, part) for part in others]
    if any(Word.ANON in inside for inside in said):
        return _hidden(cursor, text, parts)
    if any(Word.ALL in inside for inside in said):
        return Say(tuple(cursor.table.names) if gm else (), text, gm=gm)
    return Say(_seats(cursor, others), text, gm=gm)


def _begin_of_names(cursor: Cursor, colon: Token) -> int:
    """Behind SAY. Of the Italian "scrivi a" the "a" is a seat, where no name follows it."""
    say, *behind = cursor.tokens[cursor.place :]
    lettered = say.text[-2:].strip().upper() in cursor.table.names
    joints = [t for t in _joints(cursor, say.end, colon.start) if t.word is not Word.TO]
    unnamed = behind[:1] == [colon] or behind[:1] == joints[:1]
    return say.end - 1 if lettered and behind and unnamed else say.end


def _hidden(cursor: Cursor, text: str, parts: Sequence[str]) -> Say:
    """A message without a name, which goes to all: whoever names somebody means something else."""
    if len(parts) > 1 and not all({Word.ANON, Word.ALL} & _words(cursor, part) for part in parts):
        raise cursor.misread()
    return Say((), text, anonymous=True)


def _words(cursor: Cursor, part: str) -> frozenset[Word]:
    return frozenset(token.word for token in scan(part, cursor.lexicon))


def _parts(cursor: Cursor, named: str, begun: int) -> list[str]:
    """The names between SAY and the colon, parted by commas and AND."""
    joints = _joints(cursor, begun, begun + len(named))
    cuts = [begun, *(edge for joint in joints for edge in (joint.start, joint.end))]
    cuts.append(begun + len(named))
    parts = (cursor.text[cuts[i] : cuts[i + 1]].strip() for i in range(0, len(cuts), 2))
    return [part for part in parts if part] or cursor.fail()


def _joints(cursor: Cursor, begun: int, end: int) -> list[Token]:
    """What stands between the names, from behind. A word that is the letter of a seat as well (the
    Italian "a" and "e") is that seat where no name follows it."""
    joints: list[Token] = []
    name_ends = True
    for token in reversed([t for t in cursor.tokens if begun <= t.start < end]):
        is_seat = name_ends and token.text.upper() in cursor.table.names
        is_joint = token.word in (Word.COMMA, Word.AND, Word.TO) and not is_seat
        if is_joint:
            joints.insert(0, token)
        name_ends = is_joint and token.word is not Word.TO
    return joints


def _is_master(cursor: Cursor, name: str) -> bool:
    """Whether the game master is meant; a player of that name is nearer."""
    said = [token.word for token in scan(name, cursor.lexicon)]
    wanted = fold(name)
    return said == [Word.GM] and wanted not in map(fold, cursor.table.names.values())


def _seats(cursor: Cursor, names: Sequence[str]) -> tuple[Seat, ...]:
    return tuple(dict.fromkeys(_seat(cursor, name) for name in names))


def _seat(cursor: Cursor, name: str) -> Seat:
    """The seat of that letter or name; a word of the name is enough if nobody shares it."""
    wanted, names = fold(name), cursor.table.names
    found = _called(cursor, wanted) or _called(cursor, fold(_without_article(cursor, name)))
    if len(found) == 1:
        return found[0]
    near = found or _nearest(wanted, names)
    # What one word means is never sent to several, unless they say so: a YES takes the list.
    meant = ", ".join(names[seat] for seat in near) if found or len(near) == 1 else ""
    raise cursor.misread(
        "E38", name=name, meant=meant, candidates=tuple(near), several=len(found) > 1
    )


def _nearest(wanted: str, names: Mapping[Seat, str]) -> list[Seat]:
    """Whose names the fewest slips away are, if any is near."""
    slips = {
        seat: min(
            (found for word in words(said) if (found := edits(wanted, word, SLIP)) < len(word)),
            default=SLIP + 1,
        )
        for seat, said in names.items()
    }
    fewest = min(slips.values(), default=SLIP + 1)
    return [seat for seat, found in slips.items() if found == fewest <= SLIP]


def _called(cursor: Cursor, wanted: str) -> list[Seat]:
    names, others = cursor.table.names, cursor.table.nicknames
    found = [s for s, said in names.items() if wanted in (fold(s), fold(said))]
    found = found or [s for s, said in others.items() if wanted in map(fold, said)]
    return found or [s for s, said in names.items() if wanted in words(said)]


def _without_article(cursor: Cursor, name: str) -> str:
    """The name behind words that say nothing: Dutch "de rode"."""
    said = (token for token in scan(name, cursor.lexicon) if token.word is not Word.FILLER)
    first = next(said, None)
    return name[first.start :] if first else name


def mended(line: str, mistake: Mistake) -> str | None:
    """The line of an E38 with the names that were likely meant; None if nobody can tell."""
    name, meant = str(mistake.facts["name"]), str(mistake.facts["meant"])
    return line.replace(name, meant, 1) if meant else None


def closing(tokens: Sequence[Token]) -> Token | None:
    """The END SAY of a line, if it has one."""
    return next((t for t in tokens if t.word is Word.END_SAY), None)


def unclosed(number: int, quoted: str, say: Say, later: int) -> Mistake:
    """E37: the message runs to the end of the mail, but a later line reads as an order."""
    return Mistake("E37", number, quoted, {"to": say.to, "later": later})
