"""From the invitation to turn 1 (rules 1 and 2, and the setup by mail)."""

from collections import Counter

import pytest

from pbem.rules.action import Attack, Claim, Fill
from pbem.rules.board import Code, ContinentId
from pbem.rules.card import full_deck
from pbem.rules.event import Claimed, Dealt, Filled, OrderRolled, TurnStarted
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason
from pbem.rules.ruleset import RulesetError, ruleset
from pbem.rules.seat import LETTERS, NEUTRAL, Seat
from pbem.rules.setup import ANY, NEAREST, Wishes, draft, new_game, open_setup
from pbem.rules.state import Played, State
from tests.rules.atlas import middle_sea
from tests.rules.player import SeededChance
from tests.rules.table import (
    WORLD,
    A,
    B,
    C,
    D,
    Rolls,
    after,
    drawn,
    kinds,
    reason,
)

CLASSIC = ruleset("classic-1993")
DEAL = ruleset("classic-1993", {"setup": "deal"})
ASIA, AUSTRALIA = ContinentId("asia"), ContinentId("australia")


def opened(faces: str, seats: int = 3, **options: str) -> Played:
    """The setup of a new game after that die roll."""
    return open_setup(new_game(ruleset("classic-1993", options), seats), Rolls(faces))


def total(state: State, seat: Seat) -> int:
    """Board and reserve of a seat."""
    return sum(state.armies[code] for code in state.held(seat)) + state.reserve[seat]


class TestTable:
    @pytest.mark.parametrize(("seats", "armies"), [(3, 35), (4, 30), (5, 25), (6, 20)])
    def test_armies_by_the_number_of_players(self, seats: int, armies: int) -> None:
        state = new_game(CLASSIC, seats)
        assert state.seats == LETTERS[:seats]
        assert set(state.reserve.values()) == {armies}
        assert (state.phase, state.on_turn, len(state.deck)) == (Phase.INVITED, None, 44)

    @pytest.mark.parametrize("seats", [0, 1, 7])
    def test_a_ruleset_is_for_so_many_players(self, seats: int) -> None:
        with pytest.raises(RulesetError, match="classic-1993 is for 2 to 6 players"):
            new_game(CLASSIC, seats)

    def test_missions_are_for_the_board_of_the_table(self) -> None:
        rules = ruleset("missions-2015")
        assert new_game(rules, 3, (middle_sea().id, None)).phase is Phase.INVITED
        with pytest.raises(RulesetError, match="the board Middle Sea has no missions of its own"):
            new_game(rules, 3, (middle_sea(cards=False).id, None))

    @pytest.mark.parametrize("action", [Claim(Code("SIA")), Fill(Code("SIA"))])
    def test_nothing_is_played_before_the_setup_opens(self, action: Claim | Fill) -> None:
        assert reason(new_game(CLASSIC, 3), action) is Reason.WRONG_PHASE


class TestOrderRoll:
    def test_the_highest_die_begins(self) -> None:
        state, events = opened("263")
        assert events == (OrderRolled((((A, 2), (B, 6), (C, 3)),), B),)
        assert (state.first, state.on_turn, state.phase) == (B, B, Phase.CLAIM)
        assert (state.next_roll, state.link, state.turn) == (2, 1, 0)

    def test_ties_for_the_highest_roll_again_each_under_a_number(self) -> None:
        state, events = opened("6363 44 15", seats=4)
        rounds = (((A, 6), (B, 3), (C, 6), (D, 3)), ((A, 4), (C, 4)), ((A, 1), (C, 5)))
        assert events == (OrderRolled(rounds, C),)
        assert (state.first, state.next_roll) == (C, 4)

    def test_the_deck_is_shuffled_whole(self) -> None:
        state = open_setup(new_game(CLASSIC, 3), SeededChance(1)).state
        assert state.deck != full_deck(WORLD)
        assert Counter(state.deck) == Counter(full_deck(WORLD))


class TestClaim:
    def test_a_free_territory_takes_one_army_and_the_next_seat_claims(self) -> None:
        state, events = after(opened("622").state, Claim(Code("SIA")))
        assert (state.owner, state.armies) == ({"SIA": A}, {"SIA": 1})
        assert (state.reserve[A], state.on_turn) == (34, B)
        assert events == (Claimed(A, Code("SIA")),)

    def test_a_claimed_territory_is_not_free(self) -> None:
        state = after(opened("622").state, Claim(Code("SIA"))).state
        assert reason(state, Claim(Code("SIA"))) is Reason.NOT_FREE

    def test_filling_waits_until_all_are_claimed(self) -> None:
        state = after(opened("622").state, *(Claim(code) for code in WORLD.codes[:3])).state
        assert reason(state, Fill(WORLD.codes[0])) is Reason.WRONG_PHASE

    @pytest.mark.parametrize(
        ("seats", "territories", "filling"),
        [(3, [14, 14, 14], A), (4, [11, 11, 10, 10], C), (5, [9, 9, 8, 8, 8], C)],
    )
    def test_the_first_seats_get_one_more_and_have_one_less_to_fill_with(
        self, seats: int, territories: list[int], filling: Seat
    ) -> None:
        start = opened("6" + "1" * (seats - 1), seats).state
        state = after(start, *(Claim(code) for code in WORLD.codes)).state
        armies = new_game(CLASSIC, seats).reserve[A]
        assert [len(state.held(seat)) for seat in state.seats] == territories
        assert [total(state, seat) for seat in state.seats] == [armies] * seats
        assert (state.phase, state.on_turn) == (Phase.FILL, filling)


class TestFill:
    def test_one_army_goes_on_an_own_territory(self) -> None:
        start = drawn("A SIA 1; B IDA 1; C rest 1", phase=Phase.FILL, reserve={A: 2, B: 2, C: 2})
        state, events = after(start, Fill(Code("SIA")))
        assert (state.armies[Code("SIA")], state.reserve[A], state.on_turn) == (2, 1, B)
        assert events == (Filled(A, Code("SIA")),)

    def test_not_on_another_seats(self) -> None:
        start = drawn("A SIA 1; B rest 1", phase=Phase.FILL, reserve={A: 2, B: 2})
        assert reason(start, Fill(Code("IDA"))) is Reason.NOT_YOURS

    def test_who_has_none_left_is_passed_over(self) -> None:
        start = drawn("A SIA 1; B IDA 1; C rest 1", phase=Phase.FILL, reserve={A: 2, B: 0, C: 1})
        assert after(start, Fill(Code("SIA"))).state.on_turn == C

    def test_the_last_army_starts_turn_1_of_who_claimed_first(self) -> None:
        start = drawn(
            *("A SIA 1; B IDA 1; C rest 1",),
            phase=Phase.FILL,
            reserve={A: 0, B: 1, C: 0},
            first=C,
            on_turn=B,
            turn=0,
            link=1,
        )
        state, events = after(start, Fill(Code("IDA")))
        assert (state.turn, state.link, state.on_turn, state.phase) == (1, 2, C, Phase.PLACE)
        assert kinds(events) == ["filled", "turn-started"]

    def test_or_a_fresh_roll_says_whose_it_is(self) -> None:
        start = drawn(
            *("A SIA 1; B IDA 1; C rest 1",),
            phase=Phase.FILL,
            reserve={A: 1, B: 0, C: 0},
            link=1,
            next_roll=2,
            options={"first_turn": "fresh-roll"},
        )
        state, events = after(start, Fill(Code("SIA")), dice="353 ")
        assert events[1] == OrderRolled((((A, 3), (B, 5), (C, 3)),), B)
        assert (state.on_turn, state.first, state.next_roll) == (B, B, 3)


class TestDeal:
    @pytest.mark.parametrize(
        ("seats", "territories"),
        [(3, [14, 14, 14]), (4, [11, 11, 10, 10]), (5, [9, 9, 8, 8, 8]), (6, [7] * 6)],
    )
    def test_the_territory_cards_go_round(self, seats: int, territories: list[int]) -> None:
        state = opened("1" * (seats - 1) + "6", seats, setup="deal").state
        armies = new_game(DEAL, seats).reserve[A]
        assert [len(state.held(seat)) for seat in state.seats] == territories
        assert [total(state, seat) for seat in state.seats] == [armies] * seats
        assert set(state.armies.values()) == {1}

    def test_everybody_hears_what_was_dealt(self) -> None:
        state, events = opened("162", setup="deal")
        dealt = [event for event in events if isinstance(event, Dealt)]
        assert [(event.seat, event.territories) for event in dealt] == [
            (seat, state.held(seat)) for seat in (A, B, C)
        ]

    def test_the_winner_of_the_roll_fills_first_and_takes_turn_1(self) -> None:
        state = opened("162", setup="deal").state
        assert (state.phase, state.on_turn) == (Phase.FILL, B)
        started = draft(state, {}, Rolls("")).events[-1]
        assert isinstance(started, TurnStarted)
        assert (started.turn, started.seat) == (1, B)

    def test_the_wild_cards_come_back_for_the_game(self) -> None:
        state = open_setup(new_game(DEAL, 3), SeededChance(1)).state
        assert Counter(state.deck) == Counter(full_deck(WORLD))

    def test_the_deal_is_shuffled(self) -> None:
        one, other = (open_setup(new_game(DEAL, 3), SeededChance(seed)).state for seed in (1, 2))
        assert one.owner != other.owner


class TestTwoSeats:
    """Two seats and the neutral army (rules.md, "Two players with neutral")."""

    @staticmethod
    def opened(order: str) -> State:
        return opened("26", 2, two_player=order).state

    @pytest.mark.parametrize("order", ["neutral-interleaved", "neutral-sequential"])
    def test_three_piles_of_14_are_dealt_whatever_the_setup(self, order: str) -> None:
        state, events = opened("26", 2, two_player=order)
        assert [len(state.held(army)) for army in (A, B, NEUTRAL)] == [14, 14, 14]
        assert state.reserve == {A: 26, B: 26, NEUTRAL: 26}
        assert kinds(events) == ["order-rolled", "dealt", "dealt", "dealt"]

    @pytest.mark.parametrize(
        ("order", "armies"),
        [
            ("neutral-interleaved", "BBN AAN BBN"),
            ("neutral-sequential", "BAB ABA BAB"),
        ],
    )
    def test_in_which_order_the_armies_go_down(self, order: str, armies: str) -> None:
        _, events = draft(self.opened(order), {}, Rolls(""))
        put = [event.seat for event in events if isinstance(event, Filled)]
        assert "".join(put[:9]) == armies.replace(" ", "")
        assert Counter(put) == {A: 26, B: 26, NEUTRAL: 26}

    def test_the_neutral_armies_come_last_in_sequence(self) -> None:
        _, events = draft(self.opened("neutral-sequential"), {}, Rolls(""))
        put = [event.seat for event in events if isinstance(event, Filled)]
        assert set(put[52:]) == {NEUTRAL}

    def test_while_it_is_the_neutral_armys_turn_no_own_territory_is_filled(self) -> None:
        state = self.opened("neutral-interleaved")
        own, other = state.held(B)[0], state.held(NEUTRAL)[0]
        assert reason(state, Fill(other)) is Reason.NOT_YOURS
        due = after(state, Fill(own), Fill(own)).state
        assert reason(due, Fill(own)) is Reason.NOT_YOURS
        assert after(due, Fill(other)).state.on_turn == A

    @pytest.mark.parametrize("order", ["neutral-interleaved", "neutral-sequential"])
    def test_the_lists_of_both_say_where_neutral_armies_go(self, order: str) -> None:
        state = self.opened(order)
        first, second, *_ = state.held(NEUTRAL)
        wishes = {A: Wishes(neutral=((first, 5),)), B: Wishes(neutral=((second, 5),))}
        filled = draft(state, wishes, Rolls("")).state
        assert (filled.armies[first], filled.armies[second]) == (14, 14)

    def test_without_a_list_they_go_where_the_opponent_is_strong(self) -> None:
        start = drawn(
            *("A SIA 1; B IDA 9; N CHN 1, EAU 1",),
            phase=Phase.FILL,
            reserve={A: 0, B: 0, NEUTRAL: 1},
        )
        filled = draft(start, {A: Wishes(neutral=((Code("SIA"), 1),))}, Rolls("")).state
        assert filled.armies[Code("CHN")] == 2

    def test_the_game_is_won_without_the_neutral_army(self) -> None:
        state = drawn("A SIA 4; B IDA 1; N rest 3")
        won, events = after(state, Attack(Code("SIA"), Code("IDA"), 3), dice="654 1")
        assert (won.winner, kinds(events)[-1]) == (A, "won")

    def test_in_a_plain_game_of_two_nobody_else_is_on_the_board(self) -> None:
        state = opened("26", 2, two_player="plain").state
        assert (state.phase, state.reserve) == (Phase.CLAIM, {A: 40, B: 40})


class TestDraft:
    @pytest.mark.parametrize("seats", [3, 4, 5, 6])
    @pytest.mark.parametrize("setup", ["claim", "deal"])
    def test_without_lists_it_ends_in_turn_1_with_everybodys_armies(
        self, setup: str, seats: int
    ) -> None:
        state = opened("6" + "1" * (seats - 1), seats, setup=setup).state
        armies = new_game(CLASSIC, seats).reserve[A]
        state, events = draft(state, {}, Rolls(""))
        assert [total(state, seat) for seat in state.seats] == [armies] * seats
        assert (state.turn, state.on_turn, state.phase) == (1, A, Phase.PLACE)
        assert kinds(events).count("claimed") == (42 if setup == "claim" else 0)
        assert kinds(events)[-1] == "turn-started"

    def drafted(self, *claims: Wishes) -> State:
        wishes = dict(zip((A, B, C), claims, strict=False))
        return draft(opened("611").state, wishes, Rolls("")).state

    def test_wants_are_met_from_the_top(self) -> None:
        list_ = Wishes(claims=(Code("SIA"), Code("PRU"), Code("EGY")))
        assert {"SIA", "PRU", "EGY"} <= set(self.drafted(list_).held(A))

    def test_one_in_turn_so_that_who_comes_first_gets_what_both_want_first(self) -> None:
        both = Wishes(claims=(Code("SIA"), Code("PRU")))
        state = self.drafted(both, both)
        assert (state.owner[Code("SIA")], state.owner[Code("PRU")]) == (A, B)

    def test_a_continent_is_taken_as_long_as_it_has_free_territories(self) -> None:
        state = self.drafted(Wishes(claims=(AUSTRALIA, NEAREST)))
        assert len(set(WORLD.continents[AUSTRALIA].territories) & set(state.held(A))) == 4

    def claimed(self, wishes: Wishes) -> list[Code]:
        """What A claims, in order, while the others have no lists."""
        events = draft(opened("611").state, {A: wishes}, Rolls("")).events
        return [e.territory for e in events if isinstance(e, Claimed) and e.seat == A]

    def test_nearest_spreads_from_what_is_held(self) -> None:
        first, second, third, *_ = self.claimed(Wishes(claims=(Code("SIA"), NEAREST)))
        assert first == "SIA"
        assert WORLD.distances([first])[second] == 1
        assert WORLD.distances([first, second])[third] == 1

    def test_what_is_avoided_comes_last(self) -> None:
        claims = self.claimed(Wishes(claims=(Code("SIA"), NEAREST), avoid=(ASIA,)))
        avoided = [WORLD.territories[code].continent == ASIA for code in claims]
        assert avoided[1:] == sorted(avoided[1:])
        assert avoided.count(False) >= 9

    def test_any_keeps_what_is_avoided_for_the_end_too(self) -> None:
        claims = self.claimed(Wishes(claims=(ANY,), avoid=(ASIA,)))
        assert ASIA not in {WORLD.territories[code].continent for code in claims[:9]}

    def test_any_goes_where_the_fewest_others_are(self) -> None:
        start = after(opened("611").state, Claim(Code("SIA")), Claim(Code("ALA"))).state
        claims = draft(start, {C: Wishes(claims=(ANY,))}, Rolls("")).events
        assert claims[0] == Claimed(C, Code("ARG"))

    def test_only_avoided_territories_left_are_taken_all_the_same(self) -> None:
        state = self.drafted(Wishes(avoid=tuple(WORLD.continents)))
        assert len(state.held(A)) == 14

    def test_filling_goes_round_the_list(self) -> None:
        start = drawn("A SIA 1, IDA 1; B rest 1", phase=Phase.FILL, reserve={A: 5, B: 0})
        list_ = Wishes(fill=((Code("SIA"), 1), (Code("IDA"), 3)))
        filled = [
            event.territory
            for event in draft(start, {A: list_}, Rolls("")).events
            if isinstance(event, Filled)
        ]
        assert filled == ["SIA", "IDA", "IDA", "IDA", "SIA"]

    def test_a_list_skips_what_the_seat_does_not_hold(self) -> None:
        start = drawn("A SIA 1, CHN 1; B IDA 1, rest 1", phase=Phase.FILL, reserve={A: 2, B: 0})
        list_ = Wishes(fill=((Code("IDA"), 2), (Code("CHN"), 2)))
        assert draft(start, {A: list_}, Rolls("")).state.armies[Code("CHN")] == 3

    def test_without_a_list_armies_face_the_largest_enemy(self) -> None:
        start = drawn("A SIA 1, PRU 1; B BRA 5, rest 1", phase=Phase.FILL, reserve={A: 2, B: 0})
        assert draft(start, {}, Rolls("")).state.armies[Code("PRU")] == 3
