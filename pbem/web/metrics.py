"""Figures of the clock for Prometheus: only for programs on this machine.

A proxy on this machine would let everybody in, so what was forwarded is refused as well.
"""

import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from pbem.judge import clock
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Service, Site

router = APIRouter()

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """The heartbeat, the lag, the hold, and how much is due and not yet done."""
    site: Site = request.app.state.site
    if site.service is None or not _is_from_here(request):
        raise RefusedError(404, Reason.NO_PAGE)
    return Response(generate_latest(_figures(site.service)), media_type=CONTENT_TYPE_LATEST)


def _is_from_here(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    with suppress(ValueError):
        return ipaddress.ip_address(request.client.host).is_loopback
    return False


def _figures(service: Service) -> CollectorRegistry:
    """A registry of this one answer: all figures are in the database, none in a process."""
    with service.reading() as session:
        found = clock.overview(session, service.clock(), limit=1)
    registry = CollectorRegistry()
    _gauge(registry, "since_sweep_seconds", "Time since the last sweep.", found["since_sweep"])
    _gauge(registry, "lag_seconds", "How late the last sweep took up a deadline.", found["lag"])
    held = found["held_at"] is not None
    _gauge(registry, "held", "Whether the safety stop lets no deadline pass.", float(held))
    _overdue(registry, found["overdue"])
    return registry


def _gauge(registry: CollectorRegistry, name: str, says: str, value: Any) -> None:
    gauge = Gauge(f"pbem_clock_{name}", says, registry=registry)
    gauge.set(float("nan") if value is None else value)


def _overdue(registry: CollectorRegistry, counts: Mapping[str, int]) -> None:
    gauge = Gauge("pbem_due", "What is due and not yet done.", ["what"], registry=registry)
    for what, count in counts.items():
        gauge.labels(what).set(count)
