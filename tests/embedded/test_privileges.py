"""From root to a user of its own: what is handed over, what is refused, and what is left."""

import os
import pwd
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pbem.embedded.privileges import RunAsError, hand_over, identity

ROOT = os.geteuid() == 0
as_root = pytest.mark.skipif(not ROOT, reason="only root can become somebody else")
NOBODY = "nobody"


def test_nobody_named_is_nobody_to_become() -> None:
    assert identity(None) is None


def test_an_unknown_user_is_named() -> None:
    with pytest.raises(RunAsError, match="no user or group no-such-user"):
        identity("no-such-user")


def test_root_is_no_user_to_become() -> None:
    with pytest.raises(RunAsError, match="another user than root"):
        identity("root")


def test_who_is_not_root_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(RunAsError, match="only root can become nobody") as caught:
        identity(NOBODY)
    assert "\n" not in str(caught.value)


def test_the_user_that_we_are_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: pwd.getpwnam(NOBODY).pw_uid)
    assert identity(NOBODY) is None


@as_root
def test_a_folder_that_the_user_cannot_get_to_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "data").mkdir(parents=True)
    closed.chmod(0o700)
    heir = identity(NOBODY)
    assert heir is not None
    with pytest.raises(RunAsError, match=f"nobody cannot get to {closed / 'data'}"):
        hand_over(closed / "data", heir)
    assert os.geteuid() == 0


@as_root
def test_a_process_that_gave_up_root_cannot_take_it_back() -> None:
    heir = identity(NOBODY)
    assert heir is not None
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        (folder / "inside").mkdir()
        (folder / "inside" / "file").write_text("x")
        hand_over(folder, heir)
        assert {path.stat().st_uid for path in (folder, *folder.rglob("*"))} == {heir.user}
    program = (
        "import os, socket\n"
        "from pbem.embedded.privileges import become, identity\n"
        "become(identity('nobody'))\n"
        "print(os.getresuid(), os.getresgid(), os.getgroups())\n"
        "try:\n    os.setuid(0)\nexcept PermissionError:\n    print('not again')\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    told = ran.stdout.splitlines()
    assert told[0].startswith(f"{(heir.user,) * 3} {(heir.group,) * 3} ")
    assert told[1] == "not again"
