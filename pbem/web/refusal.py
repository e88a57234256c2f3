"""Why a page is not shown."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a page is refused; `refused.html.j2` has the words."""

    NO_MAILBOX = "no-mailbox"
    NO_KEY = "no-key"
    WRONG_KEY = "wrong-key"
    FOREIGN_HOST = "foreign-host"
    FOREIGN_NAME = "foreign-name"
    FOREIGN_FORM = "foreign-form"
    STALE_FORM = "stale-form"
    NO_PERSON = "no-person"
    NO_LETTER = "no-letter"
    NO_PAGE = "no-page"
    NOT_YET = "not-yet"
    NO_LOGIN = "no-login"
    NOT_YOURS = "not-yours"
    NO_STRAY = "no-stray"
    DEAD_LINK = "dead-link"
    TOO_OFTEN = "too-often"
    NO_REASON = "no-reason"
    NO_ADDRESS = "no-address"


class RefusedError(Exception):
    """A page that is not shown, with the HTTP status and the reason to give."""

    def __init__(self, status: int, reason: Reason) -> None:
        super().__init__(f"{status} {reason}")
        self.status = status
        self.reason = reason
