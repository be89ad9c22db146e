"""A file written as a whole or not at all: the new one is made beside the old one, and then takes its place.

The new one is locked (flock) as long as its writer lives. What a killed writer left is not, and is swept by the next one.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import IO, Final

if sys.platform != "win32" and sys.platform != "emscripten":
    import fcntl

__all__ = ["Path", "replacing"]

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]

_ENDING: Final = ".saving"
# Where there are none, what another process has open cannot be removed (Windows), or there is no other process (a browser).
_LOCKS: Final = sys.platform not in ("win32", "emscripten")


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A binary file to write; when the `with` block ends it is on disk under `path`, with the owner and permissions of the
    file that was there. If the block raises, that file is still there, and nothing else.

    A link is followed: what it names is replaced, in its own folder. What is no regular file, as a device or a pipe, is
    written to as it is.

    Raises:
        OSError: the folder cannot be written to, or the disk is full.
    """
    target = os.fsdecode(path)
    named = os.path.realpath(target)
    if os.path.islink(named):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), target)
    before = _status(target)
    if before is not None and not (stat.S_ISREG(before.st_mode) and _is(before, named)):
        with open(target, "wb") as device:
            yield device
        return
    folder, name = os.path.split(named)
    beginning = f".{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}."  # short, however long the name is
    _sweep(folder, beginning)
    new = os.path.join(folder, f"{beginning}{secrets.token_hex(16)}{_ENDING}")
    try:  # an interrupt may come as soon as the file is there
        with _locked(new, before) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if _LOCKS:
                os.replace(new, named)
        if not _LOCKS:
            os.replace(new, named)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(new)
        raise
    _sync(folder)


def _status(path: str) -> os.stat_result | None:
    """None where there is nothing yet."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _is(status: os.stat_result, path: str) -> bool:
    """Whether this is the file of that name: one that is only open (`/dev/stdout`) may have none any more."""
    other = _status(path)
    return other is not None and os.path.samestat(status, other)


def _locked(path: str, before: os.stat_result | None) -> IO[bytes]:
    """A new file of this writer's, with the owner and permissions of the one before, or else those of any new file."""
    mode = 0o666 if before is None else stat.S_IMODE(before.st_mode) & 0o777
    while True:
        file = open(path, "x+b", opener=partial(os.open, mode=mode))  # noqa: SIM115 -- no Python between the system's call and the file
        if _lock(file, wait=True) and not _is(os.fstat(file.fileno()), path):  # swept before it was locked
            file.close()
            continue
        if before is not None and hasattr(os, "fchown"):
            with suppress(PermissionError):
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            with suppress(PermissionError):
                os.fchmod(file.fileno(), mode)
        return file


def _lock(file: IO[bytes], wait: bool = False) -> bool:
    """Whether nobody else has the file locked, and it is locked now. Disks that have no locks give False."""
    if not _LOCKS:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def _sweep(folder: str, beginning: str) -> None:
    """Remove what killed writers of the same file left."""
    with suppress(OSError), os.scandir(folder) as entries:
        left = [entry for entry in entries if entry.name.startswith(beginning) and entry.name.endswith(_ENDING)]
        for path in [entry.path for entry in left if entry.is_file(follow_symlinks=False)]:
            with suppress(OSError), open(path, "rb") as file:
                if _lock(file) and _is(os.fstat(file.fileno()), path):  # a new one may have the name of one that was swept
                    os.unlink(path)
            if not _LOCKS:
                with suppress(OSError):
                    os.unlink(path)


def _sync(folder: str) -> None:
    """The folder onto the disk, so that the new name outlives a loss of power. Some systems and disks cannot."""
    handles: list[int] = []
    with suppress(OSError):
        try:
            handles.extend(map(os.open, [folder], [os.O_RDONLY]))  # in one call: Ctrl-C after it would lose what it returns
            os.fsync(handles[0])
        finally:
            for handle in handles:
                os.close(handle)
