"""Postfix and Dovecot of the distribution, on loopback, each with a configuration of its own in a
folder of its own, started and ended as root."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PATIENCE = 60.0

# One line a service: name, type, private, unprivileged, chroot, wakeup, limit, command.
_MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
"""

_DOVECOT = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail/%u
first_valid_uid = 1
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={owner} gid={group} home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


@contextmanager
def postfix(folder: Path, settings: str, port: int) -> Iterator[None]:
    """A Postfix that takes mail on that port; `settings` are lines of main.cf from the manual,
    besides what makes it one of its own."""
    conf = folder / "conf"
    conf.mkdir(parents=True)
    for name in ("spool", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix", "postfix")
    own = {
        "compatibility_level": "3.6",
        "queue_directory": folder / "spool",
        "data_directory": folder / "data",
        "maillog_file": folder / "log",
        "maillog_file_prefixes": folder,
        "inet_interfaces": "127.0.0.1",
        "inet_protocols": "ipv4",
        "mydestination": "",
        "alias_maps": "",
        "alias_database": "",
        # Whoever brings a mail here stands for a server outside, whose headers stay as they are.
        "local_header_rewrite_clients": "",
        "minimal_backoff_time": "1s",
        "queue_run_delay": "1s",
    }
    lines = [f"{name} = {value}" for name, value in own.items()]
    (conf / "main.cf").write_text("\n".join([*lines, settings, ""]))
    (conf / "master.cf").write_text(_MASTER.format(port=port))
    _run("postfix", "-c", str(conf), "start")
    try:
        _wait_for(port, folder / "log")
        yield
    finally:
        _run("postfix", "-c", str(conf), "stop")


@contextmanager
def dovecot(folder: Path, port: int) -> Iterator[None]:
    """A Dovecot with a mailbox for every user, whose password is "secret"."""
    (folder / "mail").mkdir(parents=True, exist_ok=True)
    keeper = pwd.getpwnam("mail")
    os.chown(folder / "mail", keeper.pw_uid, keeper.pw_gid)
    conf = folder / "dovecot.conf"
    conf.write_text(
        _DOVECOT.format(folder=folder, port=port, owner=keeper.pw_uid, group=keeper.pw_gid)
    )
    # Sessions that are open outlive their master: all that belongs to it is ended by its group.
    process = subprocess.Popen(["dovecot", "-F", "-c", str(conf)], start_new_session=True)
    try:
        _wait_for(port, folder / "log")
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(_PATIENCE)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def wait_until(true: Callable[[], object]) -> None:
    """Look again and again until it is true."""
    until = time.monotonic() + _PATIENCE
    while not true():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + done.stdout


def _wait_for(port: int, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    said = log.read_text() if log.exists() else "nothing"
    raise AssertionError(f"nothing answers on port {port}; the log says: {said}")
