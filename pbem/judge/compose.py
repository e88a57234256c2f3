"""From a recipe to a letter's bytes, outside the game's lock and once for all attempts.

A recipe is JSON: which position, which events, a few facts. `judge.contents` makes of it the value
that the templates are told; here it becomes a mail.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from email.utils import formataddr

from pbem.judge import calendar, login, pictures, reply_to, spectating, standing, twin, unsubscribe
from pbem.judge.contents import answers, calls, lobby, news, stored
from pbem.judge.contents.desk import Builder, Desk
from pbem.judge.house import House
from pbem.mail import letter, lobby_address
from pbem.mail.lobby_address import LobbyErrand
from pbem.orders.mistake import Mistake
from pbem.render import contexts, illustration, letters, rulebook
from pbem.rules.position import Phase
from pbem.store import tables

BUILDERS: Mapping[str, Builder] = {**calls.BUILDERS, **answers.BUILDERS, **news.BUILDERS}
"""By the kind of the letter."""

ON_SITE = frozenset({"setup-result", "turn-call", "done", "report", "game-over"})
"""Letters that show the board, and so name the page that shows it too."""


def write(
    house: House, row: tables.Outbox, desk: Desk, artist: pictures.Artist | None = None
) -> tuple[str, bytes]:
    """Subject and final bytes of the letter of an outbox row; no artist: without its picture."""
    context = BUILDERS[row.kind](desk)
    if isinstance(context, contexts.Letter):
        context = replace(
            context,
            served=stored.served(desk.facts),
            pages=desk.pages,
            correction=stored.correction(desk.facts),
            site=f"{house.public_url}/games/{desk.table.game}" if row.kind in ON_SITE else "",
        )
    if isinstance(context, contexts.Joined) and desk.reader is not None:
        context = replace(context, calendar=calendar.link(house, desk.reader))
    if isinstance(context, contexts.Mistakes):
        context = replace(context, rules=_rules(house, context.mistakes))
    watcher = desk.facts.get("spectator")
    if watcher is not None and isinstance(context, contexts.Letter):
        context = replace(context, stop=spectating.stop_link(house, watcher))
    picture = None
    if artist is not None and desk.reader is not None and standing.of(desk.reader).wants_picture:
        picture = pictures.enclosed(illustration.scene(context, desk.language), artist)
    cid = None if picture is None else picture.cid
    composed = letters.compose(context.kind, context, desk.language, desk.zone, cid)
    return composed.subject, letter.to_bytes(_letter(house, row, desk, composed, picture))


def _rules(house: House, mistakes: Iterable[Mistake]) -> tuple[str, ...]:
    """Links to the rules behind the mistakes, on the page of the rules."""
    anchors = rulebook.rules_behind([mistake.code for mistake in mistakes])
    return tuple(f"{house.public_url}/rules#{anchor}" for anchor in anchors)


def write_of_house(house: House, row: tables.Outbox) -> tuple[str, bytes]:
    """Subject and final bytes of a letter that belongs to no game: a link to log in, or an answer
    of the lobby."""
    facts = row.recipe["facts"]
    if "about" in facts:
        answer = lobby.answer(house, facts)
        composed = letters.compose("lobby", answer, facts["language"], facts["zone"])
        sender = _lobby_address(house, facts["question"])
    else:
        context = contexts.Login(
            link=login.link(house, login.token(house, facts["number"])),
            until=datetime.fromisoformat(facts["until"]),
        )
        composed = letters.compose(row.kind, context, facts["language"], facts["zone"])
        sender = f"postmaster@{house.domain}"
    written = letter.Letter(
        kind=row.kind,
        subject=composed.subject,
        text=composed.text,
        html=composed.html,
        sender=formataddr(("World conquest", sender)),
        reply_to=sender,
        to=row.to_address,
        message_id=row.message_id,
        date=row.created_at,
        in_reply_to=row.in_reply_to,
        auto_submitted="auto-replied" if row.in_reply_to else "auto-generated",
        headers={"X-PBEM-Kind": row.kind, "X-Auto-Response-Suppress": "All"},
    )
    return composed.subject, letter.to_bytes(written)


def _lobby_address(house: House, question: int | None) -> str:
    """Where an answer of the lobby is answered: a question has an address of its own."""
    if question is None:
        return f"{lobby_address.BOX}@{house.domain}"
    return lobby_address.issue(house.secret, LobbyErrand.CONFIRM, question).at(house.domain)


def _letter(
    house: House,
    row: tables.Outbox,
    desk: Desk,
    composed: letters.Composed,
    picture: letter.Attachment | None,
) -> letter.Letter:
    answer_to = f"postmaster@{house.domain}"
    if desk.reader is None and row.game_id is not None:
        asks = desk.facts.get("asks")
        answer_to = reply_to.gm_address(house, desk.table.game, row.to_address, asks)
    headers = {
        "X-PBEM-Kind": row.kind,
        "List-Id": f"<{desk.table.game}.games.{house.domain}>",
        # Exchange answers letters of machines, too, unless it is asked not to.
        "X-Auto-Response-Suppress": "All",
    }
    # Who has left the seat must not learn its new address, nor who is not there yet.
    own = desk.reader is not None and desk.reader.address == row.to_address
    if desk.reader is not None and (own or "errand" in desk.facts):
        answer_to = reply_to.letter_address(house, desk.reader, row)
    if desk.reader is not None and own:
        turn, step = row.recipe["turn"], row.recipe["step"]
        headers["X-PBEM-State"] = _state_header(desk, turn, step)
        headers |= unsubscribe.headers(house, desk.reader, row)
    if "spectator" in desk.facts:
        headers |= spectating.headers(house, desk.facts["spectator"])
    return letter.Letter(
        kind=row.kind,
        subject=composed.subject,
        text=composed.text,
        html=composed.html,
        sender=formataddr((f"World conquest {desk.table.game}", answer_to)),
        reply_to=answer_to,
        to=row.to_address,
        message_id=row.message_id,
        date=row.created_at,
        in_reply_to=row.in_reply_to,
        references=tuple(row.recipe.get("references", ())),
        auto_submitted="auto-replied" if row.in_reply_to else "auto-generated",
        headers=headers,
        attachments=(*((picture,) if picture else ()), *_attachments(row, desk)),
    )


def _attachments(row: tables.Outbox, desk: Desk) -> tuple[letter.Attachment, ...]:
    """The twin of the letter for programs, if the seat has asked for it (SET FILE JSON)."""
    if desk.reader is None or not standing.of(desk.reader).wants_file:
        return ()
    if desk.reader.address != row.to_address:  # asked for by who took the seat over
        return ()
    document = twin.document(
        desk.view,
        game=desk.table.game,
        kind=row.kind,
        turn=row.recipe["turn"],
        step=row.recipe["step"],
        facts=desk.facts,
    )
    return (letter.Attachment("application/json", twin.FILENAME, twin.to_bytes(document)),)


def _state_header(desk: Desk, turn: int, step: int) -> str:
    seen = desk.view
    is_open = seen.on_turn == seen.reader and seen.phase is not Phase.OVER and seen.turn > 0
    return (
        f"game={desk.table.game} turn={turn} step={step} phase={seen.phase} "
        f"to-place={seen.to_place if is_open else 0} open={'yes' if is_open else 'no'}"
    )
