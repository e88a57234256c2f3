"""A game master's mail to one game: its commands are done, all or none, and answered once.

Who could have written it in a game master's name is asked at that person's own address, by a
question that is answered to an address of its own; nobody else learns anything.
"""

from datetime import timedelta

from pbem.judge import login, senders, sieve
from pbem.judge.acts import commands, performing, voting
from pbem.judge.acts.act import NEEDED, Act
from pbem.judge.gm import ActError, Why
from pbem.judge.house import House
from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.judge.roles import May, in_office, person
from pbem.mail import gm_address
from pbem.mail.gm_address import GmAddress, Question
from pbem.mail.reading import Kind, Reading
from pbem.orders import gm as words
from pbem.orders import reader
from pbem.orders.lexicon import LANGUAGES
from pbem.orders.sheet import Mode, Table
from pbem.store import consents, correspondence, games, inbox, tables
from pbem.store.engine import Session
from pbem.store.tables import InboxStatus

CONFIRM = "gm-confirm"
DISOWNED = "disowned"
MOST_QUESTIONS = 10
"""So many questions a day about one game that were not answered with YES: who can write in a game
master's name must not fill the mailbox."""


def master(session: Session, house: House, recipient: str) -> str | None:
    """The game master whose own address this is; None if it is nobody's (any more)."""
    named = gm_address.parse(recipient)
    number = None if named is None else games.game_id(named.game)
    if named is None or number is None or games.find(session, number) is None:
        return None
    # The door asks this of each such recipient: a wrong tag costs no look at what a person may do.
    known = in_office(session, house, number)
    own = next((one for one in known if gm_address.genuine(named, house.secret, one)), None)
    may = own is not None and person(session, house, own).may(number, May.ACT_A)
    return own if may else None


def is_masters(session: Session, house: House, row: tables.Inbox, read: Reading) -> bool:
    """Whether From is the person whose address was written to."""
    address = master(session, house, row.recipient)
    return address is not None and _is_from(read, address)


def _is_from(read: Reading, address: str) -> bool:
    return read.refused is None and (read.sender or "").casefold() == address.casefold()


def play(progress: Progress, row: tables.Inbox) -> Outcome:
    """Answer the row; one that its game master did not write, or not provably, is held."""
    session, house = progress.session, progress.house
    read = Reading.from_json(row.reading or {})
    if read.kind in senders.MACHINES:
        return Outcome(InboxStatus.IGNORED, read.kind)
    if sieve.is_spam(house, row):
        return Outcome(InboxStatus.SET_ASIDE, sieve.SPAM)
    address, named = master(session, house, row.recipient), gm_address.parse(row.recipient)
    if address is None or named is None:
        return Outcome(InboxStatus.SET_ASIDE, "gm-unproved")
    if sieve.has_come(progress, row, read, sieve.MOST_WRONG):
        # Told to nobody: whoever would be told has a program that answers.
        return Outcome(InboxStatus.SET_ASIDE, sieve.ROBOT)
    mine = _is_from(read, address)
    if named.question is not None:
        if not mine:
            return Outcome(InboxStatus.SET_ASIDE, "gm-unproved")
        return _question(progress, row, read, address, named)
    if not mine or not senders.is_proved(progress, row, read):
        return _hold(progress, row, read, address, mine=mine)
    return _answer(progress, row, read, address)


def _question(
    progress: Progress, row: tables.Inbox, read: Reading, address: str, named: GmAddress
) -> Outcome:
    """A word to the address of a question, which proves enough for a YES or NO."""
    mode = _mode(progress, read)
    if named.question is Question.CONFIRM:
        return _confirmed(progress, row, address, named.number, mode)
    found = consents.find(progress.session, named.number)
    voice = None if found is None else voting.voice_of(progress, found, address)
    able = person(progress.session, progress.house, address).may(progress.game.id, May.ACT_C)
    if found is None or voice is None or not able:
        return Outcome(InboxStatus.IGNORED, "no-vote")
    return voting.by_mail(progress, found, voice, row, mode)


def _mode(progress: Progress, read: Reading) -> Mode:
    """YES or NO in any language, if the mail says one of them; else none."""
    table = Table(progress.state.board)
    said = (reader.read(tuple(read.text), language, table).mode for language in LANGUAGES)
    return next((mode for mode in said if mode in (Mode.YES, Mode.NO)), Mode.NONE)


def _hold(
    progress: Progress, row: tables.Inbox, read: Reading, address: str, *, mine: bool
) -> Outcome:
    """Keep the mail and ask the game master, once, whether it counts."""
    since = progress.now - timedelta(days=1)
    unanswered = (CONFIRM, DISOWNED)
    asked = correspondence.results_since(progress.session, row, unanswered, since)
    if asked >= MOST_QUESTIONS:
        return Outcome(InboxStatus.HELD, "unasked")
    told = {
        "sender": read.sender or "",
        "received": row.received_at.isoformat(),
        "lines": [*read.text, *read.doubtful],
    }
    # A stranger's mail is nothing that the game master wrote, so the question answers nothing.
    answers = row if mine else None
    asks = (Question.CONFIRM.value, row.id)
    note = GmNote(CONFIRM, row.id, told, to=address, answers=answers, asks=asks)
    progress.tell_gm(note)
    return Outcome(InboxStatus.HELD, CONFIRM)


def _confirmed(
    progress: Progress, row: tables.Inbox, address: str, number: int, mode: Mode
) -> Outcome:
    """What the game master says of a mail that was held; a YES does what stands in it."""
    held = inbox.find(progress.session, number)
    if held is None or held.game_id != progress.game.id:
        return Outcome(InboxStatus.IGNORED, "not-asked")
    if held.status != InboxStatus.HELD:
        return _tell(progress, row, address, "gm-settled", {})
    if mode is Mode.NONE:
        return _tell(progress, row, address, "gm-yes-or-no", {})
    said_yes = mode is Mode.YES
    held.status = InboxStatus.DONE if said_yes else InboxStatus.IGNORED
    held.result = "confirmed" if said_yes else DISOWNED
    progress.session.add(held)
    if not said_yes:
        return _tell(progress, row, address, "gm-dropped", {})
    return _answer(progress, row, Reading.from_json(held.reading or {}), address)


def _answer(progress: Progress, row: tables.Inbox, read: Reading, address: str) -> Outcome:
    said = commands.read(read.text, progress.options.zone)
    in_doubt = commands.read(read.doubtful, progress.options.zone).acts
    language = _language(progress, address, said)
    if read.kind is not Kind.ORDERS or said.wants_help or not (said.acts or said.wrong or in_doubt):
        told: dict[str, object] = {
            "commands": commands.offered(language),
            "word": words.printed(commands.REASON, language),
        }
        return _tell(progress, row, address, "gm-help", told, language)
    why = Why(address, said.reason)
    wrong = (*said.wrong, *(commands.Wrong(line, "in-doubt", {}) for line, _ in in_doubt))
    wrong = wrong or _refused(progress, address, said.acts, why)
    if wrong:
        lines = [{"line": one.line, "code": one.code, "facts": one.facts} for one in wrong]
        return _tell(progress, row, address, "gm-mistakes", {"wrong": lines}, language)
    for _, act in said.acts:
        performing.play_on(progress, act, why)
    lines_done = [line for line, _ in said.acts]
    return _tell(progress, row, address, "gm-done", {"lines": lines_done}, language)


def _language(progress: Progress, address: str, said: commands.Said) -> str:
    """The language of the words; else the one that the person's letters are in, or the game's."""
    if said.language is not None and said.language != "en":
        return said.language
    default = said.language or progress.game.language
    return login.speech_of(progress.session, address, default).language


def _refused(
    progress: Progress, address: str, acts: tuple[tuple[str, Act], ...], why: Why
) -> tuple[commands.Wrong, ...]:
    """The first line that cannot be done; all are tried on a sheet that is thrown away."""
    who = person(progress.session, progress.house, address)
    with performing.tried(progress) as scratch:
        for line, act in acts:
            if not who.may(progress.game.id, NEEDED[act.grade]):
                return (commands.Wrong(line, "may-not", {}),)
            try:
                act.play(scratch, why)
            except ActError as error:
                return (commands.Wrong(line, error.code, dict(error.facts)),)
    return ()


def _tell(
    progress: Progress,
    row: tables.Inbox,
    address: str,
    about: str,
    told: dict[str, object],
    language: str | None = None,
) -> Outcome:
    note = GmNote(about, row.id, told, to=address, answers=row, language=language)
    progress.tell_gm(note)
    return done(about)
