"""Laws of the language: print and read, one mail and many, nothing raises."""

from hypothesis import example, given
from hypothesis import strategies as st

from pbem.orders import check as checking
from pbem.orders import plan, run, write
from pbem.orders.lexicon import LANGUAGES, lexicon
from pbem.orders.normal import normal_form
from pbem.orders.plan import (
    Amount,
    Armies,
    Attack,
    Avoid,
    Captured,
    Claim,
    Eliminated,
    Else,
    Fill,
    Flow,
    Fortify,
    Guard,
    Hold,
    NoCard,
    Order,
    Otherwise,
    Place,
    Sentence,
    Spot,
    Trade,
    Trading,
    Wish,
)
from pbem.orders.sheet import Sheet
from pbem.rules.card import WILD, Card
from pbem.rules.dice import LoadedDice
from pbem.rules.odds import Limits
from pbem.rules.position import Phase
from pbem.rules.view import view
from tests.orders.desk import TABLE, WORLD, read
from tests.rules.table import drawn

codes = st.sampled_from(WORLD.codes)
continents = st.sampled_from(list(WORLD.continents))
counts = st.integers(1, 40)
languages = st.sampled_from(LANGUAGES)


def maybe(some: st.SearchStrategy[int]) -> st.SearchStrategy[int | None]:
    return st.none() | some


limits = st.builds(
    Limits,
    all_in=st.booleans(),
    keep=maybe(counts),
    lose=maybe(counts),
    rolls=maybe(counts),
    stake=maybe(counts),
    exact_dice=maybe(st.integers(1, 3)),
)
amounts = counts | st.sampled_from([Amount.ALL, Amount.LEAST])
spots = st.lists(st.builds(Spot, codes, counts), min_size=1, max_size=4).map(tuple)


@st.composite
def attacks(draw: st.DrawFn) -> Attack:
    limited = draw(limits)
    return Attack(
        path=tuple(draw(st.lists(codes, min_size=2, max_size=4, unique=True))),
        limits=limited,
        captured=limited.all_in and draw(st.booleans()),
        odds=draw(maybe(st.integers(0, 100))),
        until=draw(st.none() | st.tuples(codes, counts)),
        move=draw(st.none() | amounts),
        leave=draw(maybe(counts)),
        otherwise=draw(st.none() | st.sampled_from(list(Otherwise))),
    )


cards = st.sampled_from([Card(code) for code in WORLD.codes] + [WILD])
orders: st.SearchStrategy[Order] = st.one_of(
    st.builds(
        Trade,
        st.just(Trading.AUTO) | st.tuples(cards, cards, cards) | st.tuples(counts, counts, counts),
        st.none() | codes,
    ),
    st.just(Trade(Trading.NONE)),
    st.builds(Place, spots),
    attacks(),
    st.builds(plan.Occupy, amounts),
    st.builds(Fortify, codes, codes, counts, st.none()),
    st.builds(Fortify, codes, codes, st.none(), counts),
    st.builds(Claim, st.lists(codes | continents | st.sampled_from(Wish), min_size=1).map(tuple)),
    st.builds(Fill, spots),
    st.builds(plan.PlaceNeutral, spots),
    st.builds(plan.Capital, codes),
    st.builds(Avoid, st.lists(continents, min_size=1).map(tuple)),
    st.sampled_from(list(Flow)),
)
conditions = st.one_of(
    st.builds(Captured, st.none() | codes, st.booleans()),
    st.builds(Hold, codes | continents, st.booleans()),
    st.builds(Armies, codes, counts, st.booleans()),
    st.builds(plan.Chance, st.integers(0, 100), st.booleans()),
    st.builds(NoCard),
    st.builds(Eliminated, st.booleans()),
)
guards = st.builds(
    Guard, st.lists(conditions, min_size=1, max_size=3).map(tuple), st.booleans()
) | st.builds(Else)
sentences = st.builds(
    Sentence, st.lists(orders, min_size=1, max_size=3).map(tuple), st.none() | guards
)


def joined(said: Sentence) -> bool:
    """Whether an OCCUPY behind an attack would become its limit, or ELSE its answer."""
    return any(
        isinstance(first, Attack) and isinstance(second, plan.Occupy)
        for first, second in zip(said.orders, said.orders[1:], strict=False)
    )


@given(sentences.filter(lambda said: not joined(said)), languages)
def test_what_is_printed_reads_as_the_same(said: Sentence, language: str) -> None:
    text = write.sentence(said, language, WORLD)
    sheet = read(text, language)
    assert not sheet.mistakes, (text, sheet.mistakes)
    assert [line.sentences for line in sheet.lines] == [(said,)], text


@given(st.text())
@example("attack " * 400)
@example("place 99999999999999999999 in Siam")
@example("say to :\n\nend say")
@example("attack ²³ → Siam ->\n->")
@example("trade ,, and\n(((%)))\n\x00")
def test_no_text_raises(text: str) -> None:
    for language in LANGUAGES:
        answered(read(text, language))


words = st.sampled_from(
    [" ".join(phrase) for phrase in lexicon("en", WORLD).phrases]
    + [territory.name for territory in WORLD.territories.values()]
    + ["3", "60%", ",", ":", ";", ".", "->", "\n", "Idnai", "north"]
)


@given(st.lists(words, max_size=25).map(" ".join))
def test_no_order_of_words_raises(text: str) -> None:
    answered(read(text))


STATES = [
    drawn("A SIA 9, IDO 3, BRA 1; B IDA 2, CHN 2; C rest 2"),
    drawn(
        "A SIA 9, EGY 3; B IDA 2; C rest 2",
        phase=Phase.TRADE,
        to_place=5,
        hands={"A": "EGY PRU GRL BRA WILD"},  # type: ignore[dict-item]
    ),
    drawn("A SIA 9; B IDA 2", phase=Phase.CLAIM),
]


def answered(sheet: Sheet) -> None:
    """Whatever was read can be checked, printed and named."""
    normal_form(sheet)
    for state in STATES:
        checked = checking.check(sheet, view(state, state.on_turn))
        assert (checked.plan is None) == bool(checked.mistakes)


LINES = [
    "place 3 in Siam",
    "place the rest in Siam",
    "attack India from Siam",
    "attack India from Siam, once",
    "attack India from Siam, all in, move in all",
    "attack China from Siam, 2 rolls, move in 3",
    "attack Afghanistan from India, keep 2",
    "attack Siam to India to Afghanistan, leave 2",
    "attack Kamchatka from Japan, lose at most 2",
    "if captured: attack Afghanistan from India, once",
    "if Siam at least 4: attack China from Siam, all in",
    "if no card yet: attack China from Siam, once",
    "fortify all but 1 from Siam to Indonesia",
    "end",
]
WAR = drawn(
    "A SIA 9, IDO 3, JPN 6; B IDA 2, CHN 2, AFG 1, KCH 3; C rest 2",
    phase=Phase.PLACE,
    to_place=4,
)


@given(
    st.lists(st.sampled_from(LINES[2:]), max_size=6),
    st.lists(st.integers(1, 6), min_size=200, max_size=200),
)
def test_one_mail_is_many_mails_on_the_same_dice(lines: list[str], dice: list[int]) -> None:
    """With every default written out, sending a plan line by line changes nothing."""
    mail = "\n".join(["place the rest in Siam", *lines])
    checked = checking.check(read(mail), view(WAR, WAR.on_turn))
    if checked.plan is None:
        return
    whole = run.run(checked.plan, WAR, LoadedDice(dice))
    chance, state = LoadedDice(dice), WAR
    for line in checked.plan.lines:
        text = write.line(line, "en", WORLD)
        alone = checking.check(read(text), view(state, WAR.on_turn))
        if alone.plan is not None and state.turn == WAR.turn:
            state = run.run(alone.plan, state, chance).state
    assert state == whole.state


@given(st.lists(st.sampled_from(LINES), max_size=8), languages)
def test_the_normal_form_knows_no_language_or_spelling(lines: list[str], language: str) -> None:
    sheet = read("\n".join(lines))
    other = [write.line(line, language, TABLE.board).upper() for line in sheet.lines]
    assert normal_form(read("\n\n".join(other), language)) == normal_form(sheet)
