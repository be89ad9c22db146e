"""NumPy's files that are damaged or hostile, and what is said of each."""

from __future__ import annotations

import pickle
import struct
import zipfile

from hostile_files.valid_files import KINDS
from hostile_files.zip_archives import npz, overlapping

__all__ = ["ARCHIVES", "ARRAYS"]


def npy(header: str, body: bytes = b"", version: int = 1) -> bytes:
    """A .npy file with any header."""
    text = header.encode("latin-1")
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text + body


def described(descr: str = "'<f4'", order: str = "False", shape: str = "(3,)", body: bytes = b"\0" * 12) -> bytes:
    """One whose header says this of its items."""
    return npy(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}", body)


NONSENSE = "header of .* makes no sense"
ARRAYS = {
    "a start alone": (b"\x93NUM", "begins with"),
    "no header": (b"\x93NUMPY\1\0", "cut off in its header"),
    "version 9": (b"\x93NUMPY\x09\0\x10\0{}", "not a .npy file"),
    "a header of gigabytes": (b"\x93NUMPY\2\0\xff\xff\xff\x7f{}", "header of 2147483647 bytes"),
    "a header longer than NumPy reads": (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}" + " " * 10_000), "header of 10055"),
    "an empty header": (npy(""), NONSENSE),
    "a header without keys": (npy("{}"), NONSENSE),
    "a key too many": (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}"), NONSENSE),
    "a call": (described("__import__('os').getcwd()"), NONSENSE),
    "a comprehension": (described("[i for i in range(10**9)][0]"), NONSENSE),
    "a power": (described(shape="(9**9**9,)"), NONSENSE),
    "a header of brackets": (npy("(" * 9000), NONSENSE),
    "a header of minuses": (npy("-" * 9000 + "1"), NONSENSE),
    "a header of nots": (npy("not " * 2000 + "1"), NONSENSE),
    "a header of open dicts": (npy("{1:" * 3000), NONSENSE),
    "a header of lambdas": (npy("lambda:" * 1400 + "1"), NONSENSE),
    "a header of sums": (npy("1" + "+1" * 4000), NONSENSE),
    "a header of digits": (described(shape="(" + "9" * 9000 + ",)"), NONSENSE),
    "a header that is no text": (npy("\xff\xfe", version=3), NONSENSE),
    "a NUL in the header": (npy("{'descr': '<f4\0', 'fortran_order': False, 'shape': (3,)}"), NONSENSE),
    "cut off": (described(body=b"\0" * 11), "cut off: 12 bytes of items wanted, 11 are there"),
    "terabytes": (described(shape="(1000000000000,)"), "cut off: 4000000000000 bytes"),
    "more than can be counted": (described(shape="(2**61, 2**61)"), NONSENSE),
    "lengths without items that cannot be counted": (described(shape=f"(0, {2**61}, {2**61})", body=b""), "has the shape"),
    "a negative length": (described(shape="(-3,)"), NONSENSE),
    "a length that is True": (described(shape="(True,)"), NONSENSE),
    "a length that is a number": (described(shape="(3.0,)"), NONSENSE),
    "a shape that is a list": (described(shape="[3]"), NONSENSE),
    "a shape that is an int": (described(shape="3"), NONSENSE),
    "65 dims": (described(shape=str((1,) * 65), body=b"\0" * 4), NONSENSE),
    "an order that is 1": (described(order="1"), NONSENSE),
    "an object": (described("'|O'", body=pickle.dumps([1])), "Python objects"),
    "fields": (described("[('a', '<f4')]"), "lamina does not have"),
    "fields with objects": (described("[('a', '|O')]", body=pickle.dumps([1])), "Python objects|lamina does not have"),
    "fields in fields": (described("[('a', " * 60 + "'<f4'" + ")]" * 60), f"{NONSENSE}|lamina does not have"),
    "a dtype by a number": (described("4"), NONSENSE),
    "a dtype by a dict": (described("{'names': ['a'], 'formats': ['<f4'], 'itemsize': 2000000000}"), f"{NONSENSE}|does not have"),
    "a dtype of gigabytes": (described("'V2000000000'"), "lamina does not have"),
    "a dtype of more than can be counted": (described("'S" + "9" * 30 + "'"), NONSENSE),
    "a subarray": (described("'(1000000,1000000)f4'"), f"{NONSENSE}|does not have"),
    "dates": (described("'<M8[s]'"), "lamina does not have"),
    "texts": (described("'<U4'"), "lamina does not have"),
    "bools of 2": (described("'|b1'", body=b"\0\1\2"), "its byte 2 is 2"),
    "an odd place for items that are not there": (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} ", b"\0" * 23), "cut off"),
    "a pickle": (pickle.dumps([1, 2]), "neither a .npy nor"),
}  # fmt: skip

_ITEMS = described()
_ZEROS = described("'|u1'", shape=f"({70 << 20},)", body=b"")  # its zeros follow

ARCHIVES = {
    "an end alone": (b"PK\5\6" + b"\0" * 5, "not a whole .npz"),
    "cut in half": (KINDS["npz"].content[:100], "not a whole .npz"),
    "a text": (npz(a=_ITEMS).replace(b"a.npy", b"a.txt"), "no array"),
    "one array twice": (npz(a=_ITEMS, b=_ITEMS).replace(b"b.npy", b"a.npy"), "no array, or twice there"),
    "an empty array": (npz(a=b""), r"a\.npy is not a .npy"),
    "a cut array": (npz(a=_ITEMS[:-1]), r"a\.npy is cut off"),
    "an array and more": (npz(a=_ITEMS + b"more"), r"a\.npy' is longer"),
    "objects": (npz(a=described("'|O'", body=pickle.dumps([1]))), r"a\.npy holds Python objects"),
    "by bzip2": (npz(zipfile.ZIP_BZIP2, a=_ITEMS), "method that NumPy does not write"),
    "by LZMA": (npz(zipfile.ZIP_LZMA, a=_ITEMS), "method that NumPy does not write"),
    "a bomb": (lambda: npz(a=_ZEROS + bytes(70 << 20)), "takes 73400320 bytes unpacked.* allow more by max_unpacked"),
    "a bomb of many": (
        lambda: npz(**dict.fromkeys(map(str, range(20)), described("'|u1'", shape=f"({1 << 22},)", body=bytes(1 << 22)))),
        r"16\.npy takes .* bytes unpacked",
    ),
    "one place for a thousand arrays": (
        overlapping([b"%04d.npy" % i for i in range(1000)], described("'|u1'", shape="(500000,)", body=bytes(500_000))),
        "not a whole .npz|bytes unpacked",
    ),
    "an archive in an archive": (npz(a=npz(a=_ITEMS)), r"a\.npy is not a .npy"),
}  # fmt: skip
