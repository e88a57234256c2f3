"""The smaller rows: proposals, setup lists, orders played, audit."""

from datetime import datetime, timedelta

from sqlalchemy import Engine

from pbem.store import audit, orders, proposals
from pbem.store.engine import session
from pbem.store.tables import Game, Proposal, ProposalStatus

SECOND = timedelta(seconds=1)


def proposal(seat: str, kind: str, now: datetime, message_id: str | None = None) -> Proposal:
    return Proposal(
        game_id=1,
        seat=seat,
        turn=1,
        step=0,
        kind=kind,
        body={"lines": ["end"]},
        message_id=message_id,
        created_at=now,
    )


def test_a_newer_proposal_of_a_kind_lets_the_older_lapse(
    engine: Engine, game: Game, noon: datetime
) -> None:
    with session(engine) as opened:
        old = proposals.offer(opened, proposal("A", "corrected", noon, message_id="<1@x>"))
        stale = proposals.offer(opened, proposal("A", "stale", noon))
        of_bruno = proposals.offer(opened, proposal("B", "corrected", noon))
        new = proposals.offer(opened, proposal("A", "corrected", noon + SECOND))
        assert [p.id for p in proposals.open_for(opened, 1, "A")] == [new.id, stale.id]
        assert [p.id for p in proposals.open_for(opened, 1, "A", "stale")] == [stale.id]
        assert [p.id for p in proposals.open_for(opened, 1, "B")] == [of_bruno.id]
        found = proposals.offered_by(opened, "<1@x>")
        assert found is not None
        assert (found.id, found.status) == (old.id, ProposalStatus.LAPSED)
        assert found.settled_at == noon + SECOND


def test_a_proposal_is_taken_once(engine: Engine, game: Game, noon: datetime) -> None:
    with session(engine) as opened:
        offered = proposals.offer(opened, proposal("A", "corrected", noon))
        assert proposals.settle(opened, offered.id, ProposalStatus.TAKEN, noon)
        assert not proposals.settle(opened, offered.id, ProposalStatus.TAKEN, noon)
        assert offered.status is ProposalStatus.TAKEN
        assert proposals.open_for(opened, 1, "A") == []


def test_when_the_game_moves_on_all_that_is_open_lapses(
    engine: Engine, game: Game, noon: datetime
) -> None:
    with session(engine) as opened:
        for seat in "AB":
            proposals.offer(opened, proposal(seat, "corrected", noon))
        assert proposals.lapse(opened, 1, noon) == 2
        assert proposals.lapse(opened, 1, noon) == 0


def test_a_later_setup_list_replaces_the_earlier(
    engine: Engine, game: Game, noon: datetime
) -> None:
    with session(engine) as opened:
        put = orders.put_setup_list
        put(opened, 1, "A", "claim", noon, lines=["claim Siam"], normal=["SIA"])
        put(opened, 1, "A", "fill", noon, lines=["fill 3 Siam"], normal=[["SIA", 3]])
        put(opened, 1, "B", "claim", noon, lines=[], normal=[])
        assert orders.setup_lists(opened, 1, "A")[0].normal == ["SIA"]
        put(opened, 1, "A", "claim", noon + SECOND, lines=["claim Peru"], normal=["PER"])
    with session(engine) as opened:
        found = [(one.kind, one.normal, one.at) for one in orders.setup_lists(opened, 1, "A")]
        assert found == [
            ("claim", ["PER"], noon + SECOND),
            ("fill", [["SIA", 3]], noon),
        ]
        assert len(orders.setup_lists(opened, 1)) == 3
        assert orders.setup_lists(opened, 1, "C") == []


def test_the_same_orders_of_the_same_step_are_known_again(
    engine: Engine, game: Game, noon: datetime
) -> None:
    with session(engine) as opened:
        assert orders.handled(opened, 1, "A", 1, 0, "cafe") is None
        assert orders.remember(opened, 1, "A", 1, 0, "cafe", noon)
        assert not orders.remember(opened, 1, "A", 1, 0, "cafe", noon + SECOND)
        assert orders.remember(opened, 1, "A", 1, 1, "cafe", noon), "another step"
        known = orders.handled(opened, 1, "A", 1, 0, "cafe")
        assert known is not None
        assert known.at == noon


def test_the_audit_is_kept_in_order(engine: Engine, game: Game, noon: datetime) -> None:
    with session(engine) as opened:
        audit.record(opened, noon, who="dora", what="pause", game_id=1, reason="power cut")
        audit.record(opened, noon, who="dora", what="link")
        audit.record(opened, noon, who="dora", what="extend", game_id=1, detail={"by": "24h"})
    with session(engine) as opened:
        found = [(line.what, line.reason, line.detail) for line in audit.of_game(opened, 1)]
        assert found == [("pause", "power cut", {}), ("extend", "", {"by": "24h"})]
