"""Whether two domains belong together (RFC 7489, 3.1): by their organisational domain."""

from functools import cache

from publicsuffixlist import PublicSuffixList

from .resolver import Lookup


def organisation(domain: str) -> str | None:
    """The organisational domain in lower case: `mail.example.co.uk` is `example.co.uk`'s.

    None for a public suffix itself, which is nobody's.
    """
    found: str | None = _suffixes().privatesuffix(domain.lower().rstrip("."))
    return found


def aligned(one: str, other: str) -> bool:
    """Whether both have the same organisational domain (relaxed alignment)."""
    found = organisation(one)
    return found is not None and found == organisation(other)


def wants_strict(domain: str, tag: str, lookup: Lookup) -> bool:
    """Whether the DMARC record of a From domain asks for equal domains; tag `adkim` or `aspf`.

    Raises TroubleError.
    """
    return _tags(domain, lookup).get(tag) == "s"


def _tags(domain: str, lookup: Lookup) -> dict[str, str]:
    """The tags of the one DMARC record that holds for a domain."""
    names = dict.fromkeys(name for name in (domain, organisation(domain)) if name)
    for name in names:
        records = [r for r in lookup(f"_dmarc.{name}", "TXT") if r.startswith("v=DMARC1")]
        if len(records) == 1:
            pairs = (part.partition("=") for part in records[0].split(";"))
            return {key.strip().lower(): value.strip().lower() for key, _, value in pairs}
    return {}


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
