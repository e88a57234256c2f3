"""How calls leave: to public addresses only, without redirects, and within their time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest

from pbem.judge.webhooks import Failed
from workers import webhooks


class Taker(BaseHTTPRequestHandler):
    """Keeps what comes and answers with the status in the path."""

    seen: ClassVar[list[tuple[str, str, bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append((self.path, self.headers["webhook-id"], body))
        self.send_response(int(self.path.strip("/").partition("?")[0]))
        self.send_header("location", "http://127.0.0.1:1/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Nobody reads it."""


@contextmanager
def taker() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), Taker)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    Taker.seen.clear()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_post_is_taken_refused_or_ended() -> None:
    headers = {"webhook-id": "msg_1"}
    with taker() as port:
        at = f"http://127.0.0.1:{port}"
        assert webhooks.post(f"{at}/204?x=1", headers, b"{}") is None
        assert Taker.seen == [("/204?x=1", "msg_1", b"{}")]
        refused = webhooks.post(f"{at}/500", headers, b"{}")
        assert refused is not None
        assert not refused.gone
        gone = webhooks.post(f"{at}/410", headers, b"{}")
        assert gone is not None
        assert gone.gone


def test_a_redirect_is_not_followed() -> None:
    with taker() as port:
        failed = webhooks.post(f"http://127.0.0.1:{port}/302", {"webhook-id": "1"}, b"")
        assert failed is not None
        assert failed.why.startswith("302")
        assert len(Taker.seen) == 1


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.5", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
        *("0.0.0.0", "::1", "fd00::1", "fe80::1%eth0", "::ffff:10.0.0.1"),
    ],
)
def test_a_name_that_leads_into_our_own_network_is_not_called(address: str) -> None:
    failed = webhooks.post(
        "https://hooks.x.example/", {}, b"", look_up=lambda _host, _port: ["8.8.8.8", address]
    )
    assert failed == Failed("the address is not public", gone=True)


def test_a_name_that_nobody_knows_is_tried_again() -> None:
    def unknown(_host: str, _port: int) -> list[str]:
        raise OSError("no such host")

    failed = webhooks.post("https://hooks.x.example/", {}, b"", look_up=unknown)
    assert failed is not None
    assert not failed.gone
