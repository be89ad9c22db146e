"""What was compiled, on disk: each under a key of all that it was made of, written as a whole or not at all, in a bounded folder."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["DiskCache", "cache_folder", "compile_cache"]

_DIGEST: Final = hashlib.sha256().digest_size


def cache_folder(name: str) -> Path:
    """Return where something is kept: what `LAMINA_{NAME}_CACHE` says, or a folder in the user's cache folder.

    Args:
        name: what is kept, such as "cuda".

    Returns:
        A folder, which need not exist.

    >>> cache_folder("cuda").parts[-2:]
    ('lamina', 'cuda')
    """
    named = os.environ.get(f"LAMINA_{name.upper()}_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lamina" / name


def compile_cache() -> DiskCache:
    """Return what keeps what is known of compiled functions, in the folder that LAMINA_COMPILE_CACHE names; without one it keeps nothing.

    Returns:
        A `DiskCache`.
    """
    named = os.environ.get("LAMINA_COMPILE_CACHE")
    return DiskCache(Path(named) if named else None, 64 << 20)


class DiskCache:
    """A folder of what was compiled, of which those that were not used for longest go when there are too many bytes.

    Args:
        folder: where they are; without it, or where it cannot be written, nothing is kept.
        most: how many bytes all of them have at most.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = DiskCache(Path(folder))
    ...     [cache.get(("source", "sm_90"), lambda: made) for made in (b"first", b"second")]
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
        binary = self.read(key)
        if binary is None:
            binary = compiled()
            self.keep(key, binary)
        return binary

    def read(self, key: tuple[str, ...]) -> bytes | None:
        """Return what is kept under a key; None where nothing is, or it is damaged.

        Args:
            key: all that the binary is made of.

        Returns:
            The binary, or None.
        """
        return None if self.folder is None else _read(self._file(self.folder, key))

    def keep(self, key: tuple[str, ...], binary: bytes) -> None:
        """Keep a binary under a key, as far as the folder can be written.

        Args:
            key: all that the binary is made of.
            binary: what is kept.
        """
        if self.folder is not None:
            with suppress(OSError):  # a disk that is full, or not ours: it is compiled again next time
                self._write(self._file(self.folder, key), binary)

    def _file(self, folder: Path, key: tuple[str, ...]) -> Path:
        return folder / hashlib.sha256("\0".join(key).encode()).hexdigest()

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
