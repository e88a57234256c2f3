"""The computer's mails: when a game waits for a seat that the computer plays, it writes one.

The row's key is the step it answers, so that two workers that think at once write the same row.
"""

from datetime import datetime

from pbem.judge import atlas, branches, computer, reading, setup_lists
from pbem.rules.position import SETUP, Phase
from pbem.rules.seat import Seat
from pbem.rules.view import View, view
from pbem.store import games, inbox, orders, standstill, tables
from pbem.store.engine import Engine, Session
from pbem.store.engine import reading as open_reading
from pbem.store.engine import session as open_session
from pbem.store.tables import Source


def think(engine: Engine, game_id: int, now: datetime) -> bool:
    """Write the orders of every computer that the game waits for; whether there is a new row."""
    with open_reading(engine) as session:
        if not games.has_computer(session, game_id) or standstill.find(session) is not None:
            return False
        game = games.find(session, game_id)
        deliveries = [] if game is None else _deliveries(session, game, now)
    if not deliveries:
        return False
    with open_session(engine) as session:
        receipts = inbox.add(session, deliveries)
    return any(receipt.arrived is inbox.Arrived.NEW for receipt in receipts)


def _deliveries(session: Session, game: tables.Game, now: datetime) -> list[inbox.Delivery]:
    return [_delivery(game, seen, now) for seen in _awaited(session, game)]


def _awaited(session: Session, game: tables.Game) -> tuple[View, ...]:
    """What each computer sees that has to move."""
    if game.over_at is not None or game.paused_at is not None:
        return ()
    phase = Phase(game.phase)
    if phase in SETUP:
        wanted = setup_lists.kind(phase)
        rows = orders.setup_lists(session, game.id, branch=game.branch)
        listed = {row.seat for row in rows if row.kind == wanted}
        letters = {s.letter for s in games.seats(session, game.id) if s.computer} - listed
    elif phase in (Phase.INVITED, Phase.OVER) or game.on_turn is None:
        letters = set()
    else:
        seat = games.seat(session, game.id, game.on_turn)
        letters = {game.on_turn} if seat is not None and seat.computer else set()
    if not letters:
        return ()
    state = atlas.state_of(session, game)
    return tuple(view(state, Seat(letter)) for letter in sorted(letters))


def _delivery(game: tables.Game, seen: View, now: datetime) -> inbox.Delivery:
    assert seen.reader is not None
    key = f"computer:{games.public_id(game.id)}:{game.branch}:{game.turn}:{game.step}:{seen.reader}"
    texts = game.step - branches.first_step(game, game.turn)
    return inbox.Delivery(
        source=Source.COMPUTER,
        dedupe_key=key,
        received_at=now,
        game_id=game.id,
        seat=seen.reader,
        turn=game.turn,
        step=game.step,
        reading=reading.orders_of(computer.orders(seen, texts_before=texts)),
    )
