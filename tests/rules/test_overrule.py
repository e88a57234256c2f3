"""What the game master changes on the board, and what not even the game master may."""

import pytest

from pbem.rules.action import RenewDice, SetHand, SetRule, SetTerritory
from pbem.rules.board import Code
from pbem.rules.event import DiceRenewed, HandSet, RuleSet, TerritorySet
from pbem.rules.overrule import one_line, signature, told_hand
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason
from pbem.rules.seat import Seat
from tests.rules.table import A, B, after, cards, drawn, refusal

TABLE = "A SIA 8, IDA 2; B CHN 1; C rest 2"


class TestATerritory:
    def test_it_gets_its_owner_and_armies_and_nothing_can_be_taken_back(self) -> None:
        state = drawn(TABLE, placed={Code("SIA"): 3})
        given = after(state, SetTerritory(Code("IDA"), B, 5))
        assert given.events == (TerritorySet(Code("IDA"), B, 5),)
        assert (given.state.owner[Code("IDA")], given.state.armies[Code("IDA")]) == (B, 5)
        assert given.state.placed == {}

    @pytest.mark.parametrize(
        ("code", "owner", "armies", "reason", "facts"),
        [
            ("IDA", "F", 1, Reason.OVERRULE, {"territory": "IDA", "owner": "F"}),
            ("XXX", "A", 1, Reason.OVERRULE, {"territory": "XXX", "owner": "A"}),
            (
                "IDA",
                "A",
                0,
                Reason.TOO_FEW_ARMIES,
                {"territory": "IDA", "armies": 0, "least": 1},
            ),
            ("CHN", "A", 1, Reason.LAST_TERRITORY, {"territory": "CHN", "owner": "B"}),
        ],
    )
    def test_not_every_one(
        self, code: str, owner: str, armies: int, reason: Reason, facts: dict[str, object]
    ) -> None:
        refused = refusal(drawn(TABLE), SetTerritory(Code(code), Seat(owner), armies))
        assert (refused.reason, refused.facts) == (reason, facts)

    def test_the_last_one_may_have_other_armies(self) -> None:
        state = after(drawn(TABLE), SetTerritory(Code("CHN"), B, 1)).state
        assert state.held(B) == (Code("CHN"),)


class TestAHand:
    def test_cards_come_from_the_discards_first_and_the_old_ones_go_there(self) -> None:
        state = drawn(
            TABLE, hands={B: "ALA WILD WILD"}, deck="BRA WILD CNG", discards="PRU WILD ARG"
        )
        hand = cards("WILD BRA PRU")
        given = after(state, SetHand(B, hand))
        assert given.state.hands[B] == hand
        assert given.state.deck == cards("WILD CNG")
        assert given.state.discards == cards("WILD ARG ALA WILD")
        assert given.events == (HandSet(B, hand, dropped=2, drawn=1),)

    def test_a_card_can_be_held_as_often_as_it_lies_there(self) -> None:
        state = drawn(TABLE, hands={B: "WILD"}, deck="WILD ALA")
        given = after(state, SetHand(B, cards("WILD WILD")))
        assert (given.state.deck, given.state.discards) == (cards("ALA"), ())
        refused = refusal(state, SetHand(B, cards("ALA WILD WILD WILD")))
        assert (refused.reason, refused.facts) == (Reason.CARD_ELSEWHERE, {"card": "WILD"})

    def test_a_seat_that_does_not_stand_has_none(self) -> None:
        refused = refusal(drawn(TABLE), SetHand(Seat("F"), ()))
        assert refused.reason is Reason.OVERRULE
        assert refused.facts == {"territory": "", "owner": "F"}

    @pytest.mark.parametrize(
        ("hand", "phase"),
        [("ALA NWT", Phase.PLACE), ("WILD NWT ALB", Phase.TRADE), ("", Phase.PLACE)],
    )
    def test_before_anything_is_placed_it_says_whether_there_is_a_trade(
        self, hand: str, phase: Phase
    ) -> None:
        state = drawn(TABLE, phase=Phase.PLACE, to_place=3, deck="ALA NWT ALB WILD")
        assert after(state, SetHand(A, cards(hand))).state.phase is phase

    def test_after_the_first_placement_the_phase_stays(self) -> None:
        state = drawn(
            TABLE, phase=Phase.PLACE, to_place=3, deck="ALA NWT WILD", placed={Code("SIA"): 1}
        )
        assert after(state, SetHand(A, cards("ALA NWT WILD"))).state.phase is Phase.PLACE

    def test_where_the_pile_is_not_known_so_many_cards_move(self) -> None:
        state = drawn(TABLE, hands={B: "ALA WILD"}, deck="BRA CNG", discards="PRU ARG")
        moved = told_hand(state, B, None, count=3, dropped=1, drawn=1)
        assert moved.state.hands[B] == cards("WILD BRA PRU")
        assert moved.state.deck == cards("CNG")
        assert moved.state.discards == cards("ARG ALA")
        assert moved.events == (HandSet(B, cards("WILD BRA PRU"), 1, 1),)
        shown = told_hand(state, B, cards("SIA IDA"), count=2, dropped=0, drawn=0)
        assert shown.state.hands[B] == cards("SIA IDA")

    @pytest.mark.parametrize(
        ("count", "dropped", "drawn_cards"), [(3, 3, 1), (1, 0, 0), (5, 0, 3), (5, 0, 0)]
    )
    def test_numbers_that_do_not_fit_are_an_error(
        self, count: int, dropped: int, drawn_cards: int
    ) -> None:
        state = drawn(TABLE, hands={B: "ALA WILD"}, deck="BRA CNG", discards="PRU ARG")
        says = f"a hand of 2 cards cannot become one of {count} like this"
        with pytest.raises(ValueError, match=says):
            told_hand(state, B, None, count=count, dropped=dropped, drawn=drawn_cards)


class TestARule:
    def test_it_waits_for_the_next_turn(self) -> None:
        given = after(drawn(TABLE), SetRule("fortify", "chain"))
        assert given.events == (RuleSet("fortify", "chain"),)
        assert given.state.coming == {"fortify": "chain"}
        assert given.state.ruleset.fortify == "adjacent"
        assert after(given.state, SetRule("fortify", "adjacent")).state.coming == {}

    @pytest.mark.parametrize(
        ("option", "value"), [("goal", "missions"), ("fortify", "fly"), ("setup", "deal")]
    )
    def test_not_every_one(self, option: str, value: str) -> None:
        refused = refusal(drawn(TABLE), SetRule(option, value))
        assert refused.reason is Reason.OVERRULE
        assert refused.facts == {"territory": "", "owner": ""}


class TestDice:
    def test_link_and_roll_go_forward(self) -> None:
        given = after(drawn(TABLE, link=4, next_roll=9), RenewDice(5, 9))
        assert given.events == (DiceRenewed(5, 9),)
        assert (given.state.link, given.state.next_roll) == (5, 9)

    @pytest.mark.parametrize(("link", "roll"), [(4, 10), (3, 10), (5, 8)])
    def test_and_never_back(self, link: int, roll: int) -> None:
        refused = refusal(drawn(TABLE, link=4, next_roll=9), RenewDice(link, roll))
        assert refused.reason is Reason.USED_LINK
        assert refused.facts == {"link": link, "roll": roll}


@pytest.mark.parametrize(
    ("who", "signed"),
    [
        ("ann@example.org", "ann"),
        ("ann.of-the_isle@example.org", "ann.of-the_isle"),
        ("ann+risk@example.org", "ann-risk"),
        ("Ann Other", "Ann-Other"),
        ("+@example.org", "gm"),
        ("", "gm"),
    ],
)
def test_who_acted_is_one_word(who: str, signed: str) -> None:
    assert signature(who) == signed


def test_a_reason_is_one_line_without_braces_cut_at_its_end() -> None:
    assert one_line("  wrong\n {dice} ") == "wrong (dice)"
    assert one_line("x" * 400) == "x" * 300
    assert one_line("x" * 299 + " y") == "x" * 299
