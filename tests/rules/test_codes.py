"""Codes for the territories of a board that has none."""

from collections.abc import Sequence
from itertools import product
from string import ascii_uppercase

import pytest

from pbem.rules.codes import codes_for


def codes(*names: str, reserved: Sequence[str] = ()) -> str:
    return " ".join(codes_for(names, reserved))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Isle of Man", "IOM IOF ISO"),
        ("The Isle of Man", "TIO TIS THI"),
        ("New York", "NYO NEY NEW"),
        ("Rio A", "RIA RIO ROA"),
        ("A Rio", "ARI ARO AIO"),
        ("Creta", "CRE CRT CRA CET CEA CTA CAA CAB"),
        ("Ur", "UAA UAB"),
        ("Île d’Oléron", "IDO ILD ILE"),
        ("Straße", "STR STA"),
        ("日本", "XAA XAB"),
        ("X-3", "XAA XAB"),
    ],
)
def test_a_name_gives_its_own_letters_and_the_next_of_them_where_they_are_taken(
    name: str, told: str
) -> None:
    wanted = told.split()
    for taken in range(len(wanted)):
        assert codes(name, reserved=wanted[:taken]) == wanted[taken]


def test_no_two_names_have_one_code_and_the_first_one_chooses() -> None:
    assert codes("Creta", "Crema", "Cremona") == "CRE CRM CRO"


def test_a_name_of_three_letters_is_its_own_code_and_nobody_elses() -> None:
    assert codes("Ohma", "Ohm") == "OHA OHM"
    assert codes("O hm", "Ohmia") == "OHM OHI"


def test_when_no_letter_of_the_name_is_left_any_code_will_do() -> None:
    taken = ["U" + one + other for one, other in product(ascii_uppercase, repeat=2)]
    assert codes("Ur", reserved=taken) == "AAA"


def test_when_no_code_is_left_there_is_an_error() -> None:
    taken = list(map("".join, product(ascii_uppercase, repeat=3)))
    assert codes("Ur", reserved=taken[:-1]) == "ZZZ"
    with pytest.raises(ValueError, match="no code is left"):
        codes("Ur", reserved=taken)
