"""Whether the process lives, and whether the service is ready: for monitors and Compose."""

import logging
from collections.abc import Mapping

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from pbem.web.site import Check, Site

log = logging.getLogger(__name__)
router = APIRouter()


@router.get("/healthz")
async def healthz() -> JSONResponse:
    """The process lives; nothing else is asked, so that it can always say so."""
    return JSONResponse({"status": "alive"})


@router.get("/readyz")
def readyz(request: Request) -> JSONResponse:
    """200 when all parts are up, else 503 with the reasons."""
    site: Site = request.app.state.site
    if reasons := unready(site.checks):
        return JSONResponse({"status": "not ready", "reasons": reasons}, status_code=503)
    return JSONResponse({"status": "ready"})


def unready(checks: Mapping[str, Check]) -> list[str]:
    """The reasons whose checks fail. A check that raises has failed, and the log says how."""
    return [reason for reason, check in checks.items() if not _passes(reason, check)]


def _passes(reason: str, check: Check) -> bool:
    try:
        return check()
    except Exception:
        log.warning("the check for %r failed", reason, exc_info=True)
        return False
