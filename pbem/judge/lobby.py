"""From the GM's wish to the first turn: making a game, invitations, joining, the setup's start."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.judge import atlas, luck
from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.judge.post import GmNote, Recipe, post
from pbem.judge.progress import Progress
from pbem.judge.setup_lists import finish_setup
from pbem.rules import fair, notation, setup
from pbem.rules.position import SETUP
from pbem.rules.ruleset import Ruleset, RulesetError
from pbem.rules.seat import COLOURS, LETTERS, Seat
from pbem.store import games, tables
from pbem.store.engine import Session
from pbem.store.tables import SeatStatus


class LobbyError(ValueError):
    """A game cannot be made as asked; the message says what to change."""


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A place to fill. `address` None: the computer plays it, or it is open to whoever comes."""

    colour: str
    name: str
    address: str | None
    language: str
    is_open: bool = False


def check_seats(seats: Sequence[NewSeat], ruleset: Ruleset, *, allow_same: bool) -> None:
    """Raises LobbyError for a number of seats, a colour or an address that does not do."""
    try:
        setup.check_seats(ruleset, len(seats))
    except RulesetError as error:
        raise LobbyError(str(error)) from error
    for seat in seats:
        if seat.colour not in COLOURS:
            raise LobbyError(f"no colour is called {seat.colour!r}; there are {', '.join(COLOURS)}")
    _refuse_twice("colour", [seat.colour for seat in seats])
    if not allow_same:
        _refuse_twice("address", [s.address.lower() for s in seats if s.address is not None])


def _refuse_twice(what: str, values: Sequence[str]) -> None:
    for value in values:
        if values.count(value) > 1:
            hint = "; --allow-same lets one person play several seats" if what == "address" else ""
            raise LobbyError(f"the {what} {value} stands on two seats{hint}")


def create(
    session: Session,
    now: datetime,
    *,
    ruleset: Ruleset,
    options: Options,
    seats: Sequence[NewSeat],
    language: str,
    entropy: Callable[[int], bytes],
) -> tables.Game:
    """A new game whose seats are not yet asked. `entropy` gives so many secret random bytes."""
    last, deck_seed = entropy(32), entropy(32)
    state = setup.new_game(ruleset, len(seats), options.board_id)
    game = tables.Game(
        created_at=now,
        ruleset=ruleset.name,
        options=options.as_json(),
        language=language,
        state=notation.state_to_json(state),
        phase=state.phase,
        chain_last=last,
        commitment=fair.commitment(last),
        deck_seed=deck_seed,
        deck_commitment=fair.deck_commitment(deck_seed),
        luck=fair.luck_list([None] * len(seats)),
        listed=options.listed == "yes",
    )
    places = zip(LETTERS, seats, strict=False)
    rows = [_seat(letter, new, options, now) for letter, new in places]
    return games.create(session, game, rows)


def _seat(letter: Seat, new: NewSeat, options: Options, now: datetime) -> tables.Seat:
    computer = new.address is None and not new.is_open
    return tables.Seat(
        game_id=0,
        letter=letter,
        colour=new.colour,
        name=new.name,
        address=new.address,
        language=new.language,
        zone=options.zone,
        computer=computer,
        status=SeatStatus.JOINED if computer else SeatStatus.INVITED,
        open_since=now if new.is_open else None,
    )


def invite(
    session: Session,
    house: House,
    game: tables.Game,
    now: datetime,
    *,
    inviter: str,
    only: str | None = None,
    n: int = 1,
) -> tuple[int, ...]:
    """Ask every seat that has not answered (or one of them) and set the day to answer by."""
    seats = games.seats(session, game.id)
    options = Options.from_json(game.options)
    game.deadline = now + timedelta(seconds=options.invitation)
    session.add(game)
    facts = {"inviter": inviter, "deadline": game.deadline.isoformat()}
    asked = [
        seat.letter
        for seat in seats
        if seat.status == SeatStatus.INVITED and only in (None, seat.letter)
    ]
    recipes = [Recipe("invitation", letter, n, facts) for letter in asked]
    state = atlas.state_of(session, game)
    return post(session, house, game, seats, state, recipes, now)


def join(
    progress: Progress, seat: tables.Seat, mail: tables.Inbox, told: Mapping[str, Any]
) -> None:
    """The seat said YES: it is in, and the game begins when it was the last one missing.

    `told` is what the answer says besides: what the services of the mail did.
    """
    seat.status, seat.joined_at = SeatStatus.JOINED, progress.now
    progress.session.add(seat)
    waiting = [s.letter for s in progress.seats if s.status != SeatStatus.JOINED]
    facts = {"taken": len(progress.seats) - len(waiting), "waiting": waiting, **told}
    progress.tell(Recipe("joined", seat.letter, mail.id, facts, answers=mail))
    begin_if_full(progress)


def begin_if_full(progress: Progress) -> None:
    """Begin the setup if no seat is missing any more."""
    if all(seat.status == SeatStatus.JOINED for seat in progress.seats):
        begin_setup(progress)


def decline(progress: Progress, seat: tables.Seat, mail: tables.Inbox) -> None:
    """The seat said NO: the GM is told and may offer it to somebody else."""
    seat.status = SeatStatus.DECLINED
    progress.session.add(seat)
    told: Mapping[str, str] = {"seat": seat.letter, "name": seat.name}
    progress.tell(
        Recipe("note", seat.letter, mail.id, {"about": "declined", "told": told}, answers=mail)
    )
    progress.tell_gm(GmNote("declined", mail.id, told))


def begin_setup(progress: Progress) -> None:
    """Throw for who begins, deal where the ruleset deals, and ask every seat for its list."""
    span = _open_setup(progress)
    game = progress.game
    game.deadline = progress.options.setup_timetable.ends(progress.now)
    facts = {"deadline": game.deadline.isoformat()}
    for seat in progress.seats:
        progress.tell(Recipe("setup-call", seat.letter, 1, facts, events=span))


def _open_setup(progress: Progress) -> tuple[int, int] | None:
    """Seat everybody and close the list of words, then the throws and the deal; their events."""
    luck.close(progress)
    for seat in progress.seats:
        seat.status = SeatStatus.STANDING
        # A game that is started with a free seat: the computer plays until somebody takes it.
        seat.computer = seat.computer or seat.address is None
        progress.session.add(seat)
    progress.game.step = 1
    return progress.happened(setup.open_setup(progress.state, progress.chance))


def open_game(
    session: Session,
    house: House,
    game: tables.Game,
    now: datetime,
    *,
    inviter: str,
    start: bool,
) -> tuple[int, ...]:
    """Send the invitations of a new game, or begin its setup without asking anybody."""
    seats = games.seats(session, game.id)
    if not start and any(seat.status == SeatStatus.INVITED for seat in seats):
        return invite(session, house, game, now, inviter=inviter)
    progress = Progress(session, house, games.lock(session, game.id), now, None)
    begin_setup(progress)
    return progress.close()


def open_at_turn_one(
    session: Session, house: House, game: tables.Game, now: datetime
) -> tuple[int, ...]:
    """Begin a new game with its first turn, asking nobody: the setup is that of empty lists."""
    progress = Progress(session, house, games.lock(session, game.id), now, None)
    _open_setup(progress)
    while progress.state.phase in SETUP:
        finish_setup(progress)
    return progress.close()
