"""Acts on who sits where: another player, the computer, the language of a seat's letters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.judge import invitees, lobby, setup_lists, substitute, turn_end
from pbem.judge.acts.act import Act, Flag, Grade, Language, Person, SeatLetter
from pbem.judge.acts.notice import mark, moment, named, running, tell, tell_all
from pbem.judge.deadline import run_out
from pbem.judge.gm import ActError, Why
from pbem.judge.lobby import LobbyError, NewSeat
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.rules.position import SETUP, TURN, Phase
from pbem.store import proposals, tables
from pbem.store.tables import SeatStatus


@dataclass(frozen=True, slots=True)
class Replace(Act):
    """Give a seat to another person, or to the computer; the addresses of the one before die.

    As when a game is made, only `allow_same` gives one address several seats.
    """

    name: ClassVar[str] = "replace"
    grade: ClassVar[Grade] = Grade.FAIR
    seat: SeatLetter
    heir: Person
    allow_same: Flag = False

    def play(self, progress: Progress, why: Why) -> None:
        game = running(progress)
        seat = named(progress, self.seat)
        if seat.status == SeatStatus.ELIMINATED:
            raise ActError("seat-out", seat=self.seat)
        before, former, language = seat.name, seat.address, seat.language
        heir = self._heir(seat, game.language)
        if not self.allow_same and (other := _other_seat(progress, seat, heir.address)):
            raise ActError("address-plays", address=heir.address, seat=other)
        _seat(progress, seat, heir)
        mark(progress, why, self.name, seat.letter)
        told = {"seat": seat.letter, "before": before, "after": seat.name}
        tell_all(progress, "replaced", why, told, but=seat.letter)
        if former is not None:
            _bid_farewell(progress, seat, former, language, told | {"reason": why.reason})
        _introduce(progress, seat, told)

    def undo(self, progress: Progress) -> Act | None:
        seat = named(progress, self.seat)
        if seat.address is None:
            return Replace(self.seat, invitees.COMPUTER)
        several = _other_seat(progress, seat, seat.address) is not None
        return Replace(self.seat, f"{seat.name} <{seat.address}>:{seat.language}", several)

    def _heir(self, seat: tables.Seat, language: str) -> NewSeat:
        try:
            return invitees.parse_seat(f"{seat.colour}={self.heir}", language)
        except LobbyError as error:
            raise ActError("no-person", person=self.heir) from error


@dataclass(frozen=True, slots=True)
class SetLanguage(Act):
    """Write to a seat in another language from now on."""

    name: ClassVar[str] = "language"
    grade: ClassVar[Grade] = Grade.SAFE
    seat: SeatLetter
    language: Language

    def play(self, progress: Progress, why: Why) -> None:
        seat = named(progress, self.seat)
        if seat.language == self.language:
            raise ActError("language-already", seat=self.seat, language=self.language)
        seat.language = self.language
        progress.session.add(seat)
        tell(progress, seat.letter, "language", why, {})

    def undo(self, progress: Progress) -> Act | None:
        return SetLanguage(self.seat, named(progress, self.seat).language)


@dataclass(frozen=True, slots=True)
class Neutral(Act):
    """Leave a seat's armies to nobody: they stand and defend themselves, and are never played."""

    name: ClassVar[str] = "neutral"
    grade: ClassVar[Grade] = Grade.FAIR
    seat: SeatLetter

    def play(self, progress: Progress, why: Why) -> None:
        running(progress)
        seat = named(progress, self.seat)
        if seat.status == SeatStatus.ELIMINATED:
            raise ActError("seat-out", seat=self.seat)
        if progress.state.on_turn == seat.letter:
            run_out(progress)
        if progress.state.phase not in TURN or not substitute.can_be_neutral(progress, seat):
            raise ActError("not-neutral", seat=self.seat)
        mark(progress, why, self.name, seat.letter)
        substitute.make_neutral(progress, seat)
        tell_all(progress, "made-neutral", why, {"seat": seat.letter})


def _other_seat(progress: Progress, seat: tables.Seat, address: str | None) -> str | None:
    """The letter of another seat that the address holds in this game."""
    held = ((one.letter, one.address) for one in progress.seats if one is not seat)
    return next(
        (letter for letter, at in held if at and address and at.lower() == address.lower()), None
    )


def _seat(progress: Progress, seat: tables.Seat, heir: NewSeat) -> None:
    seat.address, seat.computer = heir.address, heir.address is None
    seat.name, seat.language = heir.name, heir.language
    seat.key_epoch += 1
    seat.settings, seat.misses, seat.time_saved = {}, [], 0
    seat.news_at = seat.news_from = seat.open_since = None
    seat.thread_message_id = seat.last_letter_address = None
    if progress.state.phase is Phase.INVITED:
        seat.status = SeatStatus.JOINED if seat.computer else SeatStatus.INVITED
    proposals.lapse(progress.session, progress.game.id, progress.now, seat=seat.letter)
    progress.session.add(seat)


def _n(seat: tables.Seat) -> str:
    return f"replaced{seat.key_epoch}"


def _bid_farewell(
    progress: Progress, seat: tables.Seat, former: str, language: str, told: Mapping[str, Any]
) -> None:
    facts = {"about": "replaced", "told": dict(told)}
    n = f"{_n(seat)}left"
    progress.tell(Recipe("note", seat.letter, n, facts, to=former, language=language))


def _introduce(progress: Progress, seat: tables.Seat, told: Mapping[str, Any]) -> None:
    """What the game waits for comes to the new player at once."""
    if progress.game.on_turn == seat.letter and progress.state.phase in TURN:
        _call(progress, seat)
    elif not seat.computer:
        progress.tell(_welcome(progress, seat, told))
    elif progress.state.phase is Phase.INVITED:
        lobby.begin_if_full(progress)


def _call(progress: Progress, seat: tables.Seat) -> None:
    """The turn goes on with its new player, who has the whole time for it."""
    game = progress.game
    if seat.computer:
        game.deadline = game.next_reminder_at = None
        return
    game.deadline = progress.options.timetable.ends(progress.now)
    turn_end.set_reminder(progress)
    turn_end.call(progress, _n(seat))


def _welcome(progress: Progress, seat: tables.Seat, told: Mapping[str, Any]) -> Recipe:
    """What a new player reads first, who is not on turn."""
    deadline = moment(progress.game)
    if progress.state.phase is Phase.INVITED:
        return Recipe("invitation", seat.letter, _n(seat), {"inviter": "", "deadline": deadline})
    if progress.state.phase in SETUP and not _has_list(progress, seat):
        events = (1, progress.last_seq)
        facts = {"deadline": deadline}
        return Recipe("setup-call", seat.letter, _n(seat), facts, events=events)
    return Recipe("note", seat.letter, _n(seat), {"about": "replaced", "told": dict(told)})


def _has_list(progress: Progress, seat: tables.Seat) -> bool:
    return any(row.seat == seat.letter for row in setup_lists.kept(progress))
