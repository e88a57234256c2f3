"""A PostgreSQL database that lives as long as a bench."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg

from bench.table import opened
from pbem.store.engine import Engine


@contextmanager
def database(server: str) -> Iterator[Engine]:
    """An empty database on the server at the URL, dropped again at the end."""
    name = f"pbem_bench_{uuid.uuid4().hex}"
    address = urlsplit(server)
    admin = address._replace(scheme="postgresql").geturl()
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            with opened(address._replace(path=f"/{name}").geturl()) as engine:
                yield engine
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
