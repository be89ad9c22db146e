"""Files of data sets that are damaged or hostile, and what is said of each."""

from __future__ import annotations

import gzip
import struct
import zlib

from hostile_files.valid_files import DIGITS, KINDS

__all__ = ["CIFAR", "GZIPPED", "IDX", "IMAGES", "LINES", "TABLES"]

PACKED = gzip.compress(DIGITS, mtime=0)


def idx(*lengths: int, code: int = 8, body: bytes = b"", dims: int | None = None) -> bytes:
    """An IDX file with any header."""
    return struct.pack(f">HBB{len(lengths)}I", 0, code, len(lengths) if dims is None else dims, *lengths) + body


IDX = {
    "empty": (b"", "cut short: an IDX file's magic number"),
    "half a header": (DIGITS[:7], "cut short: the lengths"),
    "cut short": (DIGITS[:-1], r"cut short: an array of shape \(4, 5, 6\)"),
    "too long": (DIGITS + b"\0", "more bytes than its header tells"),
    "another magic number": (b"\1" + DIGITS[1:], "not an IDX file"),
    "an unknown dtype": (idx(1, code=7, body=b"\0"), "not an IDX file"),
    "no dims": (idx(body=b"\0"), "0 dims"),
    "200 dims": (idx(*[1] * 200, body=b"\0"), "200 dims"),
    "255 dims that are not there": (idx(dims=255), "255 dims"),
    "32 dims that are not there": (idx(dims=32), "cut short: the lengths"),
    "terabytes": (idx(2**32 - 1, 2**16, 2**10), "cut short: an array of shape"),
    "more than can be counted": (idx(*[2**32 - 1] * 32), "cut short: an array of shape"),
    "lengths without items that cannot be counted": (idx(0, 2**32 - 1, 2**32 - 1), "an array of shape"),
    "an npy file": (KINDS["npy"].content, "not an IDX file"),
}

GZIPPED = {
    "a start alone": (b"\x1f\x8b", "compressed data is damaged or cut short"),
    "of nothing": (gzip.compress(b""), "cut short: an IDX file's magic number"),
    "cut short": (PACKED[:-20], "compressed data is damaged or cut short"),
    "without its checksum": (PACKED[:-8], "compressed data is damaged or cut short"),
    "with another checksum": (PACKED[:-8] + b"\0" * 8, "compressed data is damaged or cut short"),
    "with another length": (PACKED[:-4] + b"\xff" * 4, "compressed data is damaged or cut short"),
    "by another method": (PACKED[:2] + b"\7" + PACKED[3:], "compressed data is damaged or cut short"),
    "damaged": (PACKED[:40] + b"\xff" * 20 + PACKED[60:], "damaged"),
    "and bytes behind it": (PACKED + b"more", "compressed data is damaged or cut short"),
    "and as much again": (PACKED * 2, "more bytes than its header tells"),
    "a name without an end": (PACKED[:3] + b"\x08" + PACKED[4:10] + b"a" * 100_000, "compressed data is damaged or cut short"),
    "a dictionary that is not there": (PACKED[:10] + zlib.compress(DIGITS)[2:4] + PACKED[10:], "damaged"),
    "terabytes": (gzip.compress(idx(2**32 - 1, 2**16, 2**10)), "cut short: an array of shape"),
    "a bomb": (lambda: gzip.compress(idx(70 << 20) + bytes(70 << 20), 1), "takes 73400320 bytes unpacked.* allow more by max_unpacked"),
    "a bomb behind the array": (lambda: gzip.compress(idx(1) + bytes(1 << 24), 1), "more bytes than its header tells"),
    "a bomb of empty ones": (lambda: gzip.compress(b"") * 2000, "cut short: an IDX file's magic number"),
}  # fmt: skip

CIFAR = {
    "empty": (b"", "0 bytes are not a whole number of records"),
    "cut short": (b"\0" * 3072, "3072 bytes are not a whole number"),
    "a byte too many": (b"\0" * 3074, "3074 bytes are not a whole number"),
    "a label beyond": (b"\x0a" + b"\0" * 3072, "label 10 in a record"),
}

TABLES = {
    "empty": (b"", "the file is empty"),
    "a short row": (b"a,b\n1,2\n3\n", "line 3 has 1 items"),
    "a long row": (b"a,b\n1,2\n3,4,5\n", "line 3 has 3 items"),
    "no UTF-8 far down": (b"a,b\n" + b"1,2\n" * 500 + b"\xff\n", "line 502: .*utf-8"),
    "a word": (b"a,b\n1,two\n", "line 2, item 2: 'two' is no number"),
    "an open quote": (b'a,b\n1,2\n1,"2', "line 3: .*damaged or cut short"),
    "no UTF-8": (b"a,b\n1,\xff\n", "line 2: .*utf-8"),
    "a NUL": (b"a,b\n1,\0\n", "line 2"),
    "an endless item": (b"a,b\n1," + b"1" * 200_000 + b"\n", "line 2: .*field larger"),
    "an endless line": (b"a," * 100_000 + b"\n1\n", "line 2 has 1 items"),
    "a pickle": (b"\x80\x04\x95\n", "line 1"),
}

LINES = {
    "no UTF-8": (b"one\ntwo\n\xff\xfe\n", "line 2: .*utf-8"),
    "half a character at the end": ("one\nü".encode()[:-1], "line 1: .*utf-8"),
}


def png(width: int, height: int, body: bytes = b"", kind: int = 0, depth: int = 1) -> bytes:
    """A grey PNG file of any size."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">2I5B", width, height, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")


GIF = b"GIF89a" + struct.pack("<HH", 65535, 65535) + b"\0" * 3 + b"," + struct.pack("<4HB", 0, 0, 65535, 65535, 0) + b"\2\0;"
BMP = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, 2**31 - 1, 2**31 - 1, 1, 24, 0, 0, 0, 0, 0, 0)

IMAGES = {
    "empty": (b"", "not an image"),
    "a text": (b"no image at all\n", "not an image"),
    "a start alone": (b"\x89PNG\r\n\x1a\n", "not an image"),
    "cut in half": (png(100, 100, b"\0" * 1400)[:50], "not an image"),
    "too few lines": (png(1000, 1000, b"\0" * 100), "not an image"),
    "no pixels": (png(0, 0), "not an image"),
    "gigapixels": (png(60_000, 60_000), "too large"),
    "more than can be counted": (png(2**31 - 1, 2**31 - 1), "too large"),
    "a bomb": (lambda: png(8500, 8500, b"\0" * (1063 * 8500), depth=1), "takes 72250000 bytes unpacked.*allow more by max_unpacked"),
    "a chunk of gigabytes": (b"\x89PNG\r\n\x1a\n" + b"\x7f\xff\xff\xffIHDR", "not an image"),
    "a PostScript program": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n(ls) (r) file\n", "not an image"),
    "a Photoshop file": (b"8BPS\0\1" + b"\0" * 100, "not an image"),
    "a GIF of nothing": (b"GIF89a" + b"\0" * 7 + b";", "not an image"),
    "a GIF of gigapixels": (GIF, "too large"),
    "a JPEG of nothing": (b"\xff\xd8\xff\xd9", "not an image"),
    "a BMP of terabytes": (BMP, "too large"),
    "a TIFF that names itself": (b"II*\0" + struct.pack("<IHI", 8, 0, 8), "not an image"),
    "a PPM of digits": (b"P6 " + b"9" * 5000 + b" 1 255\n", "not an image"),
}  # fmt: skip
