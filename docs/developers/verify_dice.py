"""Checks one roll of a game's record, with nothing but Python's standard library.

Usage: python verify_dice.py RECORD ROLL        e.g. python verify_dice.py g7.txt 101

It follows docs/developers/record.md and shares no code with the program that rolled the dice.
Exit code 0: the roll is proved. 1: it is false, or not provable yet. 2: wrong usage.
"""

import hashlib
import hmac
import re
import sys
from pathlib import Path


def hmac_sha256(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode("ascii"), hashlib.sha256).digest()


def faces_of(key: bytes, roll: int, count: int) -> str:
    """Bytes of HMAC(key, "roll|0"), HMAC(key, "roll|1"), ... below 252, modulo 6, plus 1."""
    faces, block = "", 0
    while len(faces) < count:
        stream = hmac_sha256(key, f"{roll}|{block}")
        faces += "".join(str(byte % 6 + 1) for byte in stream if byte < 252)
        block += 1
    return faces[:count]


def lines_with_links(record: str) -> list[tuple[str, int, int]]:
    """Each line with its dice link and the branch in which that was taken; `~` is left out."""
    found: list[tuple[str, int, int]] = []
    counting: list[tuple[str | None, int]] = []
    link, branch, branch_of = 1, 0, {1: 0}
    for raw in record.splitlines():
        undone = re.match(r"~(\d+) ", raw)
        mark, line = (undone[1], raw[undone.end() :]) if undone else (None, raw)
        if back := re.match(r"@gm rollback (\d+) ", line):
            branch = int(back[1])
            while counting[-1][0] == back[1]:
                counting.pop()
            link = counting[-1][1]
        if taken := re.search(r"^\s*(?:\S+ \S+|dice|setup) link (\d+)", line):
            link = int(taken[1])
            branch_of.setdefault(link, branch)
        counting.append((mark, link))
        found.append((line, link, branch_of[link]))
    return found


def check(record: str, roll: int) -> str:
    """One sentence that proves the roll; raises ValueError with the reason if it is not proved."""
    tags = dict(re.findall(r'\[(\w+) "(.*?)"\]', record))
    lines = lines_with_links(record)
    thrown = re.compile(rf"(?<!\S){roll}:([1-6]+)/?([1-6]*)(?!\S)")
    told = next((one for one in lines if thrown.search(one[0])), None)
    if told is None:
        raise ValueError(f"there is no roll {roll} in this record")
    line, link, branch = told
    attacker, defender = thrown.findall(line)[0]
    shown = [(n, s[1]) for text, n, _ in lines if (s := re.search("secret ([0-9a-f]{64})", text))]
    later = min(((n, secret) for n, secret in shown if n >= link), default=None)
    if later is None:
        raise ValueError(f"link {link} is not shown before its turn is over")
    # A link that was never shown itself is what a later one hashes to.
    secret = hashed_back(bytes.fromhex(later[1]), later[0] - link)
    if hashed_back(secret, link).hex() != tags["DiceCommit"]:
        raise ValueError(f"the secret of link {link} was not promised by DiceCommit")
    game = tags["Game"] + (f"/b{branch}" if branch else "")
    key = hmac_sha256(secret, f"dice/1|{game}|{link}|{tags['Luck']}")
    proved = faces_of(key, roll, len(attacker + defender))
    if proved != attacker + defender:
        raise ValueError(f"roll {roll} must be {proved}, but the record says {attacker}{defender}")
    return f"Roll {roll} is true: {attacker} against {defender or 'nobody'}, by link {link}."


def hashed_back(secret: bytes, links: int) -> bytes:
    """The secret so many links before."""
    for _ in range(links):
        secret = hashlib.sha256(b"dice/1" + secret).digest()
    return secret


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[2].isdecimal():
        sys.exit(__doc__)
    try:
        print(check(Path(sys.argv[1]).read_text("utf-8"), int(sys.argv[2])))
    except ValueError as error:
        sys.exit(f"Not proved: {error}.")
