"""The zip archive that PyTorch reads: the pickle, what the archive says of itself, and storages at aligned places."""

from __future__ import annotations

import sys
import zipfile
import zlib
from collections.abc import Sequence
from typing import IO, Any, Final

from lamina_flatarray import FlatArray

__all__ = ["write_archive"]

_ROOT: Final = "archive"
_ALIGNMENT: Final = 64
_PADDING_ID: Final = b"FB"  # the kind of extra field that PyTorch pads with
_HEADER_LENGTH: Final = 30
_ZIP64_LENGTH: Final = 20  # of the extra field that zipfile puts in front where a record is long
_LONG: Final = zipfile.ZIP64_LIMIT


def write_archive(file: IO[bytes], program: bytes, storages: Sequence[FlatArray]) -> None:
    """Write the archive of a pickle whose storages are numbered as they come.

    Args:
        file: an open binary file.
        program: the pickle.
        storages: the flat arrays, of any device.
    """
    about = {
        "data.pkl": program,
        ".format_version": b"1",
        ".storage_alignment": str(_ALIGNMENT).encode(),
        "byteorder": sys.byteorder.encode(),
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, content in about.items():
            _write(archive, name, memoryview(content))
        for number, storage in enumerate(storages):
            _write(archive, f"data/{number}", memoryview(storage.to("cpu").bytes_view()))
        _write(archive, "version", memoryview(b"3\n"))
        _write(archive, ".data/serialization_id", memoryview(_identity(archive)))


def _write(archive: zipfile.ZipFile, name: str, content: memoryview[Any]) -> None:
    entry = zipfile.ZipInfo(f"{_ROOT}/{name}")  # of 1980, so that the same content gives the same file
    entry.file_size = len(content)
    header = _HEADER_LENGTH + len(entry.filename) + (_ZIP64_LENGTH if len(content) * 1.05 > _LONG else 0)
    assert archive.fp is not None
    padding = -(archive.fp.tell() + header + 4) % _ALIGNMENT
    entry.extra = _PADDING_ID + padding.to_bytes(2, "little") + b"Z" * padding
    with archive.open(entry, "w") as member:
        member.write(content)


def _identity(archive: zipfile.ZipFile) -> bytes:
    """40 digits that tell files apart: 20 from the records' names, 20 from their checksums."""
    names = sums = 0
    for entry in archive.infolist():
        names = zlib.crc32(entry.filename.encode(), names)
        sums = zlib.crc32(entry.CRC.to_bytes(4, "little"), sums)
    return f"{names:020d}{sums:020d}".encode()
