"""Who a mail says it is from: one bare address, or the reason why it can be nobody's."""

import re
import unicodedata
from dataclasses import dataclass
from email import policy
from email.headerregistry import AddressHeader
from email.utils import parseaddr
from typing import cast

from .header import Mail, decoded, values

_ENCODED_WORD = re.compile(r"=\?[^?\s]{1,40}\?[bBqQ]\?[^?\s]*\?=")
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\((?:\\.|[^()\\])*\)')
_WRITTEN = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")
_LONGEST_ADDRESS = 254
_LONGEST_FROM = 1000
_DOMAIN = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*")
_LOCAL = re.compile(r"[^\s@<>()\[\]\\,;:\"\x00-\x1f\x7f]{1,64}")
# Scripts whose letters pass for Latin ones.
_LOOK_ALIKE_SCRIPTS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")


@dataclass(frozen=True, slots=True)
class From:
    """Exactly one of both is set: the address (domain in lower case), or the code of a refusal."""

    address: str | None
    refused: str | None


def read_sender(mail: Mail) -> From:
    """The sender, or why there is none.

    Codes: no-from, many-from, many-mailboxes, group, encoded-at, look-alike, unreadable-from.
    """
    found = values(mail, "From")
    if not found or not found[0].strip():
        return From(None, "no-from")
    if len(found) > 1:
        return From(None, "many-from")
    if len(found[0]) > _LONGEST_FROM:
        return From(None, "unreadable-from")
    return _read_value(found[0].strip())


def _read_value(raw: str) -> From:
    if _hides_an_at(raw):
        return From(None, "encoded-at")
    try:
        header = cast(AddressHeader, policy.default.header_factory("From", raw))
        groups, addresses = header.groups, header.addresses
    except Exception:  # the library's parser raises what it likes on broken input
        return From(None, "unreadable-from")
    if any(group.display_name is not None for group in groups):
        return From(None, "group")
    written = {each.casefold() for each in _WRITTEN.findall(_QUOTED.sub(" ", raw))}
    if len(addresses) > 1 or len(written) > 1:  # programs would pick this one or that
        return From(None, "many-mailboxes")
    if not addresses:
        return From(None, "unreadable-from")
    return _proved(addresses[0].addr_spec, raw)


def _hides_an_at(raw: str) -> bool:
    """Whether an encoded word holds "@": some programs show it as the address."""
    shown = (decoded(encoded) for encoded in _ENCODED_WORD.findall(raw))
    return any("@" in unicodedata.normalize("NFKC", text) for text in shown)


def _proved(addr_spec: str, raw: str) -> From:
    local, _, domain = addr_spec.rpartition("@")
    if len(addr_spec) > _LONGEST_ADDRESS or not local or not domain:
        return From(None, "unreadable-from")
    if parseaddr(raw)[1].casefold() != addr_spec.casefold():
        # Two parsers that disagree are two programs that show different senders.
        return From(None, "unreadable-from")
    if _looks_like_another(local) or _looks_like_another(_shown_domain(domain)):
        return From(None, "look-alike")
    ascii_domain = _ascii_domain(domain)
    if ascii_domain is None or not _LOCAL.fullmatch(local):
        return From(None, "unreadable-from")
    return From(f"{local}@{ascii_domain}", None)


def _shown_domain(domain: str) -> str:
    """The domain as a program shows it, with the letters that `xn--` stands for."""
    labels = []
    for label in domain.lower().split("."):
        try:
            shown = label.encode("ascii").decode("idna") if label.startswith("xn--") else label
        except UnicodeError:
            shown = label
        labels.append(shown)
    return ".".join(labels)


def _looks_like_another(text: str) -> bool:
    """Whether letters stand in it that pass for Latin ones, or that only compatibility folds."""
    if text.isascii():
        return False
    if unicodedata.normalize("NFKC", text) != unicodedata.normalize("NFC", text):
        return True
    names = [unicodedata.name(character, "") for character in text if not character.isascii()]
    return any(name.startswith(_LOOK_ALIKE_SCRIPTS) or not name for name in names)


def _ascii_domain(domain: str) -> str | None:
    try:
        bare = domain.lower().rstrip(".").encode("idna").decode("ascii")
    except UnicodeError:
        return None
    return bare if _DOMAIN.fullmatch(bare) else None
