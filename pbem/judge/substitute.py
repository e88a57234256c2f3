"""A seat that missed too many turns goes on by the game's choice (option `vacant`).

The computer plays for an absent player, whose seat it stays: one mail of theirs and they are back.
A seat that became neutral is gone for good. With ``replacement`` the seat is marked as open for
another player besides, with ``gm`` nothing happens but that the game master is told.
"""

from pbem.judge import ladder, turn_end
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.judge.sitting import Sitting
from pbem.rules.action import Forsake
from pbem.rules.adjudicate import play
from pbem.rules.forsake import can_be_forsaken
from pbem.rules.position import TURN
from pbem.rules.refusal import Refusal
from pbem.rules.seat import Seat
from pbem.store import games, proposals, tables
from pbem.store.tables import SeatStatus, Source


def warn(progress: Progress) -> None:
    """Tell the seat on turn that it will be taken, unless something comes in before the deadline.

    That is no reminder: whoever has switched those off gets it too.
    """
    game, on_turn = progress.game, progress.state.on_turn
    if game.warning_at is None or game.warning_at > progress.now:
        return
    game.warning_at = None
    if on_turn is None or game.deadline is None or game.deadline <= progress.now:
        return
    seat = progress.seat(on_turn)
    if not ladder.is_last_chance(progress, seat) or ladder.has_sent(progress, seat):
        return
    told = {
        "deadline": game.deadline.isoformat(),
        "times": ladder.missed(progress, seat),
        "vacant": _choice(progress, seat),
    }
    n = f"last{game.deadline:%Y%m%d%H%M%S}"
    facts = {"about": "last-chance", "told": told}
    progress.tell(Recipe("note", on_turn, n, facts, expires_at=game.deadline))


def missed(progress: Progress, seat: tables.Seat, times: int) -> None:
    """The seat's turn was missed, and closed by the clock; `times` are those that count by now."""
    if progress.game.over_at is not None or seat.computer:
        return
    turn = progress.state.turn
    if times >= max(progress.options.late_after, 1):
        told = {"seat": seat.letter, "times": times, "game": games.public_id(progress.game.id)}
        progress.tell_gm(GmNote("missed", f"{turn}{seat.letter}", told))
    if times > progress.options.late_after and progress.options.vacant != "gm":
        _take(progress, seat)


def _choice(progress: Progress, seat: tables.Seat) -> str:
    """What becomes of the seat: where it cannot become neutral, the computer plays for it."""
    vacant = progress.options.vacant
    if vacant == "neutral" and not can_be_neutral(progress, seat):
        return "computer"
    return vacant


def can_be_neutral(progress: Progress, seat: tables.Seat) -> bool:
    """Whether the seat can become neutral, if it is on turn as soon as that turn is closed."""
    state = progress.state
    others = len(state.standing) > 2 and not state.ruleset.has_neutral(len(state.seats))
    return others and seat.letter in state.standing


def _take(progress: Progress, seat: tables.Seat) -> None:
    how = _choice(progress, seat)
    if how == "neutral" and can_be_forsaken(progress.state, Seat(seat.letter)):
        make_neutral(progress, seat)
    else:
        how = "computer" if how == "neutral" else how
        seat.computer = True
        if how == "replacement":
            seat.open_since = progress.now
    progress.session.add(seat)
    proposals.lapse(progress.session, progress.game.id, progress.now, seat=seat.letter)
    told = {"seat": seat.letter, "how": how, "game": games.public_id(progress.game.id)}
    n = f"taken{progress.state.turn}{seat.letter}"
    for other in progress.seats:
        progress.tell(Recipe("note", other.letter, n, {"about": "taken", "told": told}))
    progress.tell_gm(GmNote("taken", n, told))


def make_neutral(progress: Progress, seat: tables.Seat) -> None:
    """The seat's armies are neutral from now on; it must not be on turn."""
    played = play(progress.state, Forsake(Seat(seat.letter)), progress.chance)
    assert not isinstance(played, Refusal), played
    progress.happened(played)
    seat.status = SeatStatus.ELIMINATED
    progress.session.add(seat)


def come_back(mail: Sitting) -> bool:
    """The player whose seat the computer plays has written: the seat is theirs again."""
    progress, seat = mail.progress, mail.seat
    if not seat.computer or seat.address is None or mail.row.source == Source.COMPUTER:
        return False
    seat.computer, seat.open_since, seat.misses = False, None, []
    progress.session.add(seat)
    game, state = progress.game, progress.state
    if state.on_turn == seat.letter and state.phase in TURN:
        turn_end.set_deadline(progress, seat)
        turn_end.call(progress, f"back{mail.row.id}")
    mail.serve(None, "back")
    told = {"seat": seat.letter, "game": games.public_id(game.id)}
    for other in progress.seats:
        if other.letter != seat.letter:
            facts = {"about": "came-back", "told": told}
            progress.tell(Recipe("note", other.letter, f"back{mail.row.id}", facts))
    progress.tell_gm(GmNote("came-back", mail.row.id, told))
    return True
