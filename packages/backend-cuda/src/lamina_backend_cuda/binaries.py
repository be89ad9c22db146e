"""Compiled kernels on disk: each under a key of all that it was made of, written as a whole or not at all, in a folder that is bounded."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["Binaries", "folder_of_binaries"]

_DIGEST: Final = hashlib.sha256().digest_size


def folder_of_binaries() -> Path:
    """Return where compiled kernels are kept: LAMINA_CUDA_CACHE, or `lamina/cuda` in the user's cache folder.

    Returns:
        A folder, which need not exist.
    """
    named = os.environ.get("LAMINA_CUDA_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lamina" / "cuda"


class Binaries:
    """A folder of compiled kernels, of which those that were not used for longest go when there are too many bytes.

    Args:
        folder: where they are; without it, or where it cannot be written, nothing is kept.
        most: how many bytes all of them have at most.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     binaries = Binaries(Path(folder))
    ...     [binaries.get(("source", "sm_90"), lambda: made) for made in (b"first", b"second")]
    [b'first', b'first']
    """

    def __init__(self, folder: Path | None, most: int = 256 << 20) -> None:
        self.folder = folder
        self.most = most

    def get(self, key: tuple[str, ...], compiled: Callable[[], bytes]) -> bytes:
        """Return what was compiled under a key before, or compile and keep it.

        Args:
            key: all that the binary is made of.
            compiled: makes it.

        Returns:
            The binary.
        """
        if self.folder is None:
            return compiled()
        file = self.folder / hashlib.sha256("\0".join(key).encode()).hexdigest()
        binary = _read(file)
        if binary is None:
            binary = compiled()
            with suppress(OSError):  # a disk that is full, or not ours: it is compiled again next time
                self._write(file, binary)
        return binary

    def _write(self, file: Path, binary: bytes) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, own = tempfile.mkstemp(dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as to:
                to.write(hashlib.sha256(binary).digest() + binary)
            os.replace(own, file)  # other processes see the whole of it, or nothing
        except BaseException:
            with suppress(OSError):
                os.unlink(own)
            raise
        self._bound(file)

    def _bound(self, newest: Path) -> None:
        entries = []
        for entry in os.scandir(newest.parent):
            with suppress(OSError):  # another process may have removed it
                entries.append((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self.most:
                return
            if path != str(newest):
                with suppress(OSError):
                    os.unlink(path)
                    total -= size


def _read(file: Path) -> bytes | None:
    """What is in a file, used now; None where there is none, or it is damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    binary = content[_DIGEST:]
    if hashlib.sha256(binary).digest() != content[:_DIGEST]:
        return None
    with suppress(OSError):
        os.utime(file)
    return binary
