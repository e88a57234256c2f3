"""The schemas that programs read, open to everybody."""

import re
from pathlib import Path

from fastapi.testclient import TestClient

from pbem.judge import twin

GUIDE = Path(__file__).parents[2] / "docs" / "developers" / "json.md"


def test_the_schema_stands_where_the_guide_says(stranger: TestClient) -> None:
    (address,) = re.findall(r"`(/schemas/[^`]+)`", GUIDE.read_text(encoding="utf-8"))
    answer = stranger.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/schema+json"
    assert answer.content == twin.form()
