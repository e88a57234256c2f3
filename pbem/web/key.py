"""The key of the mailbox page, and the link that carries it."""

import base64
import hashlib
import hmac


def mailbox_key(secret: str) -> str:
    """The key of an installation: the same after a restart, so that a kept link still opens."""
    digest = hmac.new(secret.encode(), b"mailbox/1", hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


def mailbox_url(public_url: str, secret: str) -> str:
    """What is printed at start."""
    return f"{public_url}/mailbox?key={mailbox_key(secret)}"
