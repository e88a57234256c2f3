"""A mail with a picture, as the mailbox shows it."""

from datetime import UTC, datetime

from pbem.mail.letter import Attachment, Letter, to_bytes
from pbem.web.shown import shown

PNG = b"\x89PNG\r\n\x1a\n made up"


def mail(html: str) -> bytes:
    return to_bytes(
        Letter(
            kind="report",
            subject="[g7] Turn 23",
            text="The board",
            html=html,
            sender="World conquest <play@pbem.example>",
            reply_to="play@pbem.example",
            to="anna@home.example",
            message_id="<one@pbem.example>",
            date=datetime(2025, 12, 2, tzinfo=UTC),
            attachments=(Attachment("image/png", "board.png", PNG, cid="board.1@pbem"),),
        )
    )


def test_the_picture_of_a_letter_stands_in_its_html() -> None:
    html = shown(mail('<p><img src="cid:board.1@pbem" alt="Map"></p>')).html
    assert html is not None
    assert '<img src="data:image/png;base64,iVBORw0KGgog' in html
    assert "cid:" not in html


def test_an_unknown_picture_is_left_alone() -> None:
    html = shown(mail('<img src="cid:other@pbem" alt="">')).html
    assert html is not None
    assert "cid:other@pbem" in html
