"""The certificate that the mail door shows, read again when its files were renewed."""

import logging
import ssl
from pathlib import Path

log = logging.getLogger(__name__)


class Certificate:
    """A certificate with its chain, and its key, as PEM files."""

    def __init__(self, cert: Path, key: Path) -> None:
        """ValueError, in words for the operator, if the files make no pair."""
        self._cert, self._key = cert, key
        self._read_at = self._times()
        self._context = self._load()

    def context(self) -> ssl.SSLContext:
        """TLS 1.2 or newer, with the certificate as the files have it now.

        A renewal that is half done or wrong changes nothing: the old one is shown on.
        """
        try:
            times = self._times()
            if times != self._read_at:
                self._read_at = times
                self._context = self._load()
        except ValueError as error:
            log.warning("the renewed certificate cannot be used: %s", error)
        return self._context

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            context.load_cert_chain(self._cert, self._key, password=_no_password)
        except ssl.SSLError as error:
            reason = (error.reason or "").replace("_", " ").lower() or "no PEM of both"
            raise ValueError(f"{self._cert} and {self._key}: {reason}") from None
        except OSError as error:
            raise ValueError(f"{self._cert} or {self._key}: {error.strerror}") from None
        return context

    def _times(self) -> tuple[int, int]:
        try:
            return self._cert.stat().st_mtime_ns, self._key.stat().st_mtime_ns
        except OSError as error:
            raise ValueError(f"{error.filename}: {error.strerror}") from None


def _no_password() -> str:
    """A service cannot ask for one."""
    return ""
