"""The three catalogues: whole, in the words of their language, and true to its orders."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from types import MappingProxyType

import pytest
from babel.messages.catalog import Message

from pbem.orders.clause.service import KEYS
from pbem.orders.lexicon import lexicon
from pbem.orders.places import in_case, places
from pbem.orders.spelling import words as folded
from pbem.render.catalogue import (
    LETTERS,
    PAGES,
    _read,
    languages,
    template,
    translations,
    untranslated,
)
from pbem.render.letters import Composed, compose
from pbem.rules.board import Code
from tests.orders.desk import printed
from tests.render.samples import BOARD, MARKER, SAMPLES

LANGUAGES = ("it", "nl", "sl")

IN, MINUTE, PAIR = "%(n)s in %(territory)s", "%(n)s minute", "%(seat)s: %(territory)s"
SAME: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "it": frozenset(
            {"EEE d MMM HH:mm", "EEE d MMM y", "EEE d MMM, HH:mm", "HTML", "NO", "no", PAIR}
        ),
        "nl": frozenset(
            {
                "EEE d MMM HH:mm",
                "EEE d MMM y",
                "EEE d MMM, HH:mm",
                "Deadline",
                "deadline",
                "HTML",
                "Land",
                "Later",
                "Lobby",
                IN,
                PAIR,
            }
        ),
        "sl": frozenset({"HTML", MINUTE, PAIR}),
    }
)
"""Forms that are rightly as in English: patterns of dates, a name, words that both have."""

FOREIGN = frozenset(
    {"AUTO", "EACH", "HELP ATTACK", "HELP SAY", "HELP SET", "HTML", "ID", "JSON", "OFF", "ON"}
    | {"PBEM_HTTP_LISTEN", "PBEM_PUBLIC_URL", "PBEM_RELAY_URL", "PLACE", "REASON", "SET"}
    | {"WILD", "SET LATE", "SET NEWS EACH", "SET REMIND ON", "SET BLOCK", "SET BLOCK NONE"}
    | {*KEYS}
)
"""Words in capitals that are no orders of the language: keys and values of SET, topics, names."""

ORDERS = MappingProxyType(
    {
        "it": (
            "attacca l'India dal Siam, una volta",
            "attacca l'India dal Siam, 2 lanci",
            "attacca l'India dal Siam, a oltranza",
            "attacca l'India dal Siam, fino alla conquista",
            "attacca l'India dal Siam, con 2 dadi",
            "attacca l'India dal Siam, con 3 armate",
            "attacca l'India dal Siam, tieni 4",
            "attacca l'India dal Siam, entra con 5",
            "sposta tutte meno 1 dal Siam in Indonesia",
        ),
        "nl": (
            "val India aan vanuit Siam, een keer",
            "val India aan vanuit Siam, 2 worpen",
            "val India aan vanuit Siam, alles inzetten",
            "val India aan vanuit Siam, tot veroverd",
            "val India aan vanuit Siam, met 2 dobbelstenen",
            "val India aan vanuit Siam, met 3 legers",
            "val India aan vanuit Siam, houd 4",
            "val India aan vanuit Siam, trek binnen met 5",
            "verplaats alles behalve 1 van Siam naar Indonesië",
        ),
        "sl": (
            "napadi Indijo iz Siama, enkrat",
            "napadi Indijo iz Siama, 2 meta",
            "napadi Indijo iz Siama, vse ali nič",
            "napadi Indijo iz Siama, do zavzetja",
            "napadi Indijo iz Siama, s 2 kockami",
            "napadi Indijo iz Siama, s 3 vojskami",
            "napadi Indijo iz Siama, obdrži 4",
            "napadi Indijo iz Siama, vstopi s 5",
            "premakni vse razen 1 iz Siama v Indonezijo",
        ),
    }
)
"""What letters quote as an example, in the orders that it belongs to, in one order of all three."""

MEANT = (
    "attack India from Siam, once",
    "attack India from Siam, 2 rolls",
    "attack India from Siam, all in",
    "attack India from Siam, until captured",
    "attack India from Siam, with 2 dice",
    "attack India from Siam, with 3 armies",
    "attack India from Siam, keep 4",
    "attack India from Siam, move in 5",
    "fortify all but 1 from Siam to Indonesia",
)

ATTACK = MappingProxyType({"it": "attacca {} {}", "sl": "napadi {} {}"})


def messages(language: str) -> Iterator[tuple[Message, tuple[str, ...], tuple[str, ...]]]:
    """Each message of letters and pages, its forms in English and in the language."""
    for domain in (LETTERS, PAGES):
        have = _read(language, domain)
        for message in template(domain):
            if message.id:
                told = have.get(message.id, message.context)
                assert told is not None, message.id
                yield message, _forms(message.id), _forms(told.string)


def _forms(said: str | Iterable[str] | None) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said or ())


@pytest.mark.parametrize("domain", [LETTERS, PAGES])
def test_letters_and_pages_are_written_in_four_languages(domain: str) -> None:
    assert languages(domain) == ("en", *LANGUAGES)


@pytest.mark.parametrize("domain", [LETTERS, PAGES])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_missing(language: str, domain: str) -> None:
    missing = untranslated(template(domain), _read(language, domain))
    assert [message.id for message in missing] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_left_english(language: str) -> None:
    same = {form for _, english, own in messages(language) for form in own if form in english}
    assert same == SAME[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_has_the_places_for_facts_that_the_message_has(language: str) -> None:
    """Only the form for one thing may say "one" instead of the number."""
    for _, english, own in messages(language):
        wanted = set(re.findall(r"%\((\w+)\)s", " ".join(english)))
        for place, form in enumerate(own):
            found = set(re.findall(r"%\((\w+)\)s", form))
            assert found == wanted or (place == 0 < len(own) - 1 and found == wanted - {"n"}), form
            assert not re.search(r"%(?!\(\w+\)s)", form.replace("%%", "")), form


@pytest.mark.parametrize(
    ("language", "counted"),
    [
        ("it", ["1 armata", "2 armate", "5 armate"]),
        ("nl", ["1 leger", "2 legers", "5 legers"]),
        ("sl", ["1 vojska", "2 vojski", "3 vojske", "4 vojske", "5 vojsk", "101 vojska"]),
    ],
)
def test_things_are_counted_as_the_language_does_it(language: str, counted: list[str]) -> None:
    words = translations(language)
    told = [
        words.ngettext("%(n)s army", "%(n)s armies", n) % {"n": n}
        for n in (int(one.split()[0]) for one in counted)
    ]
    assert told == counted


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_in_capitals_are_orders_of_the_language(language: str) -> None:
    words = lexicon(language, BOARD)
    known = {*words.phrases, *words.keys}
    told = {
        phrase
        for message, _, own in messages(language)
        if message.context != "date"
        for form in own
        for phrase in capitals(form)
    }
    assert {phrase for phrase in told - FOREIGN if not _read_as_orders(phrase, known)} == set()


def _read_as_orders(phrase: str, known: Container[tuple[str, ...]]) -> bool:
    """Whether it is words of the orders and keys of SET, one after the other."""
    said = phrase.split()
    return not said or any(
        folded(" ".join(said[:size])) in known and _read_as_orders(" ".join(said[size:]), known)
        for size in range(len(said), 0, -1)
    )


def capitals(form: str) -> Iterator[str]:
    """Words in capitals that stand in a row, e.g. ``NEXT TURN``."""
    for part in re.split(r"[^\w ]|\d", form):
        for upper, row in groupby(part.split(), key=str.isupper):
            phrase = " ".join(row)
            if upper and len(phrase) > 1:
                yield phrase


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_letters_quote_as_an_order_is_read_as_one(language: str) -> None:
    assert tuple(line for mail in ORDERS[language] for line in printed(mail, language)) == MEANT


@pytest.mark.parametrize("language", ["it", "sl"])
@pytest.mark.parametrize("code", BOARD.codes)
def test_a_territory_as_a_sentence_says_it_can_be_written_in_an_order(
    language: str, code: Code
) -> None:
    source = BOARD.territories[code]
    target = BOARD.territories[min(BOARD.neighbours[code])]
    mail = ATTACK[language].format(
        in_case(language, "object", target.code, target.name),
        in_case(language, "from", source.code, source.name),
    )
    assert printed(mail, language) == [f"attack {target.name} from {source.name}"]


@pytest.mark.parametrize("language", ["it", "sl"])
def test_every_case_holds_all_places_of_a_kind(language: str) -> None:
    """All territories, all continents, or both; only continents are avoided."""
    lands, continents = set(BOARD.codes), set(BOARD.continents)
    for case, forms in places(language).items():
        assert "else" in forms, case
        assert set(forms) - {"else"} in (lands, continents, lands | continents), case
    assert set(places(language)["object"]) >= lands


def test_a_territory_of_another_board_gets_the_common_preposition() -> None:
    told = in_case("sl", "from", Code("XYZ"), "Atlantida")
    assert told == "iz Atlantida"


@cache
def letter(name: str, language: str) -> Composed:
    """A sample in a language."""
    context = SAMPLES[name]
    return compose(context.kind, context, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SAMPLES)
def test_no_line_of_a_letter_is_english(name: str, language: str) -> None:
    english = set(_prose(letter(name, "en").text))
    assert [line for line in _prose(letter(name, language).text) if line in english] == []


def _prose(text: str) -> Iterator[str]:
    """Lines with a sentence in them; orders, quotes and the sketch of the board do not count."""
    for line in text.replace(MARKER, "").splitlines():
        quoted = line.strip().startswith(("| ", "> ", "https://"))
        drawn = re.findall(r"\b[a-z]{3} (?:-|[A-FN]\d)", line)
        if not quoted and len(drawn) < 2 and len(re.findall(r"\b[a-z]{3,}\b", line)) > 2:
            yield line.strip()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SAMPLES)
def test_letters_keep_their_measures_in_every_language(name: str, language: str) -> None:
    shown = letter(name, language)
    assert max(map(len, shown.text.splitlines())) <= 72
    assert len(shown.html.encode()) < 40_000
    assert f'lang="{language}"' in shown.html
    thread = getattr(SAMPLES[name], "thread", "")
    assert len(shown.subject.removeprefix(f"Re: {thread}")) <= 72


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("name", ["turn-call", "done", "setup-result"])
def test_three_capitals_are_a_territory_and_its_line_once(language: str, name: str) -> None:
    text = compose(name, SAMPLES[name], language).text
    rows = re.findall(r"(?<![A-Z])([A-Z]{3}) \S.*?\s([A-FN])\s+(\d+)", text)
    assert sorted(code for code, _, _ in rows) == sorted(BOARD.codes)
