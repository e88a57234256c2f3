"""Trading: free, forced, and in the middle of a turn (rules 7 to 9)."""

import pytest

from pbem.rules.action import Action, Attack, EndTurn, Fortify, Occupy, Place, Trade
from pbem.rules.board import Code
from pbem.rules.card import WILD
from pbem.rules.event import Traded
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason
from pbem.rules.state import State
from pbem.rules.trade import automatic_set, bonus_choices, must_trade, set_worth
from tests.rules.table import A, B, after, cards, drawn, kinds, reason, refusal

SIA, IDA, CHN, EGY, MEA = map(Code, ("SIA", "IDA", "CHN", "EGY", "MEA"))

# Infantry: ALA ARG PRU VEN ICE CNG EGY SIA   cavalry: ALB GRL ONT QUE   artillery: CAM EUS NWT
FIVE_LIKE = "ALA ARG PRU VEN ICE"
SIX_LIKE = f"{FIVE_LIKE} CNG"


def holding(hand: str, **fields: object) -> State:
    """A at the start of a turn with that hand and 3 armies to place."""
    defaults: dict[str, object] = {"phase": Phase.TRADE, "to_place": 3}
    return drawn("A SIA 3, CHN 1; B rest 1", hands={A: hand}, **{**defaults, **fields})  # type: ignore[arg-type]


class TestOneSet:
    def test_the_cards_become_armies_and_discards(self) -> None:
        state, events = after(holding("ALA ALB ARG PRU", discards="WILD"), Trade((0, 2, 3)))
        assert state.hands[A] == cards("ALB")
        assert state.discards == cards("WILD ALA ARG PRU")
        assert (state.to_place, state.sets_traded) == (7, 1)
        assert events == (Traded(A, cards("ALA ARG PRU"), 4, None),)

    def test_the_value_counts_the_sets_of_everybody(self) -> None:
        state = holding("ALA ARG PRU", sets_traded=6)
        assert set_worth(state, state.hand) == 20
        assert after(state, Trade((0, 1, 2))).state.to_place == 23

    def test_the_places_may_come_in_any_order(self) -> None:
        state = after(holding("ALA ALB CAM ARG"), Trade((2, 0, 1))).state
        assert state.hands[A] == cards("ARG")

    def test_two_wilds_and_any_card_are_a_set(self) -> None:
        assert after(holding("WILD ALA WILD"), Trade((0, 1, 2))).state.to_place == 7

    @pytest.mark.parametrize("places", [(0, 1, 3), (0, 0, 1), (-1, 0, 1)])
    def test_three_different_cards_of_the_hand(self, places: tuple[int, int, int]) -> None:
        assert reason(holding("ALA ARG PRU"), Trade(places)) is Reason.NO_SUCH_CARD

    def test_what_is_no_set_is_named_by_its_symbols(self) -> None:
        refused = refusal(holding("ALA ARG ALB PRU"), Trade((0, 1, 2)))
        assert refused.reason is Reason.NO_SET
        assert refused.facts == {"symbols": ("infantry", "infantry", "cavalry")}

    @pytest.mark.parametrize("phase", [Phase.PLACE, Phase.ATTACK, Phase.FORTIFY])
    def test_trading_is_for_the_start_of_the_turn(self, phase: Phase) -> None:
        assert reason(holding("ALA ARG PRU", phase=phase), Trade((0, 1, 2))) is Reason.NOT_NOW

    def test_the_first_placing_ends_the_trading(self) -> None:
        state = after(holding("ALA ARG PRU"), Place(SIA, 1)).state
        assert state.phase is Phase.PLACE
        assert reason(state, Trade((0, 1, 2))) is Reason.NOT_NOW


class TestTerritoryBonus:
    def test_two_armies_go_on_the_very_territory(self) -> None:
        state, events = after(holding("SIA ALA ARG"), Trade((0, 1, 2), bonus=SIA))
        assert (state.armies[SIA], state.to_place, state.bonus_taken) == (5, 7, True)
        assert events == (Traded(A, cards("SIA ALA ARG"), 4, SIA),)

    def test_of_several_the_player_picks(self) -> None:
        state = holding("SIA CHN ARG")
        assert bonus_choices(state, state.hand) == (SIA, CHN)
        assert after(state, Trade((0, 1, 2), bonus=CHN)).state.armies == {
            **state.armies,
            CHN: state.armies[CHN] + 2,
        }

    def test_no_bonus_does_not_fail_the_trade(self) -> None:
        state = holding("ALA ARG PRU")
        assert bonus_choices(state, state.hand) == ()
        assert after(state, Trade((0, 1, 2))).state.armies == state.armies

    @pytest.mark.parametrize("bonus", ["ALA", "CHN", "EGY"])
    def test_only_an_own_territory_on_a_traded_card_counts(self, bonus: str) -> None:
        refused = refusal(holding("SIA ALA ARG CHN"), Trade((0, 1, 2), Code(bonus)))
        assert refused.reason is Reason.BONUS
        assert refused.facts == {"territory": bonus, "choices": (SIA,), "taken": 0}

    def test_once_a_turn(self) -> None:
        state = after(holding("SIA ALA ARG CHN PRU VEN"), Trade((0, 1, 2), SIA)).state
        assert reason(state, Trade((0, 1, 2), CHN)) is Reason.BONUS
        assert after(state, Trade((0, 1, 2))).state.armies[CHN] == 1

    def test_or_once_a_set(self) -> None:
        state = holding("SIA ALA ARG CHN PRU VEN", options={"territory_bonus": "per-set"})
        both = after(state, Trade((0, 1, 2), SIA), Trade((0, 1, 2), CHN)).state
        assert (both.armies[SIA], both.armies[CHN]) == (5, 3)

    def test_or_never(self) -> None:
        state = holding("SIA ALA ARG", options={"territory_bonus": "none"})
        assert reason(state, Trade((0, 1, 2), SIA)) is Reason.BONUS


class TestForcedTrade:
    @pytest.mark.parametrize("action", [Place(SIA, 1), Attack(SIA, IDA, 1), EndTurn()])
    def test_five_cards_must_be_traded_before_anything_else(self, action: Action) -> None:
        state = holding(FIVE_LIKE)
        assert must_trade(state, state.hand)
        assert refusal(state, action).reason is Reason.MUST_TRADE
        assert refusal(state, action).facts == {"cards": 5}

    def test_four_cards_may_be_kept(self) -> None:
        state = holding("ALA ARG PRU VEN")
        assert not must_trade(state, state.hand)
        assert after(state, Place(SIA, 3)).state.phase is Phase.ATTACK

    def test_of_six_cards_one_set_is_forced_and_the_next_is_free(self) -> None:
        state = after(holding(SIX_LIKE), Trade((0, 1, 2))).state
        assert (state.phase, state.to_place) == (Phase.TRADE, 7)
        assert not must_trade(state, state.hand)
        assert after(state, Trade((0, 1, 2))).state.to_place == 13
        assert after(state, Place(SIA, 7)).state.phase is Phase.ATTACK

    def test_five_left_after_a_forced_trade_force_again(self) -> None:
        state = after(holding(f"{SIX_LIKE} EGY SIA"), Trade((0, 1, 2))).state
        assert len(state.hand) == 5
        assert reason(state, Place(SIA, 1)) is Reason.MUST_TRADE

    def test_after_the_last_set_armies_are_placed(self) -> None:
        assert after(holding(FIVE_LIKE), Trade((0, 1, 2))).state.phase is Phase.PLACE

    def test_a_ruleset_may_force_nothing(self) -> None:
        state = holding(SIX_LIKE, options={"forced_trade_at": "none"})
        assert after(state, Place(SIA, 1)).state.phase is Phase.PLACE

    @pytest.mark.parametrize(
        ("hand", "phase"),
        [
            ("", Phase.PLACE),
            ("ALA ARG ALB GRL", Phase.PLACE),
            ("ALA ALB CAM", Phase.TRADE),
            (FIVE_LIKE, Phase.TRADE),
        ],
    )
    def test_a_turn_starts_with_trading_if_there_is_a_set(self, hand: str, phase: Phase) -> None:
        before = drawn("A SIA 3; B rest 1", on_turn=B, hands={A: hand})
        assert after(before, EndTurn()).state.phase is phase

    def test_the_card_drawn_at_the_end_forces_nothing(self) -> None:
        before = drawn("A SIA 3; B rest 1", hands={A: FIVE_LIKE}, captured=True, deck="CNG")
        state, events = after(before, EndTurn())
        assert kinds(events) == ["card-drawn", "turn-ended", "turn-started"]
        assert (len(state.hands[A]), state.on_turn) == (6, B)


def eliminating(own: str, taken: str, **options: str) -> State:
    """A takes B's last territory with two dice of three armies, so one more can be moved in."""
    return drawn("A SIA 4, CHN 1; B IDA 1; C rest 1", hands={A: own, B: taken}, options=options)


CAPTURE = Attack(SIA, IDA, 2)


class TestEliminationTrade:
    def test_the_hand_passes_with_the_last_territory(self) -> None:
        state, events = after(eliminating("ALA", "ARG PRU"), CAPTURE, dice="661")
        assert (state.hands, state.eliminated) == (
            {A: cards("ALA ARG PRU"), B: (), "C": ()},
            (B,),
        )
        assert kinds(events) == ["rolled", "captured", "eliminated"]

    @pytest.mark.parametrize(
        ("own", "taken"), [("ALA ARG", "PRU VEN ICE"), ("", FIVE_LIKE), ("ALA ARG PRU", "VEN")]
    )
    def test_five_or_fewer_wait_for_the_next_turn(self, own: str, taken: str) -> None:
        state = after(eliminating(own, taken), CAPTURE, Occupy(2), dice="661").state
        assert (state.phase, state.mid_turn) == (Phase.ATTACK, False)
        assert reason(state, Trade((0, 1, 2))) is Reason.NOT_NOW

    def test_six_exactly_force_a_trade_at_once(self) -> None:
        state = after(eliminating("ALA ARG PRU", "VEN ICE CNG"), CAPTURE, dice="661").state
        assert reason(state, Trade((0, 1, 2))) is Reason.MUST_OCCUPY
        state = after(state, Occupy(3)).state
        assert (state.phase, state.mid_turn) == (Phase.TRADE, True)
        for action in (Attack(IDA, CHN, 1), Place(SIA, 1), EndTurn(), Fortify(IDA, SIA, 1)):
            assert reason(state, action) is Reason.MUST_TRADE

    @pytest.mark.parametrize(("taken", "left"), [("ALB GRL ONT", [3]), ("ALB GRL ONT QUE", [4])])
    def test_it_stops_at_four_or_fewer_even_with_a_set_in_hand(
        self, taken: str, left: list[int]
    ) -> None:
        state = after(eliminating("ALA ARG PRU", taken), CAPTURE, Occupy(2), dice="661").state
        state = after(state, Trade((0, 1, 2))).state
        assert [len(state.hand)] == left
        assert state.phase is Phase.PLACE
        assert reason(state, Trade((0, 1, 2))) is Reason.NOT_NOW

    def test_nine_cards_become_six_and_three(self) -> None:
        start = eliminating("ALA ARG PRU VEN", "ALB GRL ONT QUE SCA")
        state = after(start, CAPTURE, Occupy(2), dice="661").state
        state = after(state, Trade((0, 1, 2))).state
        assert (len(state.hand), state.phase) == (6, Phase.TRADE)
        assert reason(state, Place(SIA, 1)) is Reason.MUST_TRADE
        state = after(state, Trade((1, 2, 3))).state
        assert (len(state.hand), state.phase, state.to_place) == (3, Phase.PLACE, 10)

    def test_eight_cards_become_five_and_two(self) -> None:
        start = eliminating("ALA ARG PRU VEN", "ALB GRL ONT QUE")
        state = after(start, CAPTURE, Occupy(2), dice="661").state
        state = after(state, Trade((0, 1, 2))).state
        assert (len(state.hand), must_trade(state, state.hand)) == (5, True)
        assert after(state, Trade((1, 2, 3))).state.phase is Phase.PLACE

    def test_the_armies_are_placed_and_the_turn_goes_on(self) -> None:
        start = eliminating("ALA ARG PRU", "VEN ICE CNG")
        state = after(start, CAPTURE, Occupy(3), Trade((0, 1, 2)), dice="661").state
        assert reason(state, Attack(IDA, Code("MEA"), 1)) is Reason.ARMIES_LEFT
        state = after(state, Place(IDA, 4)).state
        assert (state.phase, state.mid_turn, state.to_place) == (Phase.ATTACK, False, 0)
        assert after(state, Attack(IDA, Code("MEA"), 3), dice="666 1").state.armies[IDA] == 4

    def test_the_bonus_stays_once_a_turn(self) -> None:
        start = eliminating("SIA CHN ARG PRU", "VEN ICE CNG EGY ALA")
        state = after(start, CAPTURE, Occupy(2), Trade((0, 2, 3), SIA), dice="661").state
        assert state.armies[SIA] == 4
        assert reason(state, Trade((0, 1, 2), CHN)) is Reason.BONUS

    def test_without_a_set_nothing_is_forced(self) -> None:
        hands = {"own": "ALA ARG ALB", "taken": "GRL", "elimination_trade": "optional"}
        state = after(eliminating(**hands), CAPTURE, Occupy(2), dice="661").state
        assert (state.phase, state.mid_turn) == (Phase.ATTACK, False)


class TestOptionalEliminationTrade:
    def start(self, own: str = "ALA ARG", taken: str = "PRU") -> State:
        start = eliminating(own, taken, elimination_trade="optional")
        return after(start, CAPTURE, Occupy(2), dice="661").state

    def test_any_set_may_be_traded_at_once(self) -> None:
        state = self.start()
        assert (state.phase, state.mid_turn) == (Phase.TRADE, True)
        assert after(state, Trade((0, 1, 2))).state.to_place == 4

    @pytest.mark.parametrize("own", ["ALA ARG", SIX_LIKE])
    def test_attacking_declines_it(self, own: str) -> None:
        state = after(self.start(own), Attack(IDA, MEA, 1), dice="16").state
        assert (state.phase, state.mid_turn) == (Phase.ATTACK, False)
        assert reason(state, Trade((0, 1, 2))) is Reason.NOT_NOW

    def test_ending_declines_it(self) -> None:
        assert after(self.start(), EndTurn()).state.on_turn == "C"

    def test_a_further_set_is_free_too(self) -> None:
        state = after(self.start("ALA ARG PRU", "VEN ICE CNG EGY"), Trade((0, 1, 2))).state
        assert state.phase is Phase.TRADE
        assert after(state, Trade((0, 1, 2))).state.to_place == 10
        assert after(state, Place(SIA, 4)).state.phase is Phase.ATTACK


class TestAutomaticSet:
    def chosen(self, hand: str, **fields: object) -> Trade | None:
        state = holding(hand, **fields)
        return automatic_set(state, state.hand)

    def test_none_without_a_set(self) -> None:
        assert self.chosen("ALA ARG ALB") is None

    def test_fewest_wilds_first(self) -> None:
        assert self.chosen(f"{WILD} ALA ARG {WILD} PRU") == Trade((1, 2, 4))

    def test_then_the_bonus_on_a_threatened_territory(self) -> None:
        assert self.chosen("ALA ARG PRU SIA") == Trade((0, 1, 3), SIA)

    def test_a_bonus_behind_the_front_does_not_count_for_the_choice(self) -> None:
        state = drawn(
            *("A SIA 3, IDO 1, NGU 1, EAU 1, WAU 1; B rest 1",),
            phase=Phase.TRADE,
            hands={A: "ALA ARG NGU SIA"},
        )
        assert automatic_set(state, state.hand) == Trade((0, 1, 3), SIA)

    def test_then_the_lowest_places(self) -> None:
        assert self.chosen("ALA ARG PRU VEN") == Trade((0, 1, 2))

    def test_the_bonus_goes_where_the_largest_enemy_stands_next_to(self) -> None:
        state = drawn(
            "A SIA 3, EGY 1; B MEA 6, rest 1",
            phase=Phase.TRADE,
            hands={A: "SIA EGY ALA"},
        )
        assert automatic_set(state, state.hand) == Trade((0, 1, 2), EGY)

    def test_no_second_bonus_in_a_turn(self) -> None:
        assert self.chosen("ALA ARG SIA", bonus_taken=True) == Trade((0, 1, 2), None)
