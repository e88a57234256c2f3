"""The normal form of a mail's orders: two mails that order the same have the same."""

from pbem.orders.sheet import Sheet
from pbem.orders.write import line


def normal_form(sheet: Sheet) -> str:
    """The mode, orders and services in canonical English, a line each.

    Spelling, language, bullets, chatter and the numbers of lines make no difference.
    """
    said = [line(read, "en", sheet.table.board) for read in sheet.lines]
    asked = [repr(service.service) for service in sheet.services]
    return "\n".join([sheet.mode.value, *said, *asked])
