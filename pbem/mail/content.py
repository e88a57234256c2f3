"""The content of a mail as it comes over the wire, up to its final dot (RFC 5321, 4.5.2).

Bytes are looked at as they come, in whatever pieces: line by line would take most of the time
that a mail costs the door.
"""

_END = b"\r\n.\r\n"
_BREAK = b"\r\n"
_DOT = b".\r\n"


class Content:
    """What has come of one mail. Beyond its limits nothing is kept, but its end is still found.

    Sizes in bytes: `largest` with all dots as sent, `longest_line` without its break.
    """

    def __init__(self, largest: int, longest_line: int) -> None:
        self._largest, self._longest_line = largest, longest_line
        # The command line ended with a break, so that a lone dot may come first.
        self._held = bytearray(_BREAK)
        self._count = 0
        self.is_too_large = False

    def feed(self, data: bytes) -> bytes | None:
        """Take what came; None while the mail goes on, else what came behind its end."""
        seen = max(0, len(self._held) - len(_END) + 1)
        self._held += data
        self._count += len(data)
        at = self._held.find(_END, seen)
        if at < 0:
            # The last bytes may be those of the end, which is no part of the mail.
            self._weigh(self._count - len(_DOT))
            return None
        rest = bytes(self._held[at + len(_END) :])
        del self._held[at + len(_BREAK) :]
        self._weigh(self._count - len(rest) - len(_DOT))
        return rest

    def _weigh(self, size: int) -> None:
        self.is_too_large = self.is_too_large or size > self._largest
        if self.is_too_large:
            del self._held[: -len(_END) + 1]

    @property
    def has_long_line(self) -> bool:
        """Whether a line is longer than allowed; only to be asked at the end.

        A bare CR or LF breaks a line here as it does for the reader of the mail.
        """
        if len(self._held) <= self._longest_line:
            return False
        return max(map(len, self._held.splitlines())) > self._longest_line

    def whole(self) -> bytes:
        """The mail, its doubled dots single again; only to be asked at the end."""
        return bytes(self._held).replace(b"\r\n.", _BREAK)[len(_BREAK) :]
