"""The records of a PyTorch file, which is a zip archive of uncompressed entries; each is checked before it is read.

Format: https://docs.pytorch.org/docs/stable/notes/serialization.html and PKWARE's APPNOTE.TXT. A record takes no more
memory than the bytes that it has in the file, and no byte belongs to two records.
"""

from __future__ import annotations

import os
import struct
import sys
import zipfile
from typing import IO, Any, Final, NamedTuple

import numpy as np

from lamina_flatarray import CheckpointError, backends

__all__ = ["Archive"]

_LOCAL_HEADER: Final = struct.Struct("<4s5H3I2H")
_UTF8: Final = 0x800  # the flag of an entry whose name is UTF-8
_AT_ONCE: Final = 1 << 20
_DAMAGE: Final = (  # what zipfile has been seen to raise for archives with wrong bytes in them
    zipfile.BadZipFile, struct.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError, LookupError,
)  # fmt: skip


class _Record(NamedTuple):
    begin: int
    size: int
    crc: int


class Archive:
    """An open archive: which records it has, and their bytes.

    Args:
        file: an open binary file that can seek.
        name: what errors call it.
        mapped: whether records are parts of the file mapped into memory (privately), which are not checksummed.

    Attributes:
        name: what errors call it.
        mapped: as it was given.
        foreign: whether numbers are of the other byte order than this machine's.

    Raises:
        CheckpointError: it is no such archive, or damaged.
    """

    def __init__(self, file: IO[bytes], name: str, mapped: bool = False) -> None:
        self.name = name
        self._file = file
        _refuse_other_formats(file, name)
        self._records = self._found()
        self.mapped = mapped
        self._map: Any = np.memmap(file, np.uint8, "c").view(np.ndarray) if mapped else None
        roots = [path.removesuffix("data.pkl") for path in self._records if path.count("/") == 1 and path.endswith("/data.pkl")]
        if len(roots) != 1:
            raise CheckpointError(f"load: {name} is a zip archive, but not of PyTorch: it has {len(roots)} records data.pkl, not one")
        self._root = roots[0]
        if f"{self._root}constants.pkl" in self._records:
            raise CheckpointError(f"load: {name} is a TorchScript archive: a program, which is not run here")
        order = bytes(self.read("byteorder").data) if "byteorder" in self else b"little"
        if order not in (b"little", b"big"):
            raise CheckpointError(f"load: {name} has the byte order {order[:20]!r}; it is either little or big")
        self.foreign = order.decode() != sys.byteorder

    def __contains__(self, record: str) -> bool:
        return self._root + record in self._records

    def size(self, record: str) -> int:
        """How many bytes a record has.

        Raises:
            CheckpointError: there is no such record.
        """
        return self._record(record).size

    def read(self, record: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The bytes of a record, checked against its checksum; of a mapped archive a part of the map, unchecked.

        Raises:
            CheckpointError: there is no such record, or it is damaged.
        """
        entry = self._record(record)
        if self._map is not None:
            mapped: np.ndarray[Any, np.dtype[np.uint8]] = self._map[entry.begin : entry.begin + entry.size]
            return mapped
        raw = np.empty(entry.size, np.uint8)
        self.read_into(record, raw)
        return raw

    def read_into(self, record: str, room: Any) -> None:
        """Read the bytes of a record, checked against its checksum, to the start of a writable buffer that has room for them.

        Raises:
            CheckpointError: there is no such record, or it is damaged.
        """
        entry = self._record(record)
        self._file.seek(entry.begin)
        position, crc, view = 0, 0, memoryview(room)
        checksum = backends.backend_for("cpu").crc32
        while position < entry.size:
            part = view[position : min(position + _AT_ONCE, entry.size)]
            count = self._fill(part)
            if not count:
                raise CheckpointError(f"load: {self.name} is cut off within its record {record!a}")
            crc = checksum(part[:count], crc)  # while the part is in the cache
            position += count
        if self._summed and crc != entry.crc:
            raise CheckpointError(f"load: the record {record!a} of {self.name} is damaged: its checksum (CRC-32) is wrong")

    def _fill(self, part: memoryview[Any]) -> int:
        if hasattr(self._file, "readinto"):
            return self._file.readinto(part) or 0
        data = self._file.read(len(part))
        part[: len(data)] = data
        return len(data)

    def _record(self, record: str) -> _Record:
        result = self._records.get(self._root + record)
        if result is None:
            raise CheckpointError(f"load: {self.name} has no record {record[:60]!a}, which its contents ask for")
        return result

    def _found(self) -> dict[str, _Record]:
        """The records by path, none of which overlaps another or leaves the file."""
        try:
            with zipfile.ZipFile(self._file) as archive:
                entries, end = archive.infolist(), archive.start_dir
        except _DAMAGE as error:
            raise CheckpointError(f"load: {self.name} is not a whole zip archive: {error}") from error
        # PyTorch writes 0 everywhere where it was told to leave checksums out.
        self._summed = any(entry.CRC for entry in entries)
        result: dict[str, _Record] = {}
        free = 0  # where the next record may begin
        for entry in sorted(entries, key=lambda entry: entry.header_offset):
            path = entry.filename
            if entry.compress_type != zipfile.ZIP_STORED or entry.compress_size != entry.file_size or entry.flag_bits & 1:
                raise CheckpointError(f"load: the record {path[:60]!a} of {self.name} is compressed or encrypted; PyTorch writes neither")
            begin = self._begin(entry)
            if entry.header_offset < free or begin + entry.file_size > end or path in result:
                raise CheckpointError(f"load: the record {path[:60]!a} of {self.name} overlaps others, leaves the file or is twice there")
            free = begin + entry.file_size
            result[path] = _Record(begin, entry.file_size, entry.CRC)
        return result

    def _begin(self, entry: zipfile.ZipInfo) -> int:
        """Where an entry's bytes begin: behind its own header, which must be there and of the same name."""
        self._file.seek(max(0, entry.header_offset))
        header = self._file.read(_LOCAL_HEADER.size)
        if len(header) == _LOCAL_HEADER.size:
            mark, _, _, method, _, _, _, _, _, name_length, extra_length = _LOCAL_HEADER.unpack(header)
            name = self._file.read(name_length)
            encoding = "utf-8" if entry.flag_bits & _UTF8 else "cp437"
            if mark == b"PK\x03\x04" and method == 0 and name == entry.orig_filename.encode(encoding, "replace"):
                return int(entry.header_offset + _LOCAL_HEADER.size + name_length + extra_length)
        raise CheckpointError(f"load: the record {entry.filename[:60]!a} of {self.name} is not where the archive's directory says")


def _refuse_other_formats(file: IO[bytes], name: str) -> None:
    file.seek(0)
    start = file.read(512)
    if start[257:262] == b"ustar":
        raise CheckpointError(f"load: {name} is a tar archive, as of PyTorch before 0.2; load it in PyTorch, and save it anew")
    if start[:4] != b"PK\x03\x04":
        size = file.seek(0, os.SEEK_END)
        raise CheckpointError(f"load: {name} ({size} bytes) is not a file of torch.save: it begins with {start[:8]!r}")
