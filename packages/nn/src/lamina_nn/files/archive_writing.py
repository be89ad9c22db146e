"""The zip archive that PyTorch reads: the pickle, what the archive says of itself, and storages at aligned places.

Format: PKWARE's APPNOTE.TXT. Records are stored as they are, each behind its header, and listed in the directory at the end;
what is too long for 32 bits stands in an extra field of 64.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Sequence
from typing import IO, Any, Final, NamedTuple

from lamina_flatarray import FlatArray, backends

__all__ = ["write_archive"]

_ROOT: Final = "archive"
_ALIGNMENT: Final = 64
_PADDING_ID: Final = b"FB"  # the kind of extra field that PyTorch pads with
_PLAIN: Final = 20  # the version of the format
_WIDE: Final = 45  # and that with numbers of 64 bits
_IN_1980: Final = (0, 0x21)  # time and date, so that the same content gives the same file
_LONG = 0xFFFFFFFF  # from here on a number stands in an extra field
_ELSEWHERE: Final = 0xFFFFFFFF  # and this in its place
_UNIX: Final = 3 << 8
_READABLE: Final = 0o600 << 16
_HEADER: Final = struct.Struct("<4s5H3I2H")
_ENTRY: Final = struct.Struct("<4s6H3I5H2I")


class _Record(NamedTuple):
    name: bytes
    begin: int
    size: int
    crc: int

    @property
    def version(self) -> int:
        return _WIDE if max(self.size, self.begin) >= _LONG else _PLAIN


def _short(number: int) -> int:
    return number if number < _LONG else _ELSEWHERE


def write_archive(file: IO[bytes], program: bytes, storages: Sequence[FlatArray], byteorder: bool = True) -> None:
    """Write the archive of a pickle whose storages are numbered as they come.

    Args:
        file: an open binary file.
        program: the pickle.
        storages: the flat arrays, of any device.
        byteorder: whether the order of bytes is noted; a reader takes little-endian for granted where it is not.
    """
    archive = _Writer(file)
    archive.write("data.pkl", program)
    archive.write(".format_version", b"1")
    archive.write(".storage_alignment", str(_ALIGNMENT).encode())
    if byteorder:
        archive.write("byteorder", sys.byteorder.encode())
    for number, storage in enumerate(storages):
        archive.write(f"data/{number}", storage.to("cpu").bytes_view().data)
    archive.write("version", b"3\n")
    archive.write(".data/serialization_id", _identity(archive.records))
    archive.finish()


def _identity(records: Sequence[_Record]) -> bytes:
    """40 digits that tell files apart: 20 from the records' names, 20 from their checksums."""
    names = sums = 0
    for record in records:
        names = zlib.crc32(record.name, names)
        sums = zlib.crc32(record.crc.to_bytes(4, "little"), sums)
    return f"{names:020d}{sums:020d}".encode()


class _Writer:
    """Writes record after record, none of which it goes back to, so that a pipe will do."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        try:
            self.at = file.tell()
        except (AttributeError, OSError):
            self.at = 0
        self.records: list[_Record] = []

    def put(self, data: Any) -> None:
        self.file.write(data)
        self.at += len(data)

    def write(self, name: str, content: Any) -> None:
        record = _Record(f"{_ROOT}/{name}".encode(), self.at, len(content), backends.backend_for("cpu").crc32(content))
        wide = struct.pack("<HHQQ", 1, 16, record.size, record.size) if record.size >= _LONG else b""
        padding = -(self.at + _HEADER.size + len(record.name) + len(wide) + 4) % _ALIGNMENT
        extra = wide + _PADDING_ID + padding.to_bytes(2, "little") + b"Z" * padding
        size = _short(record.size)
        version = _WIDE if wide else _PLAIN
        self.put(_HEADER.pack(b"PK\3\4", version, 0, 0, *_IN_1980, record.crc, size, size, len(record.name), len(extra)))
        self.put(record.name + extra)
        self.put(content)
        self.records.append(record)

    def finish(self) -> None:
        """The directory, and where it is."""
        start, count = self.at, len(self.records)
        for record in self.records:
            long = [n for n in (record.size, record.size, record.begin) if n >= _LONG]
            extra = struct.pack(f"<HH{len(long)}Q", 1, 8 * len(long), *long) if long else b""
            size, version = _short(record.size), record.version
            self.put(
                _ENTRY.pack(
                    b"PK\1\2", _UNIX | version, version, 0, 0, *_IN_1980, record.crc, size, size, len(record.name), len(extra),
                    0, 0, 0, _READABLE, _short(record.begin),
                )
            )  # fmt: skip
            self.put(record.name + extra)
        length = self.at - start
        if max(start, length) >= _LONG or count >= 0xFFFF:
            end = self.at
            self.put(struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, _WIDE, _WIDE, 0, 0, count, count, length, start))
            self.put(struct.pack("<4sIQI", b"PK\6\7", 0, end, 1))
        few = min(count, 0xFFFF)
        self.put(struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, few, few, _short(length), _short(start), 0))
