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


def check(record: str, roll: int) -> str:
    """One sentence that proves the roll; raises ValueError with the reason if it is not proved."""
    tags = dict(re.findall(r'\[(\w+) "(.*?)"\]', record))
    turns = re.split(r"(?m)^(?=\S.* link \d+ *$)", record)
    found = re.compile(rf"(?<!\S){roll}:([1-6]+)/?([1-6]*)(?!\S)")
    turn = next((turn for turn in turns if found.search(turn)), "")
    if not turn:
        raise ValueError(f"there is no roll {roll} in this record")
    attacker, defender = found.findall(turn)[0]
    link = int(turn.split("\n")[0].split()[-1])
    shown = re.search(r"secret ([0-9a-f]{64})", turn)
    if not shown:
        raise ValueError(f"link {link} is not shown before its turn is over")
    secret = bytes.fromhex(shown[1])
    hashed = secret
    for _ in range(link):
        hashed = hashlib.sha256(b"dice/1" + hashed).digest()
    if hashed.hex() != tags["DiceCommit"]:
        raise ValueError(f"the secret of link {link} was not promised by DiceCommit")
    key = hmac_sha256(secret, f"dice/1|{tags['Game']}|{link}|{tags['Luck']}")
    proved = faces_of(key, roll, len(attacker + defender))
    if proved != attacker + defender:
        raise ValueError(f"roll {roll} must be {proved}, but the record says {attacker}{defender}")
    return f"Roll {roll} is true: {attacker} against {defender or 'nobody'}, by link {link}."


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[2].isdecimal():
        sys.exit(__doc__)
    try:
        print(check(Path(sys.argv[1]).read_text("utf-8"), int(sys.argv[2])))
    except ValueError as error:
        sys.exit(f"Not proved: {error}.")
