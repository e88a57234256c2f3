"""A way in for mails that a provider hands over by HTTP: raw, signed, and stored before the 2xx.

The signature covers the time, the envelope and the message: nobody else can hand one over, and one
that was overheard is worthless after a few minutes; before that it is deduplicated.
"""

import hashlib
import hmac
import logging

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from pbem.judge import handed_on
from pbem.judge.handed_on import Taken
from pbem.mail.smtpd import Limits
from pbem.store.tables import Source
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Service, Site

log = logging.getLogger(__name__)
router = APIRouter()

TIME, SIGNATURE = "x-pbem-timestamp", "x-pbem-signature"
FROM, TO = "x-pbem-mail-from", "x-pbem-rcpt-to"

CLOCKS_APART = 300
"""Seconds that the time of a request may be away from ours."""

MOST_BYTES = Limits().message_size
MOST_RECIPIENTS = Limits().recipients
_RETRY_AFTER = {"Retry-After": "30"}


def sign(secret: str, time: str, mail_from: str, rcpt_to: str, raw: bytes) -> str:
    """`sha256=` and the HMAC of the first three headers, a line each, and the message."""
    head = f"{time}\n{mail_from}\n{rcpt_to}\n".encode()
    return "sha256=" + hmac.new(secret.encode(), head + raw, hashlib.sha256).hexdigest()


@router.post("/mail/in")
async def mail_in(request: Request) -> JSONResponse:
    """Take a mail in. 200 once it is durable; 403 unsigned, 413 too large, 422 for nobody here, 503
    for later."""
    service = _service(request)
    assert service.webhook_secret is not None
    raw = await _body(request)
    if raw is None:
        return _said(413, f"at most {MOST_BYTES} bytes")
    headers = request.headers
    given = [headers.get(name, "") for name in (TIME, FROM, TO)]
    time, mail_from, rcpt_to = given
    right = sign(service.webhook_secret, time, mail_from, rcpt_to, raw)
    if not hmac.compare_digest(headers.get(SIGNATURE, "").encode(), right.encode()):
        return _said(403, "the signature is wrong")
    if not time.isdecimal() or abs(service.clock().timestamp() - int(time)) > CLOCKS_APART:
        return _said(403, "the time is wrong")
    to = tuple(filter(None, (at.strip().strip("<>") for at in rcpt_to.split(","))))
    if len(to) > MOST_RECIPIENTS:
        return _said(422, f"at most {MOST_RECIPIENTS} recipients")
    envelope = mail_from.strip().strip("<>") if FROM in headers else None
    try:
        taken = await run_in_threadpool(_take, service, raw, to, envelope)
    except Exception:
        log.exception("a mail could not be stored")
        return _said(503, "please try again later", _RETRY_AFTER)
    for game_id in taken.games:
        service.play(game_id)
    found = {"taken": len(taken.receipts), "refused": dict(taken.refused)}
    return JSONResponse(found, 200 if taken.receipts else 422)


def _take(service: Service, raw: bytes, to: tuple[str, ...], mail_from: str | None) -> Taken:
    with service.writing() as session:
        return handed_on.take(
            session,
            service.house,
            raw,
            Source.WEBHOOK,
            service.clock(),
            to=to,
            mail_from=mail_from,
        )


async def _body(request: Request) -> bytes | None:
    """The message; None as soon as it is too large, whatever its length was said to be."""
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        return None
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MOST_BYTES:
            return None
    return bytes(raw)


def _service(request: Request) -> Service:
    site: Site = request.app.state.site
    if site.service is None or site.service.webhook_secret is None:
        raise RefusedError(404, Reason.NO_PAGE)
    return site.service


def _said(status: int, why: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": why}, status, headers)
