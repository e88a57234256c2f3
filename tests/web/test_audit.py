"""The audit as people read it: each act a sentence of their language, and no secret in it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pbem.judge.acts import performing
from pbem.judge.acts.board import SetCards
from pbem.judge.acts.clock import Extend
from pbem.judge.acts.letters import Note
from pbem.judge.acts.registry import ACTS
from pbem.judge.acts.terms import ChangeOption
from pbem.judge.acts.turns import OrderFor
from pbem.judge.gm import COMMAND_LINE, Why
from pbem.render import pages
from pbem.store import inbox
from pbem.store.engine import session
from pbem.store.person import ERASED
from pbem.store.tables import Audit, InboxStatus
from tests.judge.parlour import BERTA
from tests.web.office import GM, OWNER, Office

FIELDS: Mapping[str, Mapping[str, str]] = {
    "pause": {"until": "2026-12-03T20:00:00+00:00"},
    "note": {"to": "B", "text": "hush"},
    "resend": {"letter": "7"},
    "language": {"seat": "B", "language": "it"},
    "address": {"seat": "B", "address": "new@x.example"},
    "orders": {"seat": "B", "text": "hush"},
    "replace": {"seat": "B", "heir": "Nina <nina@x.example>"},
    "neutral": {"seat": "B"},
    "option": {"option": "pace", "value": "72h"},
    "set": {"territory": "IDA", "owner": "b", "armies": "5"},
    "hand": {"seat": "B", "cards": "EGY PRU"},
    "rollback": {"to": "12", "new_dice": "yes"},
    "rerun": {"turn": "3"},
    "end": {"winner": "B"},
}
DETAILS: Mapping[str, Mapping[str, Any]] = {
    **{name: {"fields": FIELDS.get(name, {}), "changed": {}} for name in ACTS},
    **{
        f"consent-{end}": {"consent": 1, "act": "draw", "of": "gm"}
        for end in ("asked", "yes", "no", "withdrawn", "lapsed")
    },
    **{f"{verb}-mail": {"inbox_id": 88, "seat": "B"} for verb in ("correct", "retry", "discard")},
    "new-game": {},
    "rematch": {"game": "g9"},
    "appoint": {"address": "nina@x.example", "office": "deputy"},
    "dismiss": {"address": "nina@x.example"},
    "reveal": {},
    "address-moved": {"seat": "B", "old": "old@x.example", "new": "new@x.example"},
    "address-declined": {"seat": "B", "old": "old@x.example", "new": "new@x.example"},
    "webhook": {},
    "webhook-tested": {},
    "webhook-dropped": {},
    "stop": {},
    "go-on": {"stood": 60},
    "release-clock": {"as_they_are": True},
    "login": {},
    "logout-everywhere": {},
    "key-made": {},
    "key-revoked": {},
    "erase-person": {"rows": 3},
    "export-person": {"address": "nina@x.example"},
    "board-import": {"name": "europe", "checksum": "0"},
}
"""What is kept of each thing that anybody can do, by its code in the audit."""

CODES = frozenset(DETAILS)


def sentences(language: str) -> dict[str, str]:
    """What the page of the house says of each, by its code."""
    at = datetime(2026, 12, 1, 20, tzinfo=UTC)
    lines = [
        Audit(id=n, at=at, who=GM, what=what, game_id=None, reason="", detail=dict(detail))
        for n, (what, detail) in enumerate(DETAILS.items())
    ]
    template = pages._environment(language).from_string(
        '{% import "_audit.html.j2" as audit with context %}'
        "{% for one in lines %}<p>{{ audit.told(one, true) | trim }}</p>{% endfor %}"
    )
    page = LexborHTMLParser(template.render(lines=lines, zone=UTC, visitor=None))
    return dict(zip(DETAILS, (line.text() for line in page.css("p")), strict=True))


def test_each_act_is_told_in_a_sentence_of_its_own() -> None:
    told = sentences("en")
    assert [code for code, said in told.items() if said == code or not said] == []
    assert len(set(told.values())) == len(told) - 1, "both ways to move a deadline are told alike"
    assert told["pause"] == "Paused the game until 3 Dec, 20:00"
    assert told["rollback"] == "Took the game back to its event 12, with new dice"
    assert told["set"] == "Changed IDA: seat B with 5 armies"
    assert told["option"] == 'Changed "Time for a turn" to: 72h'
    assert told["consent-yes"] == "Agreed: End the game as a draw"
    assert told["correct-mail"] == "Corrected mail 88 and let it be played for seat B"
    assert not any("hush" in said or "EGY" in said for said in told.values())


@pytest.mark.parametrize("language", ["it", "nl", "sl"])
def test_it_speaks_the_readers_language(language: str) -> None:
    english, other = sentences("en"), sentences(language)
    assert [code for code in CODES if english[code] == other[code]] == []


def test_the_page_says_who_when_what_and_why_and_keeps_what_one_seat_alone_knows(
    office: Office,
) -> None:
    acts = (
        Extend(timedelta(hours=24)),
        Note("A", "a hushed word"),
        ChangeOption("pace", "72h"),
        SetCards("A", ("EGY", "WILD")),
        OrderFor("A", "claim Siam, Egypt, Peru"),
    )
    for act in acts:
        why = Why(COMMAND_LINE, "the heat wave")
        performing.perform(
            office.engine, office.parlour.house, office.parlour.game_id, act, why, office.now
        )
    for reader in (OWNER, GM, BERTA):
        page = office.browser(reader).page("/desk/games/g1/audit")
        told = [" ".join(row.text(separator=" ").split()) for row in page.css("li.row")]
        assert all("the heat wave somebody at the command line" in line for line in told)
        moved = next(line for line in told if line.startswith("Moved the deadline from"))
        assert page.css_first("li.row time") is not None
        assert moved.endswith("Look")
        assert 'Changed "Time for a turn" to: 72h' in " ".join(told)
        assert "Wrote a note to seat A" in " ".join(told)
        for secret in ("hushed", "EGY", "Egypt", "WILD", "Peru"):
            assert secret not in page.html  # type: ignore[operator]  # a page was read


def test_a_line_of_before_says_at_least_what_kind_of_act_it_was(office: Office) -> None:
    number = office.done()
    page = office.browser(GM).page("/desk/games/g1/audit")
    assert "Give more time" in page.css_first("li.row").text()  # type: ignore[union-attr]
    assert number


def test_who_was_erased_is_called_so() -> None:
    template = pages._environment("en").from_string(
        '{% import "_audit.html.j2" as audit with context %}{{ audit.who(who) | trim }}'
    )
    assert template.render(who=ERASED, visitor=None) == "somebody who was erased"


def test_what_came_of_a_mail_is_said_in_words(office: Office) -> None:
    number = office.stray("end")
    with session(office.engine) as opened:
        row = inbox.find(opened, number)
        assert row is not None
        row.status, row.result = InboxStatus.DONE, "not-understood"
        opened.add(row)
    page = office.browser(GM).page("/desk/games/g1/mail")
    (came, *_) = page.css("section[aria-labelledby=in] li.row")
    assert "answered not understood" in " ".join(came.text(separator=" ").split())
    assert page.css("li.row code") == []
