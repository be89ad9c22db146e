"""A file written as a whole or not at all: the new one is made beside the old one, and then takes its place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

__all__ = ["replacing"]


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file to write; when the `with` block ends it is on disk under `path`, with the permissions of the file
    that was there. If the block raises, that file is still there, and nothing else.

    Raises:
        OSError: the folder cannot be written to.
    """
    target = os.fspath(path)
    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(dir=folder or ".", prefix=f".{name}.")
    os.close(handle)  # opened anew, so that the file knows its name
    try:
        with open(temporary, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
