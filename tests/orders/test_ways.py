"""One turn, written in plain words by people who have seen nothing but the letter's help.

What is read wholly stands with its orders; what is not is asked about, and nothing is done.
"""

import pytest

from tests.orders.desk import printed, read

READ = [
    (
        "I want to put 5 armies in Siam.\nThen I want to attack India from Siam with everything.\n"
        "I'm done.",
        ["place 5 in Siam", "attack India from Siam, all in", "end"],
    ),
    (
        "Please place all 5 of my armies on Siam\nAttack India with all my armies in Siam\n"
        "That's all for this turn",
        ["place 5 in Siam", "attack India from Siam, all in"],
    ),
    (
        "put 5 in Siam\nSiam -> India\nend turn",
        ["place 5 in Siam", "attack India from Siam", "end"],
    ),
    (
        "Reinforce Siam with five.\nFrom Siam, attack India until it falls.\n"
        "Move 3 armies from Indonesia to Siam at the end.\nFinish.",
        [
            "place 5 in Siam",
            "attack India from Siam, until captured",
            "fortify 3 from Indonesia to Siam",
            "end",
        ],
    ),
    (
        "Hi! My move:\n\n1) place five in Siam\n2) attack India from Siam, keep four\n"
        "3) end of turn\n\nThanks, Anna",
        ["place 5 in Siam", "attack India from Siam, keep 4", "end"],
    ),
    (
        "put five in siam, then attack india from siam all in, move in all, "
        "then attack afghanistan from india once, then end",
        [
            "place 5 in Siam; attack India from Siam, all in, move in all; "
            "attack Afghanistan from India, once; end"
        ],
    ),
    (
        "Deploy: Siam 5\nAttack: Siam to India (all in)\nFortify: Indonesia to Siam, 4\nEnd",
        [
            "place 5 in Siam",
            "attack India from Siam, all in",
            "fortify 4 from Indonesia to Siam",
            "end",
        ],
    ),
    (
        "Add 3 to Siam and 2 to Indonesia\nInvade India from Siam\n"
        "if that works take Afghanistan from India too\n"
        "move my 3 armies from Indonesia into Siam\ndone",
        [
            "place 3 in Siam, 2 in Indonesia",
            "attack India from Siam",
            "if captured: attack Afghanistan from India",
            "fortify 3 from Indonesia to Siam",
            "end",
        ],
    ),
    (
        "I'd like to place 5 armies in Siam\n"
        "I'd like to attack India from Siam with 3 dice until I capture it\nend turn",
        ["place 5 in Siam", "attack India from Siam, until captured, with 3 dice", "end"],
    ),
]


@pytest.mark.parametrize(("mail", "orders"), READ)
def test_a_turn_in_plain_words_is_read(mail: str, orders: list[str]) -> None:
    assert printed(mail) == orders


@pytest.mark.parametrize(
    "line",
    [
        "5 -> Siam",
        "Siam +5",
        "SIA 5",
        "All my new armies go to Siam",
        "Siam attacks India",
        "Siam attacks India, don't stop until there are 4 left",
        "attack India from Siam, 3 armies left",
        "Could you attack India from there?",
        "Stop when I have three left",
        "attack India from Siam till the end",
    ],
)
def test_what_may_mean_more_than_one_thing_is_asked_about(line: str) -> None:
    sheet = read(line)
    assert sheet.mistakes
    assert not sheet.lines


def test_a_path_with_an_arrow_is_an_attack_only_by_itself() -> None:
    assert printed("Siam -> India -> Afghanistan, all in") == [
        "attack Siam to India to Afghanistan, all in"
    ]
    assert read("Siam to India").mistakes
    assert read("Siam -> India 3").mistakes
