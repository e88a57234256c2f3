"""Words of those who are asked for consent, and what comes of the act that waits for them.

A word comes by mail, to the address that stands in the question alone: with From it proves enough
for a YES or NO, as it does for a move. A game master may say it on the desk, too, and a player on
the page of the game.
"""

from dataclasses import dataclass
from datetime import datetime

from pbem.judge import asked, sieve
from pbem.judge.acts import consent, form, performing
from pbem.judge.acts.registry import ACTS
from pbem.judge.gm import COMMAND_LINE, ActError, Why
from pbem.judge.house import House
from pbem.judge.outcome import Outcome, done
from pbem.judge.progress import Progress
from pbem.judge.roles import May, person
from pbem.judge.senders import MACHINES, is_the_players
from pbem.judge.sitting import Sitting
from pbem.mail.errand import Errand
from pbem.mail.reading import Reading
from pbem.orders.sheet import Mode
from pbem.store import consents, games, tables
from pbem.store.engine import Engine
from pbem.store.engine import session as open_session
from pbem.store.tables import Consent, ConsentStatus, InboxStatus, Voice

_OFF = frozenset({"consent-refused", "consent-failed"})
"""What all who were asked are told: an act that is done tells it itself."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A word was heard: what came of it, by the code of its note, and the outbox ids of letters."""

    about: str
    letters: tuple[int, ...]


def play(
    progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading, named: Errand
) -> Outcome:
    """A mail of a player to the address of a question."""
    if read.kind in MACHINES:
        return Outcome(InboxStatus.IGNORED, read.kind)
    if not is_the_players(seat, read):
        return Outcome(InboxStatus.SET_ASIDE, "to-vote")
    found = consents.find(progress.session, named.number)
    voice = None if found is None else voice_of(progress, found, seat.address or "", seat.letter)
    if found is None or voice is None:
        return Outcome(InboxStatus.IGNORED, "no-vote")
    mail = Sitting(progress, seat, row, read)
    if (stopped := sieve.stop_robot(mail)) is not None:
        return stopped
    return by_mail(progress, found, voice, row, mail.sheet.mode)


def by_mail(
    progress: Progress, found: Consent, voice: Voice, row: tables.Inbox, mode: Mode
) -> Outcome:
    """Hear the word of a mail and answer it; without one the question is asked again."""
    if mode not in (Mode.YES, Mode.NO):
        _lapse_if_stale(progress, found, voice)
        about = "consent-asked" if _is_open(found) else "consent-over"
        _tell(progress, found, voice, about, row)
        return done(about)
    about = hear(progress, found, voice, agrees=mode is Mode.YES, row=row)
    return done(about)


def say(
    engine: Engine,
    house: House,
    game_id: int,
    number: int,
    who: str,
    now: datetime,
    *,
    agrees: bool,
) -> Heard:
    """Hear the word of a game master on the desk. Raises ActError where none is asked for."""
    with open_session(engine) as session, session.no_autoflush:
        progress = Progress(session, house, games.lock(session, game_id), now, None)
        found = _found(progress, number)
        voice = voice_of(progress, found, who)
        if voice is None or not person(session, house, who).may(game_id, May.ACT_C):
            raise ActError("consent-not-asked", number=number)
        about = hear(progress, found, voice, agrees=agrees)
        return Heard(about, progress.close())


def say_at_table(
    engine: Engine,
    house: House,
    game_id: int,
    number: int,
    who: tuple[str, str],
    now: datetime,
    *,
    agrees: bool,
) -> Heard:
    """Hear the word of a player, by address and seat, on a page. Raises ActError as `say` does."""
    with open_session(engine) as session, session.no_autoflush:
        progress = Progress(session, house, games.lock(session, game_id), now, None)
        found = _found(progress, number)
        address, seat = who
        voice = voice_of(progress, found, address, seat)
        if voice is None or progress.seat(seat).address != voice.address:
            raise ActError("consent-not-asked", number=number)
        about = hear(progress, found, voice, agrees=agrees)
        return Heard(about, progress.close())


def withdraw(
    engine: Engine, house: House, game_id: int, number: int, who: str, now: datetime
) -> Heard:
    """Take a question back. Raises ActError where that is not for this person, or too late."""
    with open_session(engine) as session, session.no_autoflush:
        progress = Progress(session, house, games.lock(session, game_id), now, None)
        found = _found(progress, number)
        if who != COMMAND_LINE and who.casefold() != found.who.casefold():
            raise ActError("consent-not-yours", number=number)
        if not consents.settle(session, found, ConsentStatus.WITHDRAWN, now):
            raise ActError("consent-over", number=number)
        asked.record(session, found, now, who, "consent-withdrawn")
        _tell_all(progress, found, "consent-withdrawn")
        return Heard("consent-withdrawn", progress.close())


def hear(
    progress: Progress,
    found: Consent,
    voice: Voice,
    *,
    agrees: bool,
    row: tables.Inbox | None = None,
) -> str:
    """Note a word; with the last one that is needed the act is done, or is not. The code of the
    note that answers it."""
    _lapse_if_stale(progress, found, voice)
    if not _is_open(found):
        if row is not None:
            _tell(progress, found, voice, "consent-over", row)
        return "consent-over"
    voice.agrees, voice.at = agrees, progress.now
    progress.session.add(voice)
    said = f"consent-{'yes' if agrees else 'no'}"
    asked.record(progress.session, found, progress.now, voice.address, said)
    voices = consents.voices(progress.session, found.id)
    about = _settle(progress, found, consent.is_decided(found, voices, progress.seats))
    if row is not None:
        _tell(progress, found, voice, about, row)
    if about in _OFF:
        _tell_all(progress, found, about, but=voice)
    return about


def look(progress: Progress) -> None:
    """Let the questions of a game lapse that were not answered in time."""
    for found in consents.open_of(progress.session, progress.game.id):
        _lapse_if_stale(progress, found)


def _settle(progress: Progress, found: Consent, decided: bool | None) -> str:
    if decided is None:
        return "consent-noted"
    session, now = progress.session, progress.now
    if not decided:
        consents.settle(session, found, ConsentStatus.REFUSED, now)
        progress.send(asked.to_asker(found, "consent-refused"))
        return "consent-refused"
    failed = _do(progress, found)
    if failed is not None:
        consents.settle(session, found, ConsentStatus.LAPSED, now)
        progress.send(asked.to_asker(found, "consent-failed", failed))
        return "consent-failed"
    consents.settle(session, found, ConsentStatus.GIVEN, now)
    progress.send(asked.to_asker(found, "consent-given"))
    return "consent-given"


def _do(progress: Progress, found: Consent) -> ActError | None:
    """Do the act that was agreed to; why not, if it cannot be done (any more)."""
    if found.who != COMMAND_LINE:
        asker = person(progress.session, progress.house, found.who)
        if not asker.may(progress.game.id, May.ACT_C):
            return ActError("may-not")
    why = Why(found.who, found.reason, found.of)
    try:
        act = form.read(ACTS[found.act], found.fields)
        with performing.tried(progress) as scratch:
            act.play(scratch, why)
        performing.play_on(progress, act, why, found.id)
    except ActError as error:
        return error
    return None


def _lapse_if_stale(progress: Progress, found: Consent, but: Voice | None = None) -> None:
    """The question lapses if nobody answered in time, or the game went on without it."""
    if not _is_open(found) or not consent.is_stale(progress, found):
        return
    for letter in asked.lapse(progress.session, found, progress.seats, progress.now, but):
        progress.send(letter)


def _is_open(found: Consent) -> bool:
    return found.status is ConsentStatus.OPEN


def _tell(
    progress: Progress,
    found: Consent,
    voice: Voice,
    about: str,
    answers: tables.Inbox | None = None,
) -> None:
    progress.send(asked.to_voice(found, voice, progress.seats, about, answers))


def _tell_all(progress: Progress, found: Consent, about: str, but: Voice | None = None) -> None:
    for voice in consents.voices(progress.session, found.id):
        if voice is not but:
            _tell(progress, found, voice, about)


def voice_of(progress: Progress, found: Consent, address: str, seat: str = "") -> Voice | None:
    """The voice of a seat's player, or of a game master, if they were asked."""
    if found.game_id != progress.game.id:
        return None
    return next(
        (
            voice
            for voice in consents.voices(progress.session, found.id)
            if (voice.address.casefold(), voice.seat) == (address.casefold(), seat)
        ),
        None,
    )


def _found(progress: Progress, number: int) -> Consent:
    found = consents.find(progress.session, number)
    if found is None or found.game_id != progress.game.id:
        raise ActError("no-consent", number=number)
    return found
