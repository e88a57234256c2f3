"""The end of a turn: the card and the one move (rules 6 and 10)."""

import pytest

from pbem.rules.action import Attack, EndTurn, Fortify
from pbem.rules.adjudicate import play
from pbem.rules.board import Code
from pbem.rules.dice import LoadedDice
from pbem.rules.event import CardDrawn, Fortified, Reshuffled, TurnEnded
from pbem.rules.fair import FairDice
from pbem.rules.fortify import reachable
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason, Refusal
from tests.rules.table import A, B, after, cards, drawn, kinds, reason, refusal

SIA, IDA, CHN, MGL, JPN = map(Code, ("SIA", "IDA", "CHN", "MGL", "JPN"))
ROW = "A SIA 5, CHN 1, MGL 3, PRU 4; B rest 1"


class TestMove:
    def test_armies_move_to_a_neighbour_and_the_turn_closes(self) -> None:
        state, events = after(drawn(ROW), Fortify(SIA, CHN, 4))
        assert (state.armies[SIA], state.armies[CHN], state.on_turn) == (1, 5, B)
        assert events[:2] == (Fortified(A, SIA, CHN, 4), TurnEnded(1, A))

    def test_it_goes_onto_a_territory_of_any_size(self) -> None:
        assert after(drawn(ROW), Fortify(SIA, CHN, 1)).state.armies[CHN] == 2
        assert after(drawn(ROW), Fortify(MGL, CHN, 2)).state.armies[CHN] == 3

    @pytest.mark.parametrize("phase", [Phase.ATTACK, Phase.FORTIFY])
    def test_it_needs_no_attack_before(self, phase: Phase) -> None:
        assert after(drawn(ROW, phase=phase), Fortify(SIA, CHN, 1)).state.on_turn == B

    @pytest.mark.parametrize(
        ("fortify", "why"),
        [
            (Fortify(SIA, CHN, 5), Reason.TOO_MANY),
            (Fortify(SIA, CHN, 0), Reason.TOO_FEW_ARMIES),
            (Fortify(CHN, SIA, 1), Reason.TOO_FEW_ARMIES),
            (Fortify(SIA, MGL, 1), Reason.NOT_JOINED),
            (Fortify(SIA, SIA, 1), Reason.NOT_JOINED),
            (Fortify(SIA, IDA, 1), Reason.NOT_YOURS),
            (Fortify(IDA, SIA, 1), Reason.NOT_YOURS),
        ],
    )
    def test_refused(self, fortify: Fortify, why: Reason) -> None:
        assert reason(drawn(ROW), fortify) is why

    def test_a_refusal_names_what_can_be_reached(self) -> None:
        assert refusal(drawn(ROW), Fortify(SIA, MGL, 1)).facts["reachable"] == (CHN,)

    def test_a_refusal_says_how_many_could_move(self) -> None:
        for armies, why in ((0, Reason.TOO_FEW_ARMIES), (5, Reason.TOO_MANY)):
            refused = refusal(drawn(ROW), Fortify(SIA, CHN, armies))
            assert refused.reason is why
            assert refused.facts == {"territory": SIA, "armies": armies, "least": 1, "most": 4}

    def test_a_chain_may_be_followed(self) -> None:
        start = drawn(ROW, options={"fortify": "chain"})
        assert reachable(start, SIA) == (CHN, MGL)
        state = after(start, Fortify(SIA, MGL, 4)).state
        assert (state.armies[SIA], state.armies[CHN], state.armies[MGL]) == (1, 1, 7)

    def test_a_chain_ends_at_others(self) -> None:
        start = drawn(ROW, options={"fortify": "chain"})
        assert reason(start, Fortify(SIA, Code("PRU"), 1)) is Reason.NOT_JOINED

    def test_a_ruleset_may_have_none(self) -> None:
        start = drawn(ROW, options={"fortify": "none"})
        assert reachable(start, SIA) == ()
        assert reason(start, Fortify(SIA, CHN, 1)) is Reason.NO_FORTIFY

    def test_only_one(self) -> None:
        state = after(drawn(ROW), Fortify(SIA, CHN, 1)).state
        assert reason(state, Fortify(SIA, CHN, 1)) is Reason.ARMIES_LEFT


class TestCard:
    def test_a_capture_earns_the_top_card(self) -> None:
        state, events = after(drawn(ROW, captured=True, deck="EGY WILD"), EndTurn())
        assert (state.hands[A], state.deck) == (cards("EGY"), cards("WILD"))
        assert events[0] == CardDrawn(A, cards("EGY")[0])

    def test_it_is_drawn_before_fortifying(self) -> None:
        start = drawn(ROW, captured=True, deck="EGY")
        events = after(start, Fortify(SIA, CHN, 1)).events
        assert kinds(events) == ["card-drawn", "fortified", "turn-ended", "turn-started"]

    def test_without_a_capture_there_is_none(self) -> None:
        state, events = after(drawn(ROW, deck="EGY"), EndTurn())
        assert (state.hands[A], kinds(events)) == ((), ["turn-ended", "turn-started"])

    def test_two_captures_earn_one_card(self) -> None:
        start = drawn("A SIA 4, UKR 4; B rest 1", deck="EGY PRU")
        attacks = (Attack(SIA, IDA, 3), Attack(Code("UKR"), Code("URL"), 3))
        state = after(start, *attacks, EndTurn(), dice="666 1 666 1").state
        assert state.hands[A] == cards("EGY")

    def test_a_capture_from_the_neutral_army_counts(self) -> None:
        start = drawn("A SIA 4; N IDA 1; B rest 1", deck="EGY")
        assert after(start, Attack(SIA, IDA, 3), EndTurn(), dice="666 1").state.hands[A]

    def test_an_empty_pile_is_made_of_the_discards(self) -> None:
        class Backwards(LoadedDice):
            def order(self, label: str, count: int) -> tuple[int, ...]:
                assert label == "reshuffle-3"
                return tuple(reversed(range(count)))

        start = drawn(ROW, captured=True, discards="ALA ARG PRU", reshuffles=2)
        played = play(start, EndTurn(), Backwards([]))
        assert not isinstance(played, Refusal)
        state, events = played
        assert events[:2] == (Reshuffled(3), CardDrawn(A, cards("PRU")[0]))
        assert (state.deck, state.discards, state.reshuffles) == (cards("ARG ALA"), (), 3)

    def test_the_first_shuffle_of_the_discards_is_number_1(self) -> None:
        start = drawn(ROW, captured=True, discards="ALA ARG PRU")
        chance = FairDice("g7", 2, bytes(32), "-", bytes(32))
        played = play(start, EndTurn(), chance)
        assert not isinstance(played, Refusal)
        first = start.discards[chance.order("reshuffle-1", 3)[0]]
        assert (played.state.hands[A], played.state.reshuffles) == ((first,), 1)

    def test_without_any_card_there_is_none(self) -> None:
        state, events = after(drawn(ROW, captured=True), EndTurn())
        assert (state.hands[A], kinds(events)) == ((), ["turn-ended", "turn-started"])
