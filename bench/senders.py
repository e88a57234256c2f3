"""Many mail clients at once, in a process of their own so that the server has its own to itself.

    python -m bench.senders PORT SESSIONS < mails

Standard input has a line of JSON for each mail: `to` and `text`. Standard output gets one line:
seconds in all, and the wait between the final dot and its reply for each mail.
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence

Mail = tuple[bytes, bytes]
"""The recipient, and the content with its final dot."""


async def send_all(port: int, sessions: int, mails: Sequence[Mail]) -> tuple[float, list[float]]:
    """All mails over so many sessions; seconds in all and of each mail."""
    shares = [mails[place::sessions] for place in range(sessions)]
    begun = time.perf_counter()
    waits = await asyncio.gather(*(_session(port, share) for share in shares))
    return time.perf_counter() - begun, [wait for of_one in waits for wait in of_one]


async def _session(port: int, mails: Sequence[Mail]) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await _reply(reader, b"220")
    waits = []

    async def say(line: bytes, expected: bytes) -> None:
        writer.write(line + b"\r\n")
        await _reply(reader, expected)

    await say(b"EHLO mail.example.net", b"250")
    for to, content in mails:
        await say(b"MAIL FROM:<anna@example.net>", b"250")
        await say(b"RCPT TO:<" + to + b">", b"250")
        await say(b"DATA", b"354")
        dot = time.perf_counter()
        await say(content, b"250")
        waits.append(time.perf_counter() - dot)
    await say(b"QUIT", b"221")
    writer.close()
    return waits


async def _reply(reader: asyncio.StreamReader, expected: bytes) -> None:
    while True:
        line = await reader.readline()
        if not line.startswith(expected):
            raise ConnectionError(f"expected {expected.decode()}, not {line!r}")
        if line[3:4] != b"-":
            return


def main() -> None:
    """Sends what standard input names."""
    port, sessions = map(int, sys.argv[1:3])
    told = [json.loads(line) for line in sys.stdin]
    mails = [(mail["to"].encode(), mail["text"].encode() + b"\r\n.") for mail in told]
    seconds, waits = asyncio.run(send_all(port, sessions, mails))
    print(json.dumps({"seconds": seconds, "waits": waits}))


if __name__ == "__main__":
    main()
