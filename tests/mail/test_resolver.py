"""The name system as we ask it: answers as text, none as none, and trouble told apart."""

import socket
import threading
import time
from collections.abc import Iterator

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from pbem.mail import resolver
from pbem.mail.resolver import TroubleError, lookup_within

ANSWERS = {
    ("example.com.", "TXT"): ('"v=spf1 ip4:192.0.2.1" " -all"', '"other"'),
    ("example.com.", "MX"): ("10 mail.example.com.",),
    ("example.com.", "AAAA"): ("2001:db8::1",),
}


def answer(wire: bytes) -> bytes | None:
    """What a server says; nothing at all for names under `silent`."""
    question = dns.message.from_wire(wire)
    name, kind = question.question[0].name.to_text(), question.question[0].rdtype
    if name.endswith("silent."):
        return None
    response = dns.message.make_response(question)
    response.flags |= dns.flags.RA
    found = ANSWERS.get((name, kind.name))
    if found:
        response.answer.append(dns.rrset.from_text(name, 60, "IN", kind.name, *found))
    elif name.endswith("broken."):
        response.set_rcode(dns.rcode.SERVFAIL)
    elif not name.endswith("example.com."):
        response.set_rcode(dns.rcode.NXDOMAIN)
    return response.to_wire()


@pytest.fixture(autouse=True)
def _server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as served:
        served.bind(("127.0.0.1", 0))
        served.settimeout(0.05)
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                try:
                    wire, peer = served.recvfrom(4096)
                except TimeoutError:
                    continue
                said = answer(wire)
                if said is not None:
                    served.sendto(said, peer)

        asked = dns.resolver.Resolver(configure=False)
        asked.nameservers, asked.port = ["127.0.0.1"], served.getsockname()[1]
        monkeypatch.setattr(resolver, "_resolver", lambda: asked)
        thread = threading.Thread(target=serve)
        thread.start()
        yield
        ended.set()
        thread.join()


def test_a_text_record_is_one_string() -> None:
    found = lookup_within(5)("example.com", "TXT")
    assert sorted(found) == ["other", "v=spf1 ip4:192.0.2.1 -all"]


def test_other_records_are_their_text() -> None:
    lookup = lookup_within(5)
    assert lookup("example.com", "MX") == ("10 mail.example.com.",)
    assert lookup("example.com", "AAAA") == ("2001:db8::1",)


@pytest.mark.parametrize("name", ["example.com", "nowhere.example", "a" * 70 + ".com", "a..b"])
def test_no_answer_is_none(name: str) -> None:
    assert lookup_within(5)(name, "PTR") == ()


def test_a_server_that_fails_is_trouble() -> None:
    with pytest.raises(TroubleError):
        lookup_within(2)("any.broken", "TXT")


def test_all_questions_share_the_time() -> None:
    lookup, begun = lookup_within(0.5), time.monotonic()
    for _ in range(3):
        with pytest.raises(TroubleError):
            lookup("any.silent", "TXT")
    assert time.monotonic() - begun < 5
