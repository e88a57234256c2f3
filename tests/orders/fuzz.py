"""Mails that nobody would write, for as long as one likes: nothing may raise, nothing may hang.

    python -m tests.orders.fuzz --seconds 600 --seed 4

What fails is printed with its number; the same seed and number give the same mail again.
"""

import argparse
import random
import time
import traceback
from collections.abc import Callable, Sequence

from bench.orders_corpus import samples
from pbem.orders import check as checking
from pbem.orders import tongue, write
from pbem.orders.lexicon import LANGUAGES, lexicon
from pbem.orders.normal import normal_form
from pbem.orders.reader import read
from pbem.rules.position import Phase
from pbem.rules.view import view
from tests.orders.desk import TABLE, WORLD
from tests.rules.table import drawn

LIMIT = 0.1
"""Seconds of work for reading one mail."""

SIZE = 65_536
STATES = [
    drawn("A SIA 9, IDO 3, BRA 1; B IDA 2, CHN 2; C rest 2"),
    drawn("A SIA 9, EGY 3; B IDA 2; C rest 2", phase=Phase.PLACE, to_place=5),
    drawn("A SIA 9; B IDA 2", phase=Phase.CLAIM),
]
SIGNS = "0123456789%,.:;!?()->→'’\"“”-–— \n\n\t\u00a0\u200b\ufeff\x00\u202eßſıİÅ½²٣ǆ🙂e\u0301"


def _soup(rng: random.Random, language: str) -> str:
    """Words of the language and names, in any order."""
    known = lexicon(language, WORLD)
    words = [" ".join(phrase) for phrase in (*known.phrases, *known.names)]
    joints = [" ", " ", " ", ", ", ". ", "\n", ": ", "; ", " -> ", " 3 ", " 60% "]
    count = rng.choice((3, 8, 30, 400, 5000))
    return "".join(rng.choice(words) + rng.choice(joints) for _ in range(count))


def _bent(rng: random.Random, language: str) -> str:
    """A real mail with letters changed anywhere."""
    sample = next(samples(language, 1, rng.randrange(10**9)))
    letters = list("\n".join(sample.lines))
    for _ in range(rng.choice((1, 3, 10, 40))):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.choice((0, 0, 1, 2))] = rng.choice(SIGNS)
    return "".join(letters)


def _noise(rng: random.Random, _language: str) -> str:
    """Any signs at all."""
    signs = [*SIGNS, *(chr(rng.randrange(0x20, 0x2FFFF)) for _ in range(30))]
    kept = [sign for sign in signs if not 0xD800 <= ord(sign) < 0xE000]
    return "".join(rng.choice(kept) for _ in range(rng.choice((10, 300, 20_000))))


def _again(rng: random.Random, language: str) -> str:
    """One line over and over, up to the size of the largest mail."""
    line = _bent(rng, language) + rng.choice(("\n", " ", ""))
    return line * (SIZE // max(len(line), 1))


KINDS: Sequence[Callable[[random.Random, str], str]] = (_soup, _bent, _bent, _bent, _noise, _again)


def mail(seed: int, number: int) -> tuple[str, str]:
    """The language and the text of one mail."""
    rng = random.Random(f"{seed}/{number}")
    language = rng.choice(LANGUAGES)
    return language, rng.choice(KINDS)(rng, language)[:SIZE]


def answer(language: str, text: str) -> float:
    """Reads and checks the mail as the service would; the seconds of work for reading it."""
    begun = time.process_time()
    sheet = read(text.split("\n"), language, TABLE)
    took = time.process_time() - begun
    normal_form(sheet)
    tongue.other(sheet.source, language, WORLD)
    for state in STATES:
        checked = checking.check(sheet, view(state, state.on_turn))
        assert (checked.plan is None) == bool(checked.mistakes)
    for line in sheet.lines:
        said = write.line(line, language, WORLD)
        if "?" in said:
            continue  # a fortify that lacks something, which the check asks about
        printed = read([said], language, TABLE)
        assert [other.sentences for other in printed.lines] == [line.sentences], said
    return took


def main() -> int:
    """Mails until the time is over; the number of those that failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=4)
    asked = parser.parse_args()
    end, number, failed, slowest = time.monotonic() + asked.seconds, 0, 0, (0.0, 0)
    while time.monotonic() < end:
        language, text = mail(asked.seed, number)
        try:
            slowest = max(slowest, (answer(language, text), number))
        except Exception:
            failed += 1
            print(f"mail {number} ({language}) {text[:300]!r}", flush=True)
            traceback.print_exc()
        number += 1
    print(f"seed {asked.seed}: {number} mails, {failed} failed, slowest {slowest}", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main() > 0)
