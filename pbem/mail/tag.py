"""What nobody can guess in our addresses, and how an address of ours is found in a text."""

import base64
import hmac
import re

TAG_LENGTH = 16
"""Lower-case base32 characters, five bits each."""

_TAG_BYTES = TAG_LENGTH * 5 // 8
_LONGEST = 254


def keyed(key: bytes, content: str) -> str:
    """The tag of a content: `TAG_LENGTH` characters that only the key gives."""
    digest = hmac.digest(key, content.encode(), "sha256")
    return base64.b32encode(digest[:_TAG_BYTES]).decode().lower()


def same(right: str, given: str) -> bool:
    """Whether a tag is the right one, in any case of letters (compared in constant time)."""
    return hmac.compare_digest(right.encode(), given.casefold().encode())


def named(recipient: str, shape: re.Pattern[str]) -> re.Match[str] | None:
    """The local part of a recipient, or a bare token, if it has the shape; read case-folded."""
    bare = recipient.strip().strip("<>")
    if not bare.isascii() or len(bare) > _LONGEST:
        return None
    local = bare.rpartition("@")[0] or bare
    return shape.fullmatch(local.strip('"').lower())
