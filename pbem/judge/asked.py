"""A question of consent as it is told, and how it lapses: in time, or as the game goes on.

Who was asked has agreed to what stood in the question, on the board of that moment, and to nothing
else; so with the first thing that is played the question is void, and all of them are told at once.
Asking and hearing are `judge.acts.consent` and `judge.acts.voting`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pbem.judge.gm import ActError
from pbem.judge.post import GmNote, Recipe
from pbem.mail.errand import Purpose
from pbem.mail.gm_address import Question
from pbem.store import audit, consents, tables
from pbem.store.engine import Session
from pbem.store.tables import Consent, ConsentStatus, Voice

LAPSED = "consent-lapsed"

Letter = Recipe | GmNote


def overtaken(
    session: Session,
    game: tables.Game,
    seats: Sequence[tables.Seat],
    position: str,
    now: datetime,
) -> tuple[Letter, ...]:
    """Let the questions of another position than this one lapse, by its hash; what is told."""
    return tuple(
        letter
        for consent in consents.open_of(session, game.id)
        if consent.position_hash != position
        for letter in lapse(session, consent, seats, now)
    )


def lapse(
    session: Session,
    consent: Consent,
    seats: Sequence[tables.Seat],
    now: datetime,
    but: Voice | None = None,
) -> tuple[Letter, ...]:
    """Let one open question lapse; the letters to who has asked and to who was asked.

    `but` has an answer of their own.
    """
    consents.settle(session, consent, ConsentStatus.LAPSED, now)
    record(session, consent, now, consent.who, LAPSED)
    asked = [one for one in consents.voices(session, consent.id) if one is not but]
    told = [to_asker(consent, LAPSED), *(to_voice(consent, one, seats, LAPSED) for one in asked)]
    return tuple(letter for letter in told if letter is not None)


def to_voice(
    consent: Consent,
    voice: Voice,
    seats: Sequence[tables.Seat],
    about: str,
    answers: tables.Inbox | None = None,
) -> Letter | None:
    """A note to one who is asked; while the question is open it is answered to its own address.

    None if somebody else sits there by now.
    """
    is_open = consent.status is ConsentStatus.OPEN
    n = f"{about}{consent.id}" if answers is None else answers.id
    if not voice.seat:
        asks = (Question.VOTE.value, consent.id) if is_open else None
        told = told_of(consent)
        return GmNote(about, n, told, to=voice.address, answers=answers, asks=asks)
    if all((seat.letter, seat.address) != (voice.seat, voice.address) for seat in seats):
        return None
    facts: dict[str, Any] = {"about": about, "told": told_of(consent)}
    if is_open:
        facts["errand"] = {"purpose": Purpose.VOTE.value, "number": consent.id}
    return Recipe("note", voice.seat, n, facts, answers=answers)


def to_asker(consent: Consent, about: str, failed: ActError | None = None) -> GmNote | None:
    """A note to who wanted the act, if there is an address; `failed` says why it was not done."""
    if "@" not in consent.who:
        return None
    why = {} if failed is None else {"code": failed.code, "facts": dict(failed.facts)}
    return GmNote(about, f"{consent.id}asker", {**told_of(consent), **why}, to=consent.who)


def told_of(consent: Consent) -> dict[str, Any]:
    """What a letter says of a question."""
    return {
        "act": consent.act,
        "of": consent.of,
        "by": "",
        "reason": consent.reason,
        "until": consent.lapses_at.isoformat(),
        **consent.told,
    }


def record(session: Session, consent: Consent, now: datetime, who: str, what: str) -> None:
    """A line of the audit."""
    audit.record(
        session,
        now,
        who=who,
        what=what,
        game_id=consent.game_id,
        reason=consent.reason if what == "consent-asked" else "",
        detail={"consent": consent.id, "act": consent.act, "of": consent.of},
    )
