"""What every twin that a test makes is held against: the schema that we publish, and no more."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from pbem.judge import twin

_to_bytes = twin.to_bytes


def to_bytes(document: Mapping[str, Any]) -> bytes:
    """The bytes of a twin whose form is right; takes the place of `twin.to_bytes`."""
    raw = _to_bytes(document)
    assert faults(json.loads(raw)) == []
    return raw


def faults(document: Any) -> list[str]:
    """What is wrong with a twin; a field that the schema does not name is wrong, too."""
    return [f"{fault.instance_path}: {fault.message}" for fault in _strict().iter_errors(document)]


@cache
def _strict() -> Draft202012Validator:
    return Draft202012Validator(_closed(json.loads(twin.form())), validate_formats=True)


def _closed(schema: Any) -> Any:
    """The same schema, by which nothing may stand in a document that it does not name."""
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: _closed(part) for name, part in schema.items()}
    return parts | {"additionalProperties": False} if "properties" in schema else parts
