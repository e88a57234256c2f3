"""A game master at work: who acts and why, and that an act makes no sense as things stand.

The acts themselves are in `judge.acts`, mails that came to nothing in `judge.quarantine`.
"""

from dataclasses import dataclass
from typing import Any


class ActError(ValueError):
    """The act makes no sense as the game stands.

    `code` says why and `facts` what about; `render.refusals` has the words.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Why:
    """Who acts, as the audit names them, and for what reason; players read the reason.

    `agreed` says whose consent the act waited for, `gm` or `players`; "" for none.
    """

    who: str
    reason: str = ""
    agreed: str = ""


COMMAND_LINE = "command line"
"""Who acts where commands are typed: somebody of the house, who has no address there."""
