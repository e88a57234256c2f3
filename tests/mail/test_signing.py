"""Our own signature: verified by the library, and by the check that mails to us go through."""

from datetime import UTC, datetime
from pathlib import Path

import dkim  # type: ignore[import-untyped]
import pytest

from pbem.mail import letter, signature
from pbem.mail.signing import Signer, load_signer
from tests.mail.forge import Names, key, keys

DOMAIN = "games.example.org"
SIGNER = Signer(DOMAIN, "s2048", key(2048)[0])
NAMES = Names(keys(DOMAIN))
LETTER = letter.to_bytes(
    letter.Letter(
        kind="turn-call",
        subject="[g7] Turn 23: Anna (A) è di turno",
        text="--- write your orders above this line ---\n\n.a dot\n\ntrailing  \n\n",
        html="<p>Your turn</p>",
        sender=f"Game <play@{DOMAIN}>",
        reply_to=f"play@{DOMAIN}",
        to="anna@example.com",
        message_id=f"<1@{DOMAIN}>",
        date=datetime(2026, 12, 1, 20, 0, tzinfo=UTC),
        headers={"List-Id": "<g7.games>"},
    )
)


def holds(raw: bytes) -> bool:
    def record(name: bytes, timeout: int = 5) -> bytes | None:
        found = NAMES(name.decode().rstrip("."), "TXT")
        return found[0].encode() if found else None

    try:
        verified: bool = dkim.DKIM(raw).verify(dnsfunc=record)
    except dkim.ValidationError:
        return False
    return verified


def test_a_signed_letter_verifies() -> None:
    raw = SIGNER.sign(LETTER)
    assert raw.endswith(LETTER)
    assert holds(raw)
    assert signature.vouches(raw, DOMAIN, NAMES, datetime.now(UTC)) is None


def test_it_is_signed_for_the_domain_relaxed_and_whole() -> None:
    field = SIGNER.sign(LETTER)[: -len(LETTER)].decode()
    tags = dict(part.strip().partition("=")[::2] for part in field.partition(":")[2].split(";"))
    assert (tags["d"], tags["s"], tags["c"]) == (DOMAIN, "s2048", "relaxed/relaxed")
    assert "l" not in tags
    assert "list-id" in tags["h"]


@pytest.mark.parametrize("name", ["From", "Subject", "Reply-To", "To", "Date", "Message-ID"])
def test_no_second_header_can_be_put_in(name: str) -> None:
    raw = SIGNER.sign(LETTER)
    assert not holds(f"{name}: rival@example.net\r\n".encode() + raw)


@pytest.mark.parametrize("name", [b"In-Reply-To", b"Received", b"X-Other"])
def test_what_is_not_there_and_not_at_stake_may_be_added_on_the_way(name: bytes) -> None:
    assert holds(name + b": x\r\n" + SIGNER.sign(LETTER))


def test_another_text_breaks_it() -> None:
    raw = SIGNER.sign(LETTER)
    assert b"a dot" in raw
    assert not holds(raw.replace(b"a dot", b"a dash"))


def test_a_key_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(key(2048)[0])
    signer = load_signer(DOMAIN, "s2048", file)
    assert holds(signer.sign(LETTER))
    assert "PRIVATE" not in repr(signer)


def test_what_is_no_key_is_named(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    with pytest.raises(ValueError, match=r"key\.pem cannot be read"):
        load_signer(DOMAIN, "s", file)
    file.write_text("-----BEGIN NONSENSE-----\nx\n-----END NONSENSE-----\n")
    with pytest.raises(ValueError, match="not an RSA key"):
        load_signer(DOMAIN, "s", file)
    file.write_bytes(key(512)[0])
    with pytest.raises(ValueError, match="512 bits"):
        load_signer(DOMAIN, "s", file)
