"""What is forgotten of a person, and nothing of anybody else."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine
from sqlmodel import select

from pbem.store import audit, person
from pbem.store.engine import session
from pbem.store.tables import Audit

NOW = datetime(2026, 12, 1, 18, 30, tzinfo=UTC)
BOB, BIG_BOB = "bob@x.example", "bigbob@x.example"


def test_the_audit_forgets_one_person_and_no_namesake(engine: Engine) -> None:
    lines: dict[str, dict[str, Any]] = {
        BOB: {"to": [f"Bob <{BOB.upper()}>", BIG_BOB]},
        BIG_BOB: {"to": BIG_BOB, "said": f"write to {BOB}, or to {BOB}.org"},
        "olga@x.example": {"reason": "bob@x"},
    }
    with session(engine) as opened:
        for who, detail in lines.items():
            audit.record(opened, NOW, who=who, what="note", detail=detail)
    with session(engine) as opened:
        person.erase(opened, BOB, NOW)
    with session(engine) as opened:
        left = [(line.who, line.detail) for line in opened.exec(select(Audit).order_by("id"))]
    assert left == [
        ("erased", {"to": ["erased", BIG_BOB]}),
        (BIG_BOB, {"to": BIG_BOB, "said": "erased"}),
        ("olga@x.example", {"reason": "bob@x"}),
    ]


def test_a_text_that_is_part_of_many_addresses_is_nobody(engine: Engine) -> None:
    with session(engine) as opened:
        audit.record(opened, NOW, who=BOB, what="note", detail={"to": BIG_BOB})
    with session(engine) as opened:
        assert person.erase(opened, "b", NOW) == 0
