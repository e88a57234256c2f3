"""Acts that touch what was played, and whose consent they wait for (screens.md, class C).

The option `consent` of a game says who is asked: nobody, a second game master, or its players. A
second game master is one of those who may do such acts themselves; where there is none the players
are asked, and where nobody at all can be, the act is done at once, with its mark in the record.
Who is asked is told what the act would do, and answers to an address of the question's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from pbem.judge import asked
from pbem.judge.acts import form
from pbem.judge.acts.act import Act, Grade, Kind
from pbem.judge.gm import COMMAND_LINE, ActError, Why
from pbem.judge.options import Options
from pbem.judge.progress import Progress
from pbem.judge.roles import May, masters
from pbem.rules import notation
from pbem.rules.state import State
from pbem.store import consents, positions, tables
from pbem.store.tables import Consent, SeatStatus, Voice

MASTERS, PLAYERS = "gm", "players"
"""Who is asked."""

PATIENCE = timedelta(days=7)
"""After this time a question that is not answered lapses."""

Board = Sequence[tuple[str, str, str]]
"""Territories that an act changes: the code, and who holds it with how many, before and after."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Who is asked: what they are, and each with an address, a seat too if they play."""

    of: str
    members: tuple[tuple[str, str], ...]


def panel(progress: Progress, act: Act, why: Why) -> Panel | None:
    """Whose consent the act has to wait for; None if it can be done at once."""
    wanted = progress.options.consent
    if act.grade is not Grade.DEEP or wanted == Options().consent or why.agreed:
        return None
    others = _masters(progress, why) if wanted == MASTERS else ()
    if others:
        return Panel(MASTERS, tuple((address, "") for address in others))
    players = tuple((seat.address or "", seat.letter) for seat in progress.seats if _votes(seat))
    return Panel(PLAYERS, players) if players else None


def _masters(progress: Progress, why: Why) -> tuple[str, ...]:
    """The other game masters; who types commands may be any of them, so one alone is no other."""
    able = masters(progress.session, progress.house, progress.game.id, May.ACT_C)
    if why.who == COMMAND_LINE:
        return able if len(able) > 1 else ()
    return tuple(address for address in able if address.casefold() != why.who.casefold())


def _votes(seat: tables.Seat) -> bool:
    """Whether a person sits there who is in the game, or was until its end.

    Who was eliminated votes as well: an act may bring them back.
    """
    absent = (SeatStatus.INVITED, SeatStatus.DECLINED)
    return seat.address is not None and not seat.computer and seat.status not in absent


def ask(progress: Progress, act: Act, why: Why, who: Panel, board: Board) -> Consent:
    """Ask all of them; raises ActError if the same is asked already."""
    fields = form.texts(act)
    for other in consents.open_of(progress.session, progress.game.id):
        if (other.act, other.fields) == (act.name, fields):
            raise ActError("consent-asked", number=other.id)
    consent = consents.ask(
        progress.session,
        Consent(
            game_id=progress.game.id,
            who=why.who,
            of=who.of,
            act=act.name,
            fields=fields,
            told={"fields": openly(act), "board": [list(line) for line in board]},
            reason=why.reason,
            position_hash=position_of(progress.state),
            asked_at=progress.now,
            lapses_at=progress.now + PATIENCE,
        ),
        who.members,
    )
    asked.record(progress.session, consent, progress.now, why.who, "consent-asked")
    for voice in consents.voices(progress.session, consent.id):
        progress.send(asked.to_voice(consent, voice, progress.seats, "consent-asked"))
    return consent


def openly(act: Act) -> Mapping[str, str]:
    """The fields of an act as everybody may read them: of cards only how many there are."""
    shown = form.texts(act)
    for one in form.fields_of(type(act)):
        if one.kind is Kind.CARDS:
            shown[one.name] = str(len(getattr(act, one.name)))
    return shown


def position_of(state: State) -> str:
    """What tells the position of a game from any other."""
    return positions.hash_of(notation.state_to_json(state))


def is_decided(
    consent: Consent, voices: Sequence[Voice], seats: Sequence[tables.Seat]
) -> bool | None:
    """Whether it is agreed to or refused; None while answers are missing.

    One game master decides. Of players more than half have to agree, of those who still sit there.
    """
    if consent.of == MASTERS:
        return next((voice.agrees for voice in voices if voice.agrees is not None), None)
    here = {(seat.address, seat.letter) for seat in seats if _votes(seat)}
    heard = [voice.agrees for voice in voices if (voice.address, voice.seat) in here]
    if 2 * heard.count(True) > len(heard):
        return True
    return False if 2 * heard.count(False) >= len(heard) else None


def is_stale(progress: Progress, consent: Consent) -> bool:
    """Whether time has run out, or the position is another than the one that was previewed.

    What is played lets it lapse at once (`judge.asked`).
    """
    over = progress.now >= consent.lapses_at
    return over or consent.position_hash != position_of(progress.state)
