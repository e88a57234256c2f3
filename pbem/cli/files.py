"""Files that a command is given by name, `-` for standard input; what cannot be read is a line."""

import sys
from pathlib import Path

STANDARD_INPUT = "-"


def read_bytes(name: str) -> bytes:
    """All of a file. Raises StartError."""
    from pbem.settings import StartError  # noqa: PLC0415  # slower than `pbem --version`

    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise StartError(f"{name}: {error.strerror}") from None


def read_text(name: str) -> str:
    """All of a file in UTF-8. Raises StartError."""
    from pbem.settings import StartError  # noqa: PLC0415  # slower than `pbem --version`

    try:
        return read_bytes(name).decode()
    except UnicodeDecodeError:
        raise StartError(f"{name}: not a text in UTF-8") from None
