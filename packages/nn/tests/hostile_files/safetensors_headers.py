"""safetensors files, and indices over several, that are damaged or hostile, and what is said of each."""

from __future__ import annotations

import json
import struct

__all__ = ["FILES", "INDICES"]


def stored(header: bytes, body: bytes = b"", length: int | None = None) -> bytes:
    """A file with any header."""
    return struct.pack("<Q", len(header) if length is None else length) + header + body


def entry(dtype: str = "F32", shape: str = "[3]", offsets: str = "[0,12]", body: bytes = b"\0" * 12) -> bytes:
    """One whose header says this of its one tensor."""
    return stored(f'{{"a":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}'.encode(), body)


DAMAGED = "not a whole safetensors file"
ONE = b'"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}'

FILES = {
    "empty": (b"", DAMAGED),
    "half a length": (b"\0" * 7, DAMAGED),
    "no header": (b"\0" * 8, DAMAGED),
    "a header of 2**62 bytes": (stored(b"{}", length=2**62), DAMAGED),
    "a header of 2**64 - 1 bytes": (stored(b"{}", length=2**64 - 1), DAMAGED),
    "a header that is cut off": (stored(b"{" + ONE, length=500), DAMAGED),
    "a header that is no JSON": (stored(b"["), DAMAGED),
    "a header that is a list": (stored(b"[]"), DAMAGED),
    "a header that is no UTF-8": (stored(b'{"\xff":1}'), DAMAGED),
    "a header of brackets": (stored(b"[" * 100_000), DAMAGED),
    "a header of dicts": (stored(b'{"a":' * 50_000), DAMAGED),
    "an entry that is a number": (stored(b'{"a":1}'), DAMAGED),
    "an entry without a dtype": (stored(b'{"a":{"shape":[4],"data_offsets":[0,4]}}', b"\0" * 4), DAMAGED),
    "an unknown dtype": (entry("WHAT"), DAMAGED),
    "a name of half a character": (stored(b'{"\\ud800":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}', b"\0" * 4), DAMAGED),
    "one name twice": (stored(b"{" + ONE + b"," + ONE.replace(b"0,4", b"4,8") + b"}", b"\0" * 8), DAMAGED),
    "metadata of numbers": (stored(b'{"__metadata__":{"a":1}}'), DAMAGED),
    "metadata in metadata": (stored(b'{"__metadata__":{"a":{}}}'), DAMAGED),
    "metadata of a list": (stored(b'{"__metadata__":["a"]}'), DAMAGED),
    "cut off": (entry(body=b"\0" * 11), DAMAGED),
    "too long": (entry(body=b"\0" * 13), DAMAGED),
    "a shape of another size": (entry(shape="[4]"), DAMAGED),
    "a hole in front": (entry(offsets="[4,16]", body=b"\0" * 16), DAMAGED),
    "backwards": (entry(offsets="[12,0]"), DAMAGED),
    "a negative offset": (entry(offsets="[-12,0]"), DAMAGED),
    "an offset of 2**64": (entry(offsets=f"[0,{2**64}]"), DAMAGED),
    "an offset with a fraction": (entry(offsets="[0,12.0]"), DAMAGED),
    "a negative length": (entry(shape="[-3]"), DAMAGED),
    "lengths that overflow": (entry(shape="[4611686018427387905]", offsets="[0,4]", body=b"\0" * 4), DAMAGED),
    "lengths that overflow to nothing": (entry(shape="[4294967296,4294967296]", offsets="[0,0]", body=b""), DAMAGED),
    "no items of more than can be counted": (entry(shape=f"[0,{2**62},{2**62}]", offsets="[0,0]", body=b""), f"{DAMAGED}|too many|shape"),
    "100 dims": (entry("U8", str([1] * 100), "[0,1]", b"\0"), "dims|shape"),
    "two tensors in one place": (
        stored(b"{" + ONE + b',"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}}', b"\0" * 6), DAMAGED
    ),
    "bools of 2": (entry("BOOL", offsets="[0,3]", body=b"\0\1\2"), "its byte 2 is 2"),
    "a dtype that is not here": (entry("F8_E4M3", offsets="[0,3]", body=b"\0" * 3), "a in .* has dtype F8_E4M3"),
    "a pickle": (b"\x80\x02K\x01.", DAMAGED),
}  # fmt: skip

NO_INDEX = "is not an index"
NOT_BESIDE = "which is not beside it"


def naming(file: str) -> bytes:
    """An index whose one tensor is in this file."""
    return json.dumps({"weight_map": {"x": file}}).encode()


INDICES = {
    "empty": (b"", NO_INDEX),
    "a list": (b"[]", NO_INDEX),
    "half": (b"{", NO_INDEX),
    "brackets": (b"[" * 100_000, NO_INDEX),
    "no UTF-8": (b'{"weight_map": {"\xff": "one.safetensors"}}', NO_INDEX),
    "digits": (b'{"weight_map": ' + b"9" * 10_000 + b"}", NO_INDEX),
    "no map": (b'{"metadata": {}}', NO_INDEX),
    "a map that is a list": (b'{"weight_map": ["one.safetensors"]}', NO_INDEX),
    "a file that is a number": (b'{"weight_map": {"x": 1}}', NO_INDEX),
    "a path up": (naming("../one.safetensors"), NOT_BESIDE),
    "a path from the root": (naming("/etc/passwd"), NOT_BESIDE),
    "the folder": (naming("."), NOT_BESIDE),
    "the folder above": (naming(".."), NOT_BESIDE),
    "no file": (naming(""), NOT_BESIDE),
    "a file that is not there": (naming("two.safetensors"), NOT_BESIDE),
    "a name with NUL": (naming("one\0"), NOT_BESIDE),
    "a name of half a character": (b'{"weight_map": {"x": "\\udfff"}}', NOT_BESIDE),
    "a name of 10,000 characters": (naming("a" * 10_000), NOT_BESIDE),
    "the index itself": (naming("hostile.json"), DAMAGED),
    "a tensor that is not there": (naming("one.safetensors").replace(b'"x"', b'"z"'), "has no tensor 'z'"),
}
