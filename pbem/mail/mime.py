"""The parts of a mail as bytes with CRLF: what a letter needs of MIME, and no more.

The standard library builds the same from objects, header by header and line by line; a letter
with its picture took it longer than finding the words.
"""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from email.utils import encode_rfc2231
from functools import lru_cache


def text_part(text: str, subtype: str) -> bytes:
    """Text as quoted-printable UTF-8, ended by a line break."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    whole = lines if lines.endswith("\n") else lines + "\n"
    return _part(
        [
            f'Content-Type: text/{subtype}; charset="utf-8"',
            "Content-Transfer-Encoding: quoted-printable",
        ],
        binascii.b2a_qp(whole.encode(), istext=True),
    )


@lru_cache(maxsize=8)  # the letters of one turn enclose the same picture
def file_part(content_type: str, filename: str, data: bytes, cid: str | None = None) -> bytes:
    """A file as base64; with a `cid` it is shown where the HTML part names that id."""
    headers = [
        f"Content-Type: {content_type}",
        "Content-Transfer-Encoding: base64",
        f"Content-Disposition: {'attachment' if cid is None else 'inline'}; {_named(filename)}",
    ]
    if cid is not None:
        headers.append(f"Content-ID: <{cid}>")
    return _part(headers, base64.encodebytes(data))


def multipart(subtype: str, parts: Sequence[bytes], seed: str) -> bytes:
    """The parts in one. The boundary comes from the seed, so that the bytes are always the same.

    `=_` can stand neither in quoted-printable nor in base64, so no content can hold a boundary.
    """
    boundary = "=_" + hashlib.sha256(f"{seed}|{subtype}".encode()).hexdigest()[:24]
    head = f'Content-Type: multipart/{subtype};\r\n boundary="{boundary}"\r\n\r\n'
    dash = f"--{boundary}".encode()
    inner = b"".join(dash + b"\r\n" + part + b"\r\n" for part in parts)
    return head.encode() + inner + dash + b"--\r\n"


def _part(headers: Sequence[str], body: bytes) -> bytes:
    return "\r\n".join([*headers, "", ""]).encode("ascii") + body.replace(b"\n", b"\r\n")


def _named(filename: str) -> str:
    if filename.isascii() and filename.replace(".", "").replace("-", "").isalnum():
        return f'filename="{filename}"'
    return f"filename*={encode_rfc2231(filename, 'utf-8')}"
