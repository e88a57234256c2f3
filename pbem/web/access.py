"""Who may see the mailbox: a browser that once brought the key, and only by our own name.

A key in a link is swapped for a cookie, signed with the key. Other sites in the same browser are
kept out three times: the cookie is SameSite=Strict, forms carry a token bound to it, and their
Origin must be ours. The Host header is checked, so that no foreign name can be pointed at us.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response

from pbem.web.origin import is_called_by, is_own_form, own_names, same
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Mailbox, Site


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that may see the mailbox; `form_token` belongs into its forms."""

    mailbox: Mailbox
    form_token: str


def mailbox_here(request: Request) -> Mailbox:
    """The mailbox, called by our own name. Raises RefusedError."""
    site: Site = request.app.state.site
    if site.mailbox is None:
        raise RefusedError(404, Reason.NO_MAILBOX)
    names = own_names(site.mailbox.public_url, site.mailbox.http.host)
    if not is_called_by(request, names):
        raise RefusedError(403, Reason.FOREIGN_HOST)
    return site.mailbox


def visit(request: Request, mailbox: Annotated[Mailbox, Depends(mailbox_here)]) -> Visit:
    """A request with the cookie that the key was swapped for. Raises RefusedError."""
    cookie = request.cookies.get(cookie_name(mailbox), "")
    nonce, _, signature = cookie.partition(".")
    if not same(signature, _signed(mailbox, "visit", nonce)):
        raise RefusedError(403, Reason.NO_KEY)
    return Visit(mailbox, _signed(mailbox, "form", cookie))


def admit(mailbox: Mailbox, key: str, response: Response) -> None:
    """Swap the right key for a cookie. Raises RefusedError for a wrong one."""
    if not same(key, mailbox.key):
        raise RefusedError(403, Reason.WRONG_KEY)
    nonce = secrets.token_hex(16)
    set_cookie(response, cookie_name(mailbox), f"{nonce}.{_signed(mailbox, 'visit', nonce)}")


def check_form(request: Request, visit: Visit, token: str) -> None:
    """Whether a form is one of ours, sent from our own page. Raises RefusedError."""
    if not is_own_form(request) or not same(token, visit.form_token):
        raise RefusedError(403, Reason.FOREIGN_FORM)


def cookie_name(mailbox: Mailbox) -> str:
    """Browsers share cookies between the ports of a host, so the port stands in the name."""
    return f"pbem_visit_{mailbox.http.port}"


def set_cookie(response: Response, name: str, value: str, max_age: int | None = None) -> None:
    """A cookie that scripts and other sites do not get; for the session if `max_age` is None."""
    response.set_cookie(
        name, value, max_age=max_age, path="/mailbox", httponly=True, samesite="strict"
    )


def _signed(mailbox: Mailbox, purpose: str, content: str) -> str:
    message = f"{purpose}/1|{content}".encode()
    return hmac.new(mailbox.key.encode(), message, hashlib.sha256).hexdigest()
