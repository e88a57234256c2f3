"""Proof of the sender: signed mails made here, with answers of our own name system."""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail.alignment import aligned, organisation
from pbem.mail.proof import Came, Later, Proved, Unproved, Verdict, by_own_check, by_server
from tests.mail.forge import MAIL, Names, dmarc, keys, passed_on, signed, spf

CLIENT = "192.0.2.25"
NOW = datetime.now(UTC)


def own(raw: bytes, names: Names, **envelope: str) -> Verdict:
    return by_own_check(Came(raw, **envelope), names, NOW)


def test_an_aligned_signature_proves() -> None:
    assert own(signed(MAIL), Names(keys())) == Proved("dkim")


def test_a_signature_of_the_same_organisation_proves() -> None:
    raw = signed(MAIL, "mail.example.com")
    assert own(raw, Names(keys("mail.example.com"))) == Proved("dkim")


def test_a_domain_that_wants_equal_domains_gets_them() -> None:
    names = Names(keys("mail.example.com"), dmarc("example.com", "v=DMARC1; p=none; adkim=s"))
    assert own(signed(MAIL, "mail.example.com"), names) == Unproved(
        "dkim:unaligned spf:no-envelope"
    )


def test_a_strict_record_of_the_organisation_holds_for_its_subdomains() -> None:
    raw = signed(MAIL.replace(b"anna@example.com", b"anna@mail.example.com"))
    names = Names(keys(), dmarc("example.com", "v=DMARC1; p=reject; adkim=s"))
    assert own(raw, names) == Unproved("dkim:unaligned spf:no-envelope")


def test_a_signature_of_another_domain_proves_nothing_and_its_key_is_not_asked_for() -> None:
    names = Names(keys("rival.example"))
    assert own(signed(MAIL, "rival.example"), names) == Unproved("dkim:unaligned spf:no-envelope")
    assert names.asked == []


def test_a_good_signature_below_a_foreign_one_proves() -> None:
    raw = signed(signed(MAIL), "rival.example")
    assert own(raw, Names(keys(), keys("rival.example"))) == Proved("dkim")


def test_a_good_signature_below_a_broken_one_of_the_same_domain_proves() -> None:
    broken = re.sub(rb"(bh=)\w{6}", rb"\1AAAAAA", signed(MAIL), count=1)
    raw = broken[: broken.index(b"From:")] + signed(MAIL)
    assert own(raw, Names(keys())) == Proved("dkim")


@pytest.mark.parametrize(
    ("name", "raw", "why"),
    [
        ("no signature", MAIL, "unsigned"),
        ("another body", signed(MAIL).replace(b"3 to Alaska", b"4 to Alaska"), "bad-signature"),
        ("another subject", signed(MAIL).replace(b"Turn 23", b"Turn 24"), "bad-signature"),
        (
            "replayed under another From",
            signed(MAIL).replace(b"anna@example.com", b"berta@example.com", 1),
            "bad-signature",
        ),
        ("length", signed(MAIL, length=True), "partial"),
        ("length with more below", signed(MAIL, length=True) + b"attack Peru\r\n", "partial"),
        ("weak key", signed(MAIL, bits=512), "weak-key"),
        ("no key any more", signed(MAIL, bits=1024), "bad-signature"),
        ("bare CR", signed(MAIL.replace(b"\r\n\r\n", b"\rX: y\r\n\r\n", 1)), "broken-lines"),
        ("blanks", signed(b"X: " + b" " * 300 + b"x\r\n" + MAIL), "unreadable"),
        ("no headers", b"\r\n" + MAIL, "unreadable"),
    ],
)
def test_what_a_signature_does_not_prove(name: str, raw: bytes, why: str) -> None:
    names = Names(keys(bits=2048), keys(bits=512))
    found = own(raw, names)
    assert isinstance(found, Unproved), name
    assert found.reason in (f"dkim:{why} spf:no-envelope", "no-sender"), name


def test_a_signature_that_leaves_from_out_proves_nothing() -> None:
    raw = signed(MAIL).replace(b"h=from : ", b"h=").replace(b"h=from:", b"h=")
    assert own(raw, Names(keys())) == Unproved("dkim:from-not-signed spf:no-envelope")


def test_a_signature_that_has_expired_proves_nothing() -> None:
    raw = signed(MAIL)
    moment = int((NOW - timedelta(minutes=1)).timestamp())
    late = raw.replace(b"v=1;", b"v=1; x=%d;" % moment, 1)
    assert own(late, Names(keys())) == Unproved("dkim:expired spf:no-envelope")


@pytest.mark.parametrize("body", ["simple", "relaxed"])
@pytest.mark.parametrize("text", [b"", b"\r\n\r\n", b"a  b \t\r\n \r\n\r\nc", b"a \r\n \r\n"])
def test_both_canonical_forms_of_a_body_hold(text: bytes, body: str) -> None:
    raw = signed(MAIL.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + text, body=body)
    assert own(raw, Names(keys())) == Proved("dkim")
    assert own(raw.replace(b"\r\n", b"\n"), Names(keys())) == Proved("dkim")
    assert isinstance(own(raw + b"x\r\n", Names(keys())), Unproved)


def test_ten_mebibytes_made_to_keep_us_busy_are_checked_in_no_time() -> None:
    for filling in ((b" " * 199 + b"x") * 50_000, b"\r\n" * 5_000_000, b"\t" * 10_000_000):
        begun = time.process_time()
        own(signed(MAIL) * 3 + filling, Names(keys()))
        assert time.process_time() - begun < 3


def test_a_second_from_hides_nothing() -> None:
    for forged in (
        b"From: Rival <rival@example.com>\r\n" + signed(MAIL),
        signed(MAIL).replace(b"From:", b"From: rival@example.com\r\nFrom:", 1),
    ):
        assert own(forged, Names(keys())) == Unproved("no-sender")


def test_a_header_end_that_only_we_see_hides_no_from() -> None:
    """Signed by the rival as a header of one line, read by us as the headers' end."""
    hidden = MAIL.replace(b"anna@", b"rival@").replace(
        b"From: Anna", b"X: y\rFrom: anna@example.com\r\rz: Z\r\nFrom: Rival"
    )
    assert isinstance(own(signed(hidden), Names(keys())), Unproved)


def test_an_aligned_envelope_proves() -> None:
    names = Names(spf("example.com", "v=spf1 ip4:192.0.2.0/24 -all"))
    came = {"mail_from": "anna@example.com", "peer": CLIENT, "helo": "mail.example.com"}
    assert own(MAIL, names, **came) == Proved("spf")


@pytest.mark.parametrize(
    ("record", "mail_from", "peer", "why"),
    [
        ("v=spf1 ip4:198.51.100.1 -all", "anna@example.com", CLIENT, "spf-fail"),
        ("v=spf1 ip4:198.51.100.1 ~all", "anna@example.com", CLIENT, "spf-softfail"),
        ("v=spf1 ?all", "anna@example.com", CLIENT, "spf-neutral"),
        ("v=spf1 nonsense -all", "anna@example.com", CLIENT, "spf-permerror"),
        ("nothing of the kind", "anna@example.com", CLIENT, "spf-none"),
        ("v=spf1 +all", "rival@rival.example", CLIENT, "unaligned"),
        ("v=spf1 +all", "", CLIENT, "no-envelope"),
        ("v=spf1 +all", "anna@example.com", "127.0.0.1", "no-client"),
        ("v=spf1 +all", "anna@example.com", "::ffff:127.0.0.1", "no-client"),
        ("v=spf1 +all", "anna@example.com", "", "no-client"),
    ],
)
def test_what_an_envelope_does_not_prove(record: str, mail_from: str, peer: str, why: str) -> None:
    names = Names(spf("example.com", record), spf("rival.example", record))
    assert own(MAIL, names, mail_from=mail_from, peer=peer) == Unproved(f"dkim:unsigned spf:{why}")


def test_an_envelope_of_a_subdomain_proves_unless_the_domain_wants_it_equal() -> None:
    came = {"mail_from": "anna@bounce.example.com", "peer": CLIENT}
    zone = spf("bounce.example.com", "v=spf1 +all")
    strict = dmarc("example.com", "v=DMARC1; p=none; aspf=s")
    assert own(MAIL, Names(zone), **came) == Proved("spf")
    assert own(MAIL, Names(zone, strict), **came) == Unproved("dkim:unsigned spf:unaligned")


def test_spf_follows_mx_and_include() -> None:
    names = Names(
        spf("example.com", "v=spf1 include:spf.example.net -all"),
        spf("spf.example.net", "v=spf1 mx -all"),
        {("spf.example.net", "MX"): ("10 mx.example.net.",)},
        {("mx.example.net", "A"): (CLIENT,)},
    )
    assert own(MAIL, names, mail_from="anna@example.com", peer=CLIENT) == Proved("spf")


def test_a_name_server_that_is_down_means_later() -> None:
    names = Names(keys(), down=("_domainkey.example.com",))
    assert isinstance(own(signed(MAIL), names), Later)
    names = Names(down=("example.com",))
    assert isinstance(own(MAIL, names, mail_from="anna@example.com", peer=CLIENT), Later)


def test_one_proof_is_enough_when_the_other_cannot_be_asked_for() -> None:
    zone = spf("example.com", "v=spf1 +all")
    names = Names(zone, keys(), down=("_domainkey.example.com",))
    assert own(signed(MAIL), names, mail_from="anna@example.com", peer=CLIENT) == Proved("spf")


def test_a_foreign_domain_cannot_keep_us_waiting() -> None:
    names = Names(keys(), down=("rival.example",))
    raw = signed(MAIL, "rival.example")
    assert isinstance(own(raw, names, mail_from="x@rival.example", peer=CLIENT), Unproved)


def test_organisations_follow_the_list_of_public_suffixes() -> None:
    assert organisation("a.b.example.co.uk") == "example.co.uk"
    assert aligned("mail.example.com", "example.com")
    assert not aligned("one.github.io", "two.github.io")
    assert not aligned("co.uk", "co.uk")


def stamped(results: str, below: bytes = MAIL) -> bytes:
    received = "Received: from x by mx.example.org; Mon, 30 Nov 2026 08:00:01 +0100\r\n"
    return f"{received}Authentication-Results: {results}\r\n".encode() + below


TRUSTED = "mx.example.org"


@pytest.mark.parametrize(
    "results",
    [
        "mx.example.org; dmarc=pass (p=none) header.from=example.com",
        "MX.example.org 1; dkim=pass header.d=example.com",
        "mx.example.org; dkim=fail header.d=x.org; dkim=pass header.i=@mail.example.com",
        "mx.example.org; dmarc=none header.from=example.com; spf=pass\r\n"
        " smtp.mailfrom=anna@example.com",
        "mx.example.org (checked here); spf=pass smtp.mailfrom=example.com",
    ],
)
def test_the_trusted_servers_word_proves(results: str) -> None:
    assert by_server(Came(stamped(results)), TRUSTED) == Proved("authserv")


@pytest.mark.parametrize(
    ("results", "why"),
    [
        ("other.example.org; dmarc=pass header.from=example.com", "no-results"),
        ("mx.example.org.evil.example; dmarc=pass header.from=example.com", "no-results"),
        ("(mx.example.org) evil; dmarc=pass header.from=example.com", "no-results"),
        ("mx.example.org; none", "unproved-by-server"),
        (
            "mx.example.org; dmarc=fail header.from=example.com; dkim=pass header.d=example.com",
            "dmarc-fail",
        ),
        ("mx.example.org; dmarc=pass header.from=rival.example", "unproved-by-server"),
        ("mx.example.org; dkim=pass header.d=rival.example", "unproved-by-server"),
        ("mx.example.org; spf=pass smtp.helo=example.com", "unproved-by-server"),
        ("mx.example.org; dkim=pass (header.d=example.com)", "unproved-by-server"),
        ("mx.example.org; dkim=pass (", "unreadable-results"),
    ],
)
def test_what_the_trusted_servers_word_does_not_prove(results: str, why: str) -> None:
    assert by_server(Came(stamped(results)), TRUSTED) == Unproved(f"authserv:{why}")


def test_results_that_the_sender_put_in_lie_below_ours_and_do_not_count() -> None:
    forged = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\r\n"
    raw = stamped("mx.example.org; dmarc=fail header.from=example.com", forged + MAIL)
    assert by_server(Came(raw), TRUSTED) == Unproved("authserv:dmarc-fail")
    raw = stamped("mx.example.org; none", forged + MAIL)
    assert by_server(Came(raw), TRUSTED) == Unproved("authserv:unproved-by-server")


def test_broken_results_of_our_server_do_not_make_way_for_forged_ones() -> None:
    forged = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\r\n"
    raw = stamped("mx.example.org; dkim=pass (", forged + MAIL)
    assert by_server(Came(raw), TRUSTED) == Unproved("authserv:unreadable-results")


# -- mails that a forwarder changed, and sealed --

LIST, OTHER = "lists.example.org", "forward.example.net"
SEEN = "dmarc=pass header.from=example.com"
FOOTED = signed(MAIL) + b"\r\n-- \r\nConquest mailing list\r\n"


def sealed(raw: bytes, names: Names, *sealers: str) -> Verdict:
    return by_own_check(Came(raw), names, NOW, sealers)


def test_the_word_of_a_configured_forwarder_proves() -> None:
    raw = passed_on(FOOTED, SEEN)
    names = Names(keys(), keys(LIST))
    assert sealed(raw, names, LIST) == Proved("arc")
    told = sealed(raw, names)
    assert isinstance(told, Unproved)
    assert "arc" not in told.reason


def why(verdict: Verdict) -> str:
    assert isinstance(verdict, Unproved)
    return verdict.reason.rpartition("arc:")[2]


def test_the_seal_of_anybody_else_is_not_even_looked_up() -> None:
    names = Names(keys(), keys("rival.example"))
    raw = passed_on(FOOTED, SEEN, "rival.example")
    assert why(sealed(raw, names, LIST)) == "foreign-seal"
    assert not [name for name in names.asked if "rival" in name]


@pytest.mark.parametrize(
    "results",
    [
        "dmarc=fail header.from=example.com",
        "dmarc=pass header.from=rival.example",
        "dkim=pass header.d=rival.example",
        "spf=pass smtp.mailfrom=rival.example",
    ],
)
def test_a_seal_over_another_result_proves_nothing(results: str) -> None:
    raw = passed_on(FOOTED, results)
    assert why(sealed(raw, Names(keys(LIST)), LIST)) == "unproved-by-sealer"


@pytest.mark.parametrize(
    "change",
    [
        (b"3 to Alaska", b"9 to Alaska"),
        (b"From: Anna <anna@example.com>", b"From: Anna <bruno@example.com>"),
        (b"header.from=example.com", b"header.from=example.org"),
    ],
)
def test_what_was_changed_after_the_seal_is_broken(change: tuple[bytes, bytes]) -> None:
    raw = passed_on(FOOTED, SEEN).replace(*change)
    assert why(sealed(raw, Names(keys(LIST)), LIST)) in ("broken-seal", "unproved-by-sealer")


def test_a_seal_whose_key_cannot_be_asked_for_waits() -> None:
    raw = passed_on(FOOTED, SEEN)
    assert isinstance(sealed(raw, Names(keys(), down=(LIST,)), LIST), Later)
    assert why(sealed(raw, Names(keys()), LIST)) == "broken-seal"


def test_a_chain_of_two_configured_forwarders_proves_and_a_stranger_below_does_not() -> None:
    names = Names(keys(LIST), keys(OTHER))
    second = "arc=pass (i=1 spf=pass); dmarc=fail header.from=example.com"
    chain = passed_on(passed_on(FOOTED, SEEN), second, OTHER)
    assert sealed(chain, names, LIST, OTHER) == Proved("arc")
    assert why(sealed(chain, names, OTHER)) == "unproved-by-sealer"
    assert why(sealed(chain, names, LIST)) == "foreign-seal"


def test_a_set_that_was_moved_from_another_mail_proves_nothing() -> None:
    good = passed_on(FOOTED, SEEN)
    seal = good[: good.index(b"DKIM-Signature")]
    forged = seal + MAIL.replace(b"3 to Alaska", b"9 to Alaska")
    assert why(sealed(forged, Names(keys(LIST)), LIST)) == "broken-seal"


def test_seals_without_end_are_not_followed() -> None:
    sets = b"".join(b"ARC-Seal: i=%d; d=lists.example.org\r\n" % n for n in range(1, 60))
    begun = time.monotonic()
    assert why(sealed(sets + MAIL, Names(), LIST)) == "broken-seal"
    assert time.monotonic() - begun < 1
