"""Mails to the lobby, `games@host`: LIST, JOIN, OBSERVE, LEAVE, NEW GAME, HELP; one answer each.

Anybody may ask what there is. What binds an address to something (a seat, news, a game) needs the
sender's proof: where the house has none, the address is asked by a letter of its own, and whoever
answers that has read its mail.
"""

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.judge import (
    founding,
    hall,
    login,
    proving,
    reading,
    seating,
    senders,
    sieve,
    spectating,
    standstill,
)
from pbem.judge.founding import Wanted
from pbem.judge.house import House
from pbem.judge.invitees import clean_name
from pbem.judge.options import Options
from pbem.judge.outcome import Outcome, done
from pbem.judge.progress import Progress
from pbem.judge.seating import Newcomer, NoSeat
from pbem.mail import glance, letter, lobby_address, resolver
from pbem.mail.lobby_address import LobbyErrand
from pbem.mail.reading import Reading
from pbem.orders import lobby as language
from pbem.orders import reader
from pbem.orders.lobby import Join, Leave, ListGames, NewGame, Observe, Said, WantsHelp
from pbem.orders.sheet import Mode, Table
from pbem.orders.spelling import fold
from pbem.render.letters import colour_name
from pbem.rules import board as boards
from pbem.rules.ruleset import Misfit
from pbem.rules.seat import COLOURS
from pbem.store import games, inbox, outbox, tables
from pbem.store import lobby as callers
from pbem.store.engine import Engine, Session
from pbem.store.engine import reading as open_reading
from pbem.store.engine import session as open_session
from pbem.store.tables import InboxStatus

DAY = timedelta(days=1)
MOST_ANSWERS = 30
"""So many answers a day go to one address; From can be forged, and nobody shall be flooded."""

MOST_QUESTIONS = 5
"""So many questions a day whether a mail was the address's own."""

ANSWERED, ASKED = "mail", "question"
LANGUAGES = ("en", "it", "nl", "sl")
Entropy = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Answer:
    """The one letter: its kind, what it is about and its facts."""

    kind: str
    about: str
    told: Mapping[str, Any]


def drain(
    engine: Engine,
    house: House,
    clock: Callable[[], datetime],
    entropy: Entropy,
    on_letters: Callable[[tuple[int, ...]], None] = lambda _: None,
    lookups: proving.Lookups = resolver.lookup_within,
) -> None:
    """Answer every mail that waits in the lobby; one that fails does not keep the others."""
    with open_reading(engine) as session:
        waiting = inbox.without_game(session, clock())
    for inbox_id in waiting:
        try:
            on_letters(play(engine, house, inbox_id, clock, entropy, lookups))
        except Exception:
            with open_session(engine) as session:
                inbox.mark_failed(session, inbox_id, traceback.format_exc(), clock())


def play(
    engine: Engine,
    house: House,
    inbox_id: int,
    clock: Callable[[], datetime],
    entropy: Entropy,
    lookups: proving.Lookups = resolver.lookup_within,
) -> tuple[int, ...]:
    """Answer a mail to the lobby; the outbox ids of what is to be sent."""
    if standstill.stands_still(engine):
        return ()
    with open_reading(engine) as session:
        row = inbox.find(session, inbox_id)
        sent = None if row is None else reading.letter_answered(session, row)
    if row is None or row.game_id is not None or row.status != InboxStatus.ACCEPTED:
        return ()
    if inbox.count_attempt(engine, row.id, clock()) is None:
        return ()
    read = proving.prove_caller(engine, house, row, reading.read(row, sent), clock(), lookups)
    if read is None:
        return ()
    row.reading = dict(read)
    with open_session(engine) as session, session.no_autoflush:
        mail = _Mail(session, house, row, Reading.from_json(read), clock(), entropy)
        outcome = mail.play()
        inbox.mark(
            session, row.id, outcome.status, clock(), result=outcome.result, reading=row.reading
        )
    return tuple(mail.letters)


class _Mail:
    """One mail to the lobby."""

    def __init__(
        self,
        session: Session,
        house: House,
        row: tables.Inbox,
        read: Reading,
        now: datetime,
        entropy: Entropy,
    ) -> None:
        self._session = session
        self._house = house
        self._row = row
        self._read = read
        self._now = now
        self._entropy = entropy
        self._sender = login.canonical(read.sender or "")
        self.letters: list[int] = []

    def play(self) -> Outcome:
        """What becomes of the mail."""
        errand = lobby_address.parse(self._row.recipient)
        if errand is not None and errand.errand is LobbyErrand.STOP:
            return self._stop()
        if self._read.kind in senders.MACHINES:
            return Outcome(InboxStatus.IGNORED, self._read.kind)
        if sieve.is_spam(self._house, self._row):
            return Outcome(InboxStatus.SET_ASIDE, sieve.SPAM)
        if self._read.sender is None or self._read.refused is not None:
            return Outcome(InboxStatus.IGNORED, "no-sender")
        since = self._now - DAY
        if callers.times(self._session, self._sender, ANSWERED, since) >= MOST_ANSWERS:
            return Outcome(InboxStatus.IGNORED, "too-many")
        callers.came(self._session, self._sender, ANSWERED, self._now)
        if errand is not None:
            return self._confirmed(errand.number)
        return self._heard(
            language.read(self._read.text, colours()), self._row, proved=self._proved
        )

    @property
    def _proved(self) -> bool:
        return self._house.proofs and senders.has_proof(self._row)

    def _heard(self, said: Said, row: tables.Inbox, *, proved: bool) -> Outcome:
        """Do what the words of `row` ask for, and answer this mail."""
        spoken = self._language(said.language)
        wish = said.wish
        if wish is None:
            return self._tell(Answer("not-understood", "lobby-unread", {}), spoken)
        if isinstance(wish, ListGames):
            return self._tell(Answer("done", "lobby-list", self._listing()), spoken)
        if isinstance(wish, WantsHelp):
            return self._tell(Answer("help", "lobby-help", {}), spoken)
        if not proved:
            return self._ask(spoken)
        match wish:
            case Join():
                return self._join(wish, row, spoken)
            case Observe():
                return self._tell(self._observe(wish, spoken), spoken)
            case Leave():
                return self._tell(self._leave(wish), spoken)
            case NewGame():
                return self._tell(self._found(wish, said, spoken), spoken)

    # -- proof -----------------------------------------------------------------------------------

    def _ask(self, spoken: str) -> Outcome:
        """Hold the mail, and ask its address once whether it counts."""
        since = self._now - DAY
        if callers.times(self._session, self._sender, ASKED, since) >= MOST_QUESTIONS:
            return Outcome(InboxStatus.HELD, "unasked")
        callers.came(self._session, self._sender, ASKED, self._now)
        told = {"held": [line for line in self._read.text if line.strip()][:40]}
        self._tell(Answer("confirm", "lobby-confirm", told), spoken, question=self._row.id)
        return Outcome(InboxStatus.HELD, senders.CONFIRM)

    def _confirmed(self, number: int) -> Outcome:
        """The answer to a question: only the address that was asked can give it."""
        held = inbox.find(self._session, number)
        read = None if held is None else Reading.from_json(held.reading or {})
        own = read is not None and login.canonical(read.sender or "") == self._sender
        if held is None or read is None or not own:
            return Outcome(InboxStatus.IGNORED, "not-asked")
        said = language.read(read.text, colours())
        spoken = self._language(said.language)
        board = boards.load()
        mode = reader.read(self._read.text, spoken, Table(board)).mode
        if held.status != InboxStatus.HELD:
            return self._tell(Answer("mistakes", "lobby-settled", {}), spoken)
        if mode is Mode.NO:
            held.status, held.result = InboxStatus.IGNORED, "disowned"
            self._session.add(held)
            return self._tell(Answer("done", "lobby-dropped", {}), spoken)
        if mode is not Mode.YES:
            return self._tell(Answer("not-understood", "lobby-yes-or-no", {}), spoken)
        held.status, held.result = InboxStatus.DONE, "confirmed"
        self._session.add(held)
        return self._heard(said, held, proved=True)

    # -- wishes ----------------------------------------------------------------------------------

    def _listing(self) -> dict[str, Any]:
        shown = hall.hall(self._session)
        return {
            "waiting": [_offer(one) for one in shown.waiting],
            "watched": [_offer(one) for one in shown.watched],
        }

    def _join(self, wish: Join, row: tables.Inbox, spoken: str) -> Outcome:
        game = hall.open_game(self._session, wish.game)
        if game is None:
            return self._tell(Answer("mistakes", "lobby-no-game", {"game": wish.game}), spoken)
        locked = games.lock(self._session, game.id)
        progress = Progress(self._session, self._house, locked, self._now, self._row)
        name = clean_name(glance.sender_name(row.raw or b""))
        speech = login.speech_of(self._session, self._sender, spoken)
        comer = Newcomer(self._sender, name, spoken, speech.zone, wish.colour, wish.luck)
        sat = seating.take(progress, comer, self._row)
        if isinstance(sat, NoSeat):
            told = {"game": wish.game, "free": list(sat.free), **sat.facts}
            return self._tell(Answer("mistakes", f"lobby-seat-{sat.code}", told), spoken)
        self.letters += progress.close()
        return done("joined")

    def _observe(self, wish: Observe, spoken: str) -> Answer:
        game = hall.open_game(self._session, wish.game)
        if game is None:
            return Answer("mistakes", "lobby-no-game", {"game": wish.game})
        what, watcher = spectating.observe(self._session, game, self._sender, spoken, self._now)
        told: dict[str, Any] = {"game": wish.game}
        if watcher is None:
            return Answer("mistakes", f"lobby-watch-{what}", told)
        link = spectating.stop_link(self._house, watcher.id)
        late = Options.from_json(game.options).spectators == "delayed"
        told |= {"link": link, "late": late, "page": f"{self._house.public_url}/games/{wish.game}"}
        return Answer("done", "lobby-watching", told)

    def _leave(self, wish: Leave) -> Answer:
        game = hall.open_game(self._session, wish.game)
        told = {"game": wish.game}
        if game is None or not spectating.leave(self._session, game, self._sender):
            return Answer("mistakes", "lobby-not-watching", told)
        return Answer("done", "lobby-left", told)

    def _found(self, wish: NewGame, said: Said, spoken: str) -> Answer:
        if not founding.may(self._session, self._house, self._sender, self._now):
            return Answer("mistakes", "lobby-may-not", {"open": self._house.is_open})
        if said.unread:
            return Answer("mistakes", "lobby-new-unread", {"lines": list(said.unread)[:20]})
        seats = [(colour, self._sitter(who)) for colour, who in wish.seats]
        wanted = Wanted(wish.ruleset or "classic-1993", dict(wish.options), seats, spoken)
        planned = founding.plan(self._session, wanted)
        if isinstance(planned, tuple):
            faults = [_fault(one) for one in planned]
            return Answer("mistakes", "lobby-new-wrong", {"faults": faults})
        game, letters = founding.found(
            self._session, self._house, planned, self._sender, self._now, self._entropy
        )
        self.letters += letters
        offer = _offer(*hall.offers_of(self._session, [game]))
        asked = sum(seat.address is not None for seat in planned.seats)
        return Answer("done", "lobby-made", {"offer": offer, "asked": asked})

    def _sitter(self, who: str) -> str:
        if who != language.ME:
            return who
        name = clean_name(glance.sender_name(self._row.raw or b""))
        return f"{name} <{self._sender}>" if name else self._sender

    def _stop(self) -> Outcome:
        """A mail to the address of a letter's header, as mail programs write it by themselves."""
        watcher = spectating.find(self._session, self._house, self._row.recipient)
        if watcher is not None:
            callers.unwatch(self._session, watcher.id)
        return done("stopped")

    # -- the answer ------------------------------------------------------------------------------

    def _language(self, written: str | None) -> str:
        """The language of the words; else the one that the address is known to speak."""
        if written is not None and written != "en":
            return written
        return login.speech_of(self._session, self._sender, written or "en").language

    def _tell(self, answer: Answer, spoken: str, *, question: int | None = None) -> Outcome:
        house, row = self._house, self._row
        facts = {
            "about": answer.about,
            "told": dict(answer.told),
            "language": spoken,
            "zone": login.speech_of(self._session, self._sender, spoken).zone,
            "question": question,
        }
        key = f"lobby:{row.id}"
        written = outbox.NewLetter(
            key=key,
            kind=answer.kind,
            message_id=letter.message_id(house.domain, "lobby", row.id),
            to_address=self._sender,
            recipe={"facts": facts},
            in_reply_to=self._read.message_id or glance.message_id(row.raw or b""),
            inbox_id=row.id,
            envelope_from=f"postmaster@{house.domain}",
            priority=1,
        )
        self.letters += outbox.enqueue(self._session, [written], self._now)
        return done(answer.about)


def colours() -> Mapping[str, str]:
    """A colour for each of its names, in all languages."""
    return {
        fold(name): colour
        for colour in COLOURS
        for name in (colour, *(colour_name(colour, spoken) for spoken in LANGUAGES))
    }


def _offer(one: hall.Offer) -> dict[str, Any]:
    return {
        "game": one.game,
        "ruleset": one.rules.name,
        "pace": one.options.pace,
        "seats": one.seats,
        "free": list(one.free),
        "language": one.language,
        "spectators": one.options.spectators,
        "turn": one.turn,
    }


def _fault(one: Misfit) -> dict[str, Any]:
    where = one.where.partition(".")[2] if one.where.startswith("seat.") else one.where
    return {"where": where, "code": one.code, "facts": dict(one.facts)}
