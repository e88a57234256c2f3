"""A game master's mail to one game: its commands are done, all or none, and answered once."""

from pbem.judge import senders
from pbem.judge.acts import commands, performing
from pbem.judge.acts.act import Act, Grade
from pbem.judge.gm import ActError, Why
from pbem.judge.house import House
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.judge.roles import May, person
from pbem.mail import gm_address
from pbem.mail.reading import Kind, Reading
from pbem.store import appointments, games, tables
from pbem.store.engine import Session
from pbem.store.tables import InboxStatus

_NEEDED = {Grade.SAFE: May.ACT_A, Grade.FAIR: May.ACT_B, Grade.DEEP: May.ACT_C}


def master(session: Session, house: House, recipient: str) -> str | None:
    """The game master whose own address this is; None if it is nobody's (any more)."""
    named = gm_address.parse(recipient)
    number = None if named is None else games.game_id(named.game)
    if named is None or number is None or games.find(session, number) is None:
        return None
    held = [office.address for office in appointments.of_game(session, number)]
    for address in (*house.gm, *held):
        if gm_address.genuine(named, house.secret, address):
            may = person(session, house, address).may(number, May.ACT_A)
            return address if may else None
    return None


def is_masters(session: Session, house: House, row: tables.Inbox, read: Reading) -> bool:
    """Whether From is the person whose address was written to."""
    address = master(session, house, row.recipient)
    known = address is not None and read.refused is None and read.sender is not None
    return known and (read.sender or "").casefold() == (address or "").casefold()


def play(progress: Progress, row: tables.Inbox) -> Outcome:
    """Answer the row. A mail that its game master did not write, or not provably, is set aside."""
    session, house = progress.session, progress.house
    read = Reading.from_json(row.reading or {})
    if read.kind in senders.MACHINES:
        return Outcome(InboxStatus.IGNORED, read.kind)
    address = master(session, house, row.recipient)
    mine = is_masters(session, house, row, read)
    if address is None or not mine or not senders.is_proved(progress, row, read):
        return Outcome(InboxStatus.SET_ASIDE, "gm-unproved")
    return _answer(progress, row, read, address)


def _answer(progress: Progress, row: tables.Inbox, read: Reading, address: str) -> Outcome:
    said = commands.read((*read.text, *read.doubtful), progress.options.zone)
    if read.kind is not Kind.ORDERS or said.wants_help or not (said.acts or said.wrong):
        return _tell(progress, row, address, "gm-help", {"commands": commands.offered()})
    why = Why(address, said.reason)
    wrong = said.wrong or _refused(progress, address, said.acts, why)
    if wrong:
        lines = [{"line": one.line, "code": one.code, "facts": one.facts} for one in wrong]
        return _tell(progress, row, address, "gm-mistakes", {"wrong": lines})
    for _, act in said.acts:
        performing.play_on(progress, act, why)
    return _tell(progress, row, address, "gm-done", {"lines": [line for line, _ in said.acts]})


def _refused(
    progress: Progress, address: str, acts: tuple[tuple[str, Act], ...], why: Why
) -> tuple[commands.Wrong, ...]:
    """The first line that cannot be done; all are tried on a sheet that is thrown away."""
    session, game = progress.session, progress.game
    who = person(session, progress.house, address)
    trial = session.begin_nested()
    scratch = Progress(session, progress.house, game, progress.now, None)
    try:
        for line, act in acts:
            if not who.may(game.id, _NEEDED[act.grade]):
                return (commands.Wrong(line, "may-not", {}),)
            try:
                act.play(scratch, why)
            except ActError as error:
                return (commands.Wrong(line, error.code, dict(error.facts)),)
    finally:
        trial.rollback()
        for seat in progress.seats:
            session.refresh(seat)
        session.refresh(game)
    return ()


def _tell(
    progress: Progress, row: tables.Inbox, address: str, about: str, told: dict[str, object]
) -> Outcome:
    progress.tell_gm(GmNote(about, row.id, told, to=address, answers=row))
    return done(about)
