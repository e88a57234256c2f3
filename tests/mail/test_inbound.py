"""Reading as a whole: no bytes break it, no mail hangs it, a retry has the key of the first try."""

import json
import sys
import time
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from pbem.mail import inbound
from pbem.mail.inbound import dedupe_key, read, read_safely
from pbem.mail.marker import MARKERS
from pbem.mail.reading import Kind, Reading

LETTERS = Path(__file__).parents[1] / "letters"
CORPUS = sorted(LETTERS.glob("*.eml"))
SLOW = "\n".join(["On x"] * 1900)


def mail(body: str = "end\n", *headers: str) -> bytes:
    lines = ["From: Anna <anna@example.com>", "Message-ID: <m@example.com>", *headers]
    return ("\n".join(lines) + "\nContent-Type: text/plain; charset=utf-8\n\n" + body).encode()


@given(st.binary(max_size=2000))
@settings(deadline=None)
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    found = read(raw)
    assert Reading.from_json(json.loads(json.dumps(found.as_json()))) == found
    assert dedupe_key(raw)


@given(st.sampled_from(CORPUS), st.data())
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_no_damage_on_the_way_breaks_the_reader(path: Path, data: st.DataObject) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(raw) - 1))
        end = at + data.draw(st.integers(0, 30))
        raw[at:end] = data.draw(st.binary(max_size=30))
        if not raw:
            return
    found = read(bytes(raw))
    assert not set(found.text) & set(found.doubtful)
    assert found.sender is None or found.refused is None
    json.dumps(found.as_json()).encode("ascii")


@given(
    st.lists(st.sampled_from(["place 5 in Siam", "", "attack India", "| end", "> old", "On x:"]))
)
@settings(deadline=None)
def test_doubtful_lines_are_never_text_and_ends_are_never_empty(lines: list[str]) -> None:
    found = read(mail("\n".join(lines)))
    assert not set(found.text) & set(found.doubtful)
    assert not found.text or (found.text[0] and found.text[-1])


@pytest.mark.parametrize("language", MARKERS)
@given(
    orders=st.lists(st.sampled_from(["place 5 in Siam", "", "attack India"]), min_size=1),
    quote=st.lists(st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=30)),
)
@settings(deadline=None, max_examples=30)
def test_above_the_marker_all_is_new_and_below_nothing_quoted_is(
    language: str, orders: list[str], quote: list[str]
) -> None:
    quoted = "\n".join("> " + line for line in [MARKERS[language], *quote])
    found = read(mail("\n".join(orders) + "\n\n" + quoted))
    assert list(found.text) == "\n".join(orders).strip().splitlines()
    assert found.doubtful == ()


def test_line_numbers_are_those_of_the_player() -> None:
    found = read(mail("\n\nplace 5 in Siam\n\n\nattack India from Siam\n\n"))
    assert found.text == ("place 5 in Siam", "", "", "attack India from Siam")


def test_an_order_is_not_taken_out_because_the_letter_showed_it() -> None:
    sent = "Turn 23\nplace 5 in Siam\nBoard\n"
    assert read(mail("place 5 in Siam\n"), sent).text == ("place 5 in Siam",)


def test_a_run_of_three_lines_of_the_letter_is_a_copy() -> None:
    sent = "Turn 23\nSiam 4\nIndia 3\nChina 2\nPeru 1\n"
    found = read(mail("place 5 in Siam\n\nSiam 4\n\nIndia 3\nChina 2\n"), sent)
    assert found.text == ("place 5 in Siam",)


@pytest.mark.parametrize(
    "line",
    [
        "Sent from Siam 3 armies to India",
        "Poslano iz Siama 3 v Indijo",
        "On 3 fronts at 10:30 I attack",
        "From Siam attack India",
        "Op Siam 5",
        "Le truppe 3 in Siam",
        "SAY ALL: the dice wrote history",
        "Takoj postavi 5 na Siam",
        "A: place 5",
        "Best attack India",
    ],
)
def test_prose_is_not_taken_for_what_programs_add(line: str) -> None:
    found = read(mail(f"{line}\nend\n"))
    assert (found.text, found.doubtful) == ((line, "end"), ())


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from Outlook for Android",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Inviato da iPhone",
        "Inviato dal mio telefono Android",
        "Verstuurd vanaf mijn iPhone",
        "Verzonden met Outlook voor Android",
        "Poslano iz mojega iPhona",
        "Sent with Proton Mail secure email.",
    ],
)
def test_what_telephones_add_is_left_out(line: str) -> None:
    found = read(mail(f"end\n\n{line}\n"))
    assert (found.text, found.doubtful) == (("end",), ())


def test_too_many_lines_are_cut() -> None:
    found = read(mail("end\n" * 3000))
    assert len(found.text) == inbound.MOST_LINES
    assert "too-many-lines" in found.notes


def test_too_long_a_text_is_cut() -> None:
    found = read(mail("x" * 200_000))
    assert sum(map(len, found.text)) <= 64 * 1024
    assert "too-long" in found.notes


def test_nesting_without_end_is_survived() -> None:
    content = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000)
    )
    raw = b"From: anna@example.com\n" + content.encode()
    found = read(raw)
    assert (found.kind, found.sender) == (Kind.EMPTY, "anna@example.com")


def test_a_person_with_the_null_sender_of_the_envelope_is_a_machine() -> None:
    assert read(mail(), envelope_from="").kind is Kind.AUTO_REPLY
    assert read(mail(), envelope_from="anna@example.com").kind is Kind.ORDERS


@pytest.mark.parametrize(
    ("written", "sender", "refused"),
    [
        ("bob@example.net <anna@example.com>", None, "many-mailboxes"),
        ("<anna@example.com> <bob@example.net>", None, "many-mailboxes"),
        ("Anna <anna@example.com> bob@example.net", None, "many-mailboxes"),
        ("anna@example.com;bob@example.net", None, "many-mailboxes"),
        ("Anna@Example.com <anna@example.com>", "anna@example.com", None),
        ('"bob@example.net" <anna@example.com>', "anna@example.com", None),
        ("anna@example.com (once bob@example.net)", "anna@example.com", None),
        ("<@relay.example:anna@example.com>", "anna@example.com", None),
    ],
)
def test_a_sender_that_programs_would_read_differently_is_nobody(
    written: str, sender: str | None, refused: str | None
) -> None:
    found = read(f"From: {written}\n\nend\n".encode())
    assert ((found.sender or "").casefold() or None, found.refused) == (sender, refused)


def test_what_names_other_mails_is_read_raw() -> None:
    found = read(mail("end", "In-Reply-To: <a@b>", "References: <x@y>,<a@b>\n <c@d>"))
    assert found.in_reply_to == "<a@b>"
    assert found.references == ("<x@y>", "<a@b>", "<c@d>")


def test_a_long_message_id_is_kept_whole() -> None:
    name = f"<{'A' * 150}@prod.example.com>"
    assert read(f"From: anna@example.com\nMessage-ID: {name}\n\nend\n".encode()).message_id == name


def test_the_child_reads_as_we_do() -> None:
    for path in CORPUS[::20]:
        raw = path.read_bytes()
        assert read_safely(raw, timeout=20) == read(raw)


def test_a_slow_mail_is_given_up_and_the_next_is_read() -> None:
    began = time.monotonic()
    found = read_safely(mail(SLOW), timeout=0.5)
    assert time.monotonic() - began < 20
    assert (found.kind, found.text, found.notes) == (Kind.EMPTY, (), ("too-slow",))
    assert found.sender == "anna@example.com"
    assert found.message_id == "<m@example.com>"
    assert read_safely(mail(), timeout=20).text == ("end",)


def test_a_slow_mail_of_a_machine_is_still_a_machines() -> None:
    found = read_safely(mail("x", "Auto-Submitted: auto-replied"), timeout=0.0)
    assert (found.kind, found.notes) == (Kind.AUTO_REPLY, ("too-slow",))


def test_a_child_that_died_is_replaced() -> None:
    assert read_safely(mail(), timeout=20).text == ("end",)
    child = inbound._sandbox._child
    assert child is not None
    child.kill()
    child.wait()
    assert read_safely(mail(), timeout=20).text == ("end",)


def test_a_big_mail_fits_through_the_pipe() -> None:
    assert "too-long" in read_safely(mail("x" * 5_000_000), timeout=20).notes


def test_a_sound_message_id_is_the_key() -> None:
    assert dedupe_key(mail()) == "<m@example.com>"


@pytest.mark.parametrize(
    "ids", ["", "Message-ID: none\n", "Message-ID: <a@b>\nMessage-ID: <c@d>\n", "Message-ID: <>\n"]
)
def test_without_a_sound_id_a_retry_has_the_same_key_and_another_mail_another(ids: str) -> None:
    def raw(trace: str, body: str) -> bytes:
        return f"Received: {trace}\nFrom: anna@example.com\n{ids}Subject: x\n\n{body}\n".encode()

    first = dedupe_key(raw("by one", "place 5 in Siam"))
    assert first.startswith("sha256:")
    assert dedupe_key(raw("by two", "place 5 in Siam").replace(b"\n", b"\r\n")) == first
    assert dedupe_key(raw("by one", "place 6 in Siam")) != first


def test_lines_that_a_program_wrapped_are_still_old() -> None:
    sent = f"{MARKERS['en']}\n\nTurn 23 of this long game\n| attack India, then attack China\nend\n"
    wrapped = sent.replace("then attack", "then\nattack")
    assert read(mail("\n\n" + wrapped), sent).text == ()


def test_examples_of_the_letter_below_the_marker_are_old_and_others_are_asked_about() -> None:
    sent = f"{MARKERS['en']}\nTurn 23\n| place 6 in Alaska\n"
    answer = f"end\n\n{MARKERS['en']}\nTurn twenty-three\n| place 6 in Alaska\n| place 5 in Siam\n"
    found = read(mail(answer), sent)
    assert found.text == ("end",)
    assert found.doubtful == ("Turn twenty-three", "place 5 in Siam")


def test_as_json_has_the_keys_of_the_contract() -> None:
    assert list(read(mail()).as_json()) == [
        "kind",
        "from",
        "refused",
        "message_id",
        "in_reply_to",
        "references",
        "text",
        "doubtful",
        "notes",
    ]


def test_without_the_library_a_winmail_stays_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tnefparse", None)
    raw = (LETTERS / "winmail-plain.eml").read_bytes()
    found = read(raw)
    assert (found.kind, found.text, found.notes) == (Kind.EMPTY, (), ("winmail",))
