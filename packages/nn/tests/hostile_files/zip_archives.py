"""Zip archives that are damaged or hostile, as .pt and as .npz files, and what is said of each."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
import zlib

from hostile_files.pt_files import rezipped, saved
from hostile_files.valid_files import KINDS

import lamina_tensor as lt

__all__ = ["PT_ARCHIVES", "npz", "overlapping"]

GOOD = saved()
DIRECTORY = GOOD.index(b"PK\x01\x02")
END = GOOD.rindex(b"PK\x05\x06")


def npz(method: int = zipfile.ZIP_DEFLATED, **members: bytes) -> bytes:
    """An archive of .npy files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return held.getvalue()


def overlapping(names: list[bytes], content: bytes) -> bytes:
    """Entries of a directory that all point to the same bytes, as bombs do that grow with the square of their size."""
    crc, size = zlib.crc32(content), len(content)
    header = struct.pack("<4s5H3I2H", b"PK\x03\x04", 0, 0, 0, 0, 0, crc, size, size, len(names[0]), 0) + names[0]
    entries = b"".join(
        struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 0, 0, 0, 0, 0, 0, crc, size, size, len(name), 0, 0, 0, 0, 0, 0) + name
        for name in names
    )
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, len(names), len(names), len(entries), len(header) + size, 0)
    return header + content + entries + end


def changed(at: int, what: bytes) -> bytes:
    """A good archive with other bytes at a place."""
    return GOOD[:at] + what + GOOD[at + len(what) :]


def twice() -> bytes:
    """An archive with one name for two records."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rezipped(GOOD, extra=[("archive/data/0", b"\0" * 24)])


PT_ARCHIVES = {
    "empty": (b"", "not a file of torch.save"),
    "a start alone": (b"PK\x03\x04", "not a whole zip"),
    "cut in half": (GOOD[: len(GOOD) // 2], "not a whole zip"),
    "without its end": (GOOD[:END], "not a whole zip"),
    "an end that is cut": (GOOD[:-1], "not a whole zip|not where"),
    "a directory without entries": (changed(END + 8, b"\0" * 12), "0 records data.pkl"),
    "a directory behind the end": (changed(END + 16, b"\xff\xff\xff\x7f"), "not a whole zip|leaves the file"),
    "a directory in front of the start": (changed(END + 12, b"\xff\xff\xff\x7f"), "not a whole zip"),
    "an entry behind the end": (changed(DIRECTORY + 42, b"\xff\xff\xff\x7f"), "not where the archive's directory says"),
    "an entry of gigabytes": (changed(DIRECTORY + 20, b"\xff\xff\xff\x7f" * 2), "overlaps others, leaves the file"),
    "an entry of two lengths": (changed(DIRECTORY + 24, b"\xff\0\0\0"), "compressed or encrypted"),
    "an entry of 0xffffffff bytes without zip64": (changed(DIRECTORY + 20, b"\xff" * 8), "not a whole zip|overlaps"),
    "an unknown method": (changed(DIRECTORY + 10, b"\x63\0"), "compressed or encrypted|not a whole"),
    "encrypted": (changed(DIRECTORY + 8, b"\1\0"), "compressed or encrypted"),
    "a name that is no UTF-8": (changed(DIRECTORY + 46, b"\xff\xfe"), "not a whole zip|not where"),
    "another name in front of the record": (changed(30, b"q"), "not where"),
    "deflated": (rezipped(saved({"zeros": lt.zeros(100_000)}), method=zipfile.ZIP_DEFLATED), "compressed"),
    "by bzip2": (rezipped(GOOD, method=zipfile.ZIP_BZIP2), "compressed"),
    "by LZMA": (rezipped(GOOD, method=zipfile.ZIP_LZMA), "compressed"),
    "TorchScript": (rezipped(GOOD, extra=[("archive/constants.pkl", b"")]), "TorchScript"),
    "two roots": (rezipped(GOOD, extra=[("other/data.pkl", b"")]), "2 records data.pkl"),
    "a byte order": (rezipped(GOOD, lambda name, data: b"middle" if name.endswith("byteorder") else data), "byte order"),
    "an empty pickle": (rezipped(GOOD, lambda name, data: b"" if name.endswith("pkl") else data), "at byte 0 of its pickle: cut off"),
    "one name for two records": (twice(), "twice"),
    "another kind of archive": (KINDS["npz"].content, "not of PyTorch"),
    "one place for two records": (overlapping([b"archive/data.pkl", b"archive/data/000"], b"abcd"), "overlaps|not where"),
    "one place for a thousand": (
        overlapping([b"archive/data.pkl", *(b"archive/data/%03d" % i for i in range(1000))], b"a" * 1000), "overlaps|not where",
    ),
    "a tar": (b"sys_info".ljust(257, b"\0") + b"ustar" + b"\0" * 1000, "tar archive"),
    "a .npy": (KINDS["npy"].content, r"begins with b'\\x93NUMPY"),
    "a program": (b"\x7fELF" + b"\0" * 600, "not a file of torch.save"),
    "a text": (b"import os\nos.system('ls')\n", "not a file of torch.save"),
}  # fmt: skip
