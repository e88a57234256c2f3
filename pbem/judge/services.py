"""What a mail may ask for beside orders: done whatever becomes of the orders, told in the answer.

One function a service; it tells the sitting what it did, or why it could not.
"""

from collections.abc import Callable, Mapping

from pbem.judge import absence, agreement, luck, press, setting, standing, turn_end, vacancy
from pbem.judge.outcome import Outcome
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.judge.sitting import Served, Sitting
from pbem.orders.mistake import Mistake
from pbem.orders.service import Away, Defend, Help, History, Luck, Say, Service, Set, Simple
from pbem.orders.sheet import Asked
from pbem.rules.position import TURN, Phase
from pbem.store import games, tables

LETTERS = frozenset({"help", "history", "stats"})
"""Pages that are a letter of their own kind if nothing else was asked for."""


MOST_TURNS = 10
"""So many turns stand in one letter."""


def serve(mail: Sitting) -> None:
    """Do all services of the mail, once."""
    if mail.is_served:
        return
    mail.is_served = True
    _speak_again(mail)
    for asked in mail.sheet.services:
        SERVANTS[_kind(asked.service)](mail, asked)
    mail.progress.session.add(mail.seat)


def answer(mail: Sitting) -> Outcome:
    """The answer to a mail that asks for services only."""
    serve(mail)
    if mail.served and all(one.refused for one in mail.served) and not mail.pages:
        found = [_mistake(one) for one in mail.served]
        mail.served = []
        return mail.mistakes(found)
    if len(mail.sheet.services) == 1 and mail.pages and mail.pages[0]["page"] in LETTERS:
        page = mail.pages.pop()
        return mail.help(page["topic"]) if page["page"] == "help" else mail.page(page)
    return mail.done()


def _mistake(one: Served) -> Mistake:
    """A service that could not be done, told as the mistake of its line."""
    line, text = (None, "") if one.asked is None else (one.asked.line, one.asked.text)
    return Mistake("E27", line, text, {"refused": one.code, **one.facts})


def _kind(service: Service) -> Simple | type:
    return service if isinstance(service, Simple) else type(service)


def _speak_again(mail: Sitting) -> None:
    """Who writes wants letters again."""
    stops = any(asked.service is Simple.STOP_MAIL for asked in mail.sheet.services)
    if mail.standing.silent and not stops:
        standing.put(mail.seat, standing.SILENT, None)
        mail.serve(None, "letters-again")


def _help(mail: Sitting, asked: Asked) -> None:
    assert isinstance(asked.service, Help)
    mail.pages.append({"page": "help", "topic": asked.service.topic})


def _shown(_mail: Sitting, _asked: Asked) -> None:
    """The answer shows the board and the hand by itself."""


def _orders(mail: Sitting, _asked: Asked) -> None:
    mail.pages.append(setting.page(mail))


def _defend(mail: Sitting, asked: Asked) -> None:
    order = asked.service
    assert isinstance(order, Defend)
    if mail.progress.state.ruleset.defence_dice == "max":
        mail.refuse(asked, "defence-fixed")
        return
    standing.put_defence(mail.seat, order)
    mail.serve(asked, "defend", where=str(order.where), dice=order.dice, at_most=order.at_most)


def _away(mail: Sitting, asked: Asked) -> None:
    """The days are kept; a deadline that runs now moves at once, and the GM is told."""
    assert isinstance(asked.service, Away)
    progress, seat = mail.progress, mail.seat
    try:
        days = absence.read(
            asked.service.first,
            asked.service.last,
            seat.language,
            absence.today(progress.now, seat),
        )
    except absence.AbsenceError as error:
        mail.refuse(asked, error.code, value=error.value, most=absence.MOST_DAYS)
        return
    left = absence.days_left(progress.options, seat, days, absence.today(progress.now, seat))
    if left < days.length:
        mail.refuse(asked, "away-season", left=left, days=days.length)
        return
    absence.keep(seat, days, absence.today(progress.now, seat))
    told = [days.first.isoformat(), days.last.isoformat()]
    mail.serve(asked, "away", first={"day": told[0]}, last={"day": told[1]})
    about = {"seat": seat.letter, "first": told[0], "last": told[1]}
    progress.tell_gm(GmNote("away", mail.row.id, about))
    if progress.options.away_shown == "yes":
        for other in progress.seats:
            if other.letter != seat.letter:
                facts = {"about": "away", "told": about}
                progress.tell(Recipe("note", other.letter, f"away{mail.row.id}", facts))
    game, state = progress.game, progress.state
    if game.deadline is not None and state.on_turn == seat.letter and state.phase in TURN:
        game.deadline = absence.moved(game.deadline, seat, progress.options.timetable)
        turn_end.set_reminder(progress)


def _newkey(mail: Sitting, asked: Asked) -> None:
    """All addresses of before are closed; the answer and a fresh call bear the new one."""
    progress, seat = mail.progress, mail.seat
    seat.key_epoch += 1
    mail.serve(asked, "newkey")
    state = progress.state
    if state.on_turn == seat.letter and state.phase in TURN and progress.game.deadline:
        turn_end.call(progress, f"key{seat.key_epoch}")


def _stop_mail(mail: Sitting, asked: Asked) -> None:
    standing.put(mail.seat, standing.SILENT, True)
    mail.progress.tell_gm(GmNote("silenced", mail.row.id, {"seat": mail.seat.letter}))
    mail.serve(asked, "silenced")


def _history(mail: "Sitting", asked: Asked) -> None:
    """The turns asked for, those since the own last turn by default; an open turn only the own."""
    wanted = asked.service
    assert isinstance(wanted, History)
    progress = mail.progress
    newest = _newest_turn(progress, mail.seat)
    first = wanted.first if wanted.first is not None else _after_own_turn(progress, mail.seat)
    last = min(newest if wanted.last is None else wanted.last, newest)
    shown = min(last, first + MOST_TURNS - 1)
    begin = games.first_event(progress.session, progress.game.id, first) if first <= last else None
    if begin is None:
        mail.refuse(asked, "history-none")
        return
    after = games.first_event(progress.session, progress.game.id, shown + 1)
    end = progress.last_seq if after is None else after - 1
    more = shown + 1 if shown < last else None
    mail.pages.append({"page": "history", "events": [begin, end], "more": more})


def _stats(mail: "Sitting", _asked: Asked) -> None:
    """Figures of everything that happened up to now."""
    mail.pages.append({"page": "stats", "events": [1, mail.progress.last_seq]})


def _newest_turn(progress: "Progress", seat: tables.Seat) -> int:
    state = progress.state
    told = state.on_turn == seat.letter or state.phase is Phase.OVER
    return state.turn if told else state.turn - 1


def _after_own_turn(progress: "Progress", seat: tables.Seat) -> int:
    """The turn after the seat's own last one that closed; the first of all before it has one."""
    recent = 2 * len(progress.seats)
    ended = games.last_events(progress.session, progress.game.id, "turn-ended", recent)
    return next((e.body["turn"] + 1 for e in ended if e.body["seat"] == seat.letter), 1)


SERVANTS: Mapping[Simple | type, Callable[[Sitting, Asked], None]] = {
    Help: _help,
    Simple.BOARD: _shown,
    Simple.HAND: _shown,
    Simple.ORDERS: _orders,
    Simple.STATS: _stats,
    History: _history,
    Set: setting.answer,
    Defend: _defend,
    Away: _away,
    Say: press.say,
    Luck: luck.answer,
    Simple.RESIGN: vacancy.ask,
    Simple.NEWKEY: _newkey,
    Simple.STOP_MAIL: _stop_mail,
    Simple.DRAW: agreement.draw,
    Simple.PAUSE_GAME: agreement.pause,
    Simple.RESUME_GAME: agreement.resume,
}
