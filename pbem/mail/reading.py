"""What was read in a mail: the value that the judge gets."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self


class Kind(StrEnum):
    """What a mail is. Only `ORDERS` is played; `EMPTY` is a person's mail without new lines."""

    ORDERS = "orders"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    REPORT = "report"
    LIST = "list"
    CALENDAR = "calendar"
    RECEIPT = "receipt"
    ENCRYPTED = "encrypted"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Reading:
    """One mail, read.

    `sender` is the bare address of From, or None; then `refused` is a code that says why. `text`
    holds the new lines in the player's order, empty ones between them too; `doubtful` holds lines
    that may be new or old, never those of `text`; `notes` are codes for people who look closer:

    marker, bottom-posted: how old and new were told apart; html, flowed, attachment: where the
    text stood; charset: the mail's label did not fit; too-long, too-many-lines, too-deep,
    too-many-parts: the rest was left out; winmail: a part that we cannot open, tnef: one that we
    could; own-letter: one of ours came back; hard-bounce, soft-bounce: what a report says;
    unreadable, too-slow, crashed: only the headers were read.

    `said` is why a bounce says that the letter came back, in one line.
    """

    kind: Kind
    sender: str | None
    refused: str | None
    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    text: tuple[str, ...]
    doubtful: tuple[str, ...]
    notes: tuple[str, ...]
    said: str = ""

    def as_json(self) -> dict[str, Any]:
        """The object that `pbem mail read` prints."""
        return {
            "kind": self.kind.value,
            "from": self.sender,
            "refused": self.refused,
            "message_id": self.message_id,
            "in_reply_to": self.in_reply_to,
            "references": list(self.references),
            "text": list(self.text),
            "doubtful": list(self.doubtful),
            "notes": list(self.notes),
            **({"said": self.said} if self.said else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `as_json`."""
        return cls(
            kind=Kind(value["kind"]),
            sender=value["from"],
            refused=value["refused"],
            message_id=value["message_id"],
            in_reply_to=value["in_reply_to"],
            references=tuple(value["references"]),
            text=tuple(value["text"]),
            doubtful=tuple(value["doubtful"]),
            notes=tuple(value["notes"]),
            said=value.get("said", ""),
        )
