"""From root to a user of its own, once what only root may have is had: the ports below 1024."""

import grp
import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from pbem.settings import StartError


class RunAsError(StartError):
    """The process cannot become the user that `PBEM_RUN_AS` names."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A user as the kernel knows it; `groups` are its supplementary groups."""

    user: int
    group: int
    groups: tuple[int, ...]


def identity(run_as: str | None) -> Identity | None:
    """Who to become: `user` or `user:group`. None if nobody is named, or we are that user already.

    Raises RunAsError.
    """
    if run_as is None:
        return None
    name, _, group_name = run_as.partition(":")
    try:
        user = pwd.getpwnam(name)
        group = grp.getgrnam(group_name).gr_gid if group_name else user.pw_gid
    except KeyError:
        raise RunAsError(f"PBEM_RUN_AS is wrong: there is no user or group {run_as}") from None
    if user.pw_uid == 0:
        raise RunAsError("PBEM_RUN_AS is wrong: it must name another user than root")
    if os.geteuid() == user.pw_uid:
        return None
    if os.geteuid() != 0:
        raise RunAsError(
            f"PBEM_RUN_AS: only root can become {name}; start the service as root or as {name}, "
            "or leave PBEM_RUN_AS empty"
        )
    groups = {group} if group_name else set(os.getgrouplist(name, group))
    return Identity(user.pw_uid, group, tuple(sorted(groups)))


def settle(run_as: str | None, folder: Path) -> None:
    """Become the named user now, with the folder of the service. Raises RunAsError."""
    heir = identity(run_as)
    if heir is not None:
        hand_over(folder, heir)
        become(heir)


def hand_over(folder: Path, heir: Identity) -> None:
    """Give a folder and all that is in it to who is to run the service. Raises RunAsError."""
    os.chown(folder, heir.user, heir.group, follow_symlinks=False)
    for inside, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(inside, name), heir.user, heir.group, follow_symlinks=False)
    if not _can_enter(folder, heir):
        raise RunAsError(
            f"PBEM_RUN_AS: {pwd.getpwuid(heir.user).pw_name} cannot get to {folder}; "
            "set PBEM_DATA_DIR to a folder that is not inside a closed one"
        )


def _can_enter(folder: Path, heir: Identity) -> bool:
    """Whether the way to a folder is open: the home of root, for one, is closed to others."""
    groups = os.getgroups()
    os.setgroups(heir.groups)
    os.setegid(heir.group)
    os.seteuid(heir.user)
    try:
        return os.access(folder, os.W_OK | os.X_OK, effective_ids=True)
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def become(heir: Identity) -> None:
    """Give up root for good."""
    os.setgroups(heir.groups)
    os.setresgid(heir.group, heir.group, heir.group)
    os.setresuid(heir.user, heir.user, heir.user)
