"""Tasks of the tests: they leave a line in a file, so that another process sees what ran."""

import os
import time
from pathlib import Path

from celery import shared_task


def _note(path: str, text: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{text} {os.getpid()}\n")


@shared_task(name="orders.note")
def note(path: str, text: str) -> None:
    _note(path, text)


@shared_task(name="mail.slow_note")
def slow_note(path: str, text: str, seconds: float) -> None:
    _note(path, f"begun {text}")
    time.sleep(seconds)
    _note(path, f"ended {text}")


@shared_task(name="maintenance.context")
def say_domain(path: str) -> None:
    from workers import context

    _note(path, context.current().settings.domain)
