"""The form of a new game: every set of rules and every option with its meaning, all of it preset.

What is not chosen is as in the set of rules; whoever names the players only gets a game to enjoy.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from pbem.judge import atlas, founding
from pbem.judge.acts.terms import written
from pbem.judge.choosing import CHOICES, FIELDS, NUMBERS, READERS
from pbem.judge.duration import duration_text
from pbem.judge.founding import Wanted
from pbem.judge.options import Options
from pbem.judge.timetable import DAYS
from pbem.render import pages, rulebook
from pbem.rules import missions
from pbem.rules.ruleset import NEEDS, OPTIONS, RULESETS, Misfit
from pbem.rules.seat import COLOURS
from pbem.store import games
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.visitor import GivenForm, Known, KnownVisitor, checked_form

router = APIRouter(
    prefix="/games/new",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)

FIRST = "classic-1993"
"""The set of rules that is chosen for who chooses none."""

UP_FRONT = ("pace", "zone")
"""Options that are asked for before all others, beside the board."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "winning": ("goal", "mission_deck", "kill_credit", "capital_target"),
    "beginning": ("setup", "first_turn", "two_player", "invitation", "setup_pace", "luck"),
    "fighting": ("attack_dice", "defence_dice", "occupation_min", "fortify"),
    "cards": (
        *("wild", "trade_values", "forced_trade_at"),
        *("elimination_trade", "territory_bonus", "card_deck"),
    ),
    "clock": ("at", "gap", "days", "hours", "remind", "grace", "turns", "session"),
    "lateness": ("late_after", "vacant", "time_bank", "away_days", "away_shown", "pause"),
    "end": ("stalled", "round_limit"),
    "company": ("press", "spectators", "listed", "consent"),
}
"""All other options, by the part of the form that they stand in."""

EMPTIED: Mapping[str, str] = {"remind": "none", "pause": "0s"}
"""What it means that one of these fields was emptied; of others that it is as it was preset."""

ASKED = "days.asked"
"""Stands in a form that has boxes for the days: none of them ticked is then an answer too."""


@dataclass(frozen=True, slots=True)
class Field:
    """An option as it is asked for: the values to choose from, and what is chosen or written.

    An option of the rules that is not chosen is "": as in the set of rules.
    """

    name: str
    kind: Literal["choice", "days", "number", "text"]
    values: tuple[str, ...]
    given: str
    preset: str
    range: tuple[int, int] | None = None

    @property
    def of_rules(self) -> bool:
        """Whether the set of rules has a value for it."""
        return self.name in OPTIONS


@router.get("")
def blank(here: KnownVisitor, ruleset: str = Query(FIRST)) -> Response:
    """The form with everything preset. Raises RefusedError for who may make no game."""
    _need_founder(here)
    given = {"ruleset": ruleset, f"seat.{COLOURS[0]}": here.person.address}
    return _form(here, given, ())


@router.post("")
def found(here: KnownVisitor, form: GivenForm) -> Response:
    """Make the game and send the invitations, or say at each field what is wrong with it."""
    _need_founder(here)
    service, given = here.service, _texts(form)
    if "show" in given:
        return _form(here, given, ())
    with service.writing() as session:
        planned = founding.plan(session, wanted(given))
        if isinstance(planned, tuple):
            return _form(here, given, planned)
        game, letters = founding.found(
            session,
            service.house,
            planned,
            here.person.address,
            service.clock(),
            service.entropy,
        )
        public_id = games.public_id(game.id)
    service.send(letters)
    service.play(game.id)
    return RedirectResponse(f"/games/made/{public_id}", status_code=303)


def _need_founder(here: Known) -> None:
    service = here.service
    with service.reading() as session:
        if not founding.may(session, service.house, here.person.address, service.clock()):
            raise RefusedError(403, Reason.NOT_YOURS)


def _texts(form: FormData) -> dict[str, str]:
    """Every field as one text; of days that are ticked all, with commas between them."""
    names = dict.fromkeys(form)
    found = {name: [v.strip() for v in form.getlist(name) if isinstance(v, str)] for name in names}
    return {name: ",".join(texts) for name, texts in found.items() if texts}


def wanted(given: Mapping[str, str]) -> Wanted:
    """The game that was asked for in the fields of the form."""
    return Wanted(
        given.get("ruleset", ""),
        dict(_options(given)),
        list(_seats(given)),
        given.get("language", ""),
    )


def _options(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Those that say something; a time for a turn that was preset gives way to times of the day."""
    timed = bool(given.get("at")) and given.get("pace") == preset("pace")
    for name in (*OPTIONS, *READERS):
        value = given.get(name, "") or (EMPTIED.get(name, "") if name in given else "")
        if name == "days" and ASKED in given and not value:
            yield name, "none"
        elif value and not (timed and name == "pace"):
            yield name, value


def _seats(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Colour and who sits there, in the language chosen beside the name."""
    for colour in COLOURS:
        who, language = given.get(f"seat.{colour}", ""), given.get(f"language.{colour}", "")
        if who:
            tagged = language and "@" in who and not who.endswith(f":{language}")
            yield colour, f"{who}:{language}" if tagged else who


def preset(name: str) -> str:
    """What stands in the field of an option before anybody writes; "" for nothing, or no limit."""
    value = getattr(Options(), FIELDS.get(name, name))
    if value is None or value == () or (value == 0 and name not in NUMBERS):
        return ""
    if name == "remind":
        return ",".join(duration_text(timedelta(seconds=seconds)) for seconds in value)
    if isinstance(value, int) and name not in NUMBERS:
        return duration_text(timedelta(seconds=value))
    return written(Options(), name)


def field_of(name: str, given: Mapping[str, str]) -> Field:
    """The field of an option, with what was given."""
    if name in OPTIONS:
        return Field(name, "choice", OPTIONS[name], given.get(name, ""), "")
    before = preset(name)
    now = given.get(name, "" if ASKED in given else before)
    if name in CHOICES:
        return Field(name, "choice", CHOICES[name], now, before)
    if name in NUMBERS:
        return Field(name, "number", (), now, before, NUMBERS[name])
    if name == "days":
        return Field(name, "days", DAYS, now, before)
    return Field(name, "text", (), now, before)


def _form(here: Known, given: dict[str, str], faults: tuple[Misfit, ...]) -> Response:
    with here.service.reading() as session:
        boards = atlas.listing(session)
    chosen = given.get("ruleset") if given.get("ruleset") in RULESETS else FIRST
    given.setdefault("zone", str(here.zone))
    groups = {
        group: tuple(field_of(name, given) for name in names) for group, names in GROUPS.items()
    }
    return show(
        here,
        "lobby-new",
        422 if faults else 200,
        given=given,
        chosen=RULESETS[chosen or FIRST],
        faults=faults,
        boards=boards,
        rulesets=RULESETS,
        options={n: {o: getattr(r, o) for o in OPTIONS} for n, r in RULESETS.items()},
        up_front=tuple(field_of(name, given) for name in UP_FRONT),
        groups=groups,
        needs=NEEDS,
        decks={name: missions.deck(name) for name in OPTIONS["mission_deck"]},
        anchors=rulebook.options(),
        colours=COLOURS,
        languages=pages.spoken(),
        weekdays=pages.weekdays(here.language),
        asked=ASKED,
    )
