"""GGUF files that are damaged or hostile, and what is said of each."""

from __future__ import annotations

import struct

__all__ = ["BOMBS", "FILES"]

U8, U32, F32, BOOL, TEXT, ARRAY = 0, 4, 6, 7, 8, 9
CUT = "cut off"
NOT = "not a GGUF file"


def u32(*numbers: int) -> bytes:
    """Numbers of 4 bytes."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def u64(*numbers: int) -> bytes:
    """Numbers of 8 bytes."""
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def text(content: bytes, length: int | None = None) -> bytes:
    """A text with any length."""
    return u64(len(content) if length is None else length) + content


def file(*parts: bytes, tensors: int = 0, pairs: int = 0, version: int = 3, magic: bytes = b"GGUF") -> bytes:
    """A file with any head."""
    return magic + u32(version) + u64(tensors, pairs) + b"".join(parts)


def told(kind: int, value: bytes, key: bytes = b"a.key") -> bytes:
    """One whose metadata is this one pair."""
    return file(text(key) + u32(kind) + value, pairs=1)


def entry(
    name: bytes = b"a", shape: tuple[int, ...] = (4,), kind: int = 0, place: int = 0, dims: int | None = None
) -> bytes:
    """The entry of a tensor, which says anything."""
    return text(name) + u32(len(shape) if dims is None else dims) + u64(*shape) + u32(kind) + u64(place)


def holding(*entries: bytes, body: bytes = b"\0" * 64, alignment: bytes | None = None) -> bytes:
    """One with these tensors, and what lies behind them."""
    pairs = b"" if alignment is None else text(b"general.alignment") + alignment
    head = file(pairs, *entries, tensors=len(entries), pairs=alignment is not None)
    return head + b"\0" * (-len(head) % 32) + body


ONE = holding(entry(shape=(4, 4)))
NESTED = b"".join(u32(ARRAY) + u64(1) for _ in range(17))

FILES = {
    "empty": (b"", NOT),
    "a magic number alone": (b"GGUF", NOT),
    "half a head": (ONE[:23], NOT),
    "another magic number": (file(magic=b"GGML"), NOT),
    "a magic number turned round": (file(magic=b"FUGG"), NOT),
    "a pickle": (b"\x80\x02K\x01." + b"\0" * 30, NOT),
    "big-endian": (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), r"big-endian \(version 3\)"),
    "version 0": (file(version=0), "of version 0"),
    "version 1": (file(version=1), "of version 1;"),
    "version 4": (file(version=4), "of version 4"),
    "version 2**31": (file(version=2**31), "of version 2147483648"),
    "2**63 pairs": (file(pairs=2**63), CUT),
    "2**64 - 1 pairs": (file(b"\0" * 100, pairs=2**64 - 1), CUT),
    "pairs that are not there": (file(pairs=1), CUT),
    "2**63 tensors": (file(tensors=2**63), CUT),
    "2**64 - 1 tensors": (file(b"\0" * 100, tensors=2**64 - 1), CUT),
    "tensors that are not there": (file(tensors=1), CUT),
    "a key of 2**63 bytes": (file(text(b"a", 2**63) + b"\0" * 8, pairs=1), "at byte 32, a key should take 9223372036854775808 bytes"),
    "a key that is cut off": (file(text(b"a" * 10, 20) + b"\0" * 4, pairs=1), CUT),
    "a key that is no UTF-8": (told(U8, b"\0", b"\xff\xfe"), "a key is no UTF-8"),
    "a key twice": (file(*[text(b"k") + u32(U8) + b"\0"] * 2, pairs=2), "the key 'k' is there twice"),
    "a key without a type": (file(text(b"a.longer.key"), pairs=1), "the type of 'a.longer.key'"),
    "a type that there is not": (told(13, b"\0" * 8), "'a.key' has the type 13"),
    "a type of 2**32 - 1": (told(2**32 - 1, b"\0" * 8), "the type 4294967295"),
    "a number that is cut off": (told(U32, b"\0" * 3), "the value of 'a.key'"),
    "a bool of 2": (told(BOOL, b"\2"), "'a.key' is of bool, and a byte of it is 2"),
    "a text of 2**64 - 1 bytes": (told(TEXT, text(b"abc", 2**64 - 1)), CUT),
    "a text that is cut off": (told(TEXT, text(b"abc", 4)), CUT),
    "a text that is no UTF-8": (told(TEXT, text(b"\xc3\x28")), "the value of 'a.key' is no UTF-8"),
    "a text of half a character": (told(TEXT, text(b"\xed\xa0\x80")), "is no UTF-8"),
    "an array of 2**63 bytes": (told(ARRAY, u32(U8) + u64(2**63)), CUT),
    "an array whose size overflows": (told(ARRAY, u32(F32) + u64(2**62 + 1) + b"\0" * 4), CUT),
    "an array of 2**61 texts": (told(ARRAY, u32(TEXT) + u64(2**61) + b"\0" * 80), CUT),
    "an array of a type that there is not": (told(ARRAY, u32(99) + u64(1) + b"\0" * 8), "an array of the type 99"),
    "an empty array of a type that there is not": (told(ARRAY, u32(99) + u64(0)), "an array of the type 99"),
    "an array that is cut off": (told(ARRAY, u32(U32) + u64(3) + b"\0" * 11), CUT),
    "an array of texts that is cut off": (told(ARRAY, u32(TEXT) + u64(2) + text(b"a" * 20) + b"\0" * 4), CUT),
    "an array of bools of 3": (told(ARRAY, u32(BOOL) + u64(3) + b"\0\1\3"), "a byte of it is 3"),
    "arrays in arrays": (told(ARRAY, NESTED + u32(U8) + u64(1) + b"\0"), "more than 16 deep"),
    "100,000 arrays in arrays": (told(ARRAY, (u32(ARRAY) + u64(1)) * 100_000), "more than 16 deep"),
    "2**60 arrays in an array": (told(ARRAY, u32(ARRAY) + u64(2**60)), CUT),
    "an alignment of 0": (holding(entry(), alignment=u32(U32, 0)), "general.alignment is '0'"),
    "an alignment of 3": (holding(entry(), alignment=u32(U32, 3)), "no power of two"),
    "a negative alignment": (holding(entry(), alignment=u32(5) + struct.pack("<i", -32)), "no power of two"),
    "an alignment that is a text": (holding(entry(), alignment=u32(TEXT) + text(b"32")), "no power of two"),
    "an alignment that is a bool": (holding(entry(), alignment=u32(BOOL) + b"\1"), "no power of two"),
    "an alignment with a fraction": (holding(entry(), alignment=u32(F32) + struct.pack("<f", 32.0)), "no power of two"),
    "an alignment beyond the file": (holding(entry(), alignment=u32(10) + u64(2**63)), "tensor 'a' takes bytes 9223372036854775808"),
    "a tensor's name of 2**63 bytes": (file(text(b"a", 2**63) + b"\0" * 40, tensors=1), CUT),
    "a tensor's name that is no UTF-8": (holding(entry(b"\xff")), "the name of a tensor is no UTF-8"),
    "a tensor twice": (holding(entry(), entry(place=32)), "the tensor 'a' is there twice"),
    "5 dims": (holding(entry(shape=(1,) * 5)), "5 dims"),
    "2**32 - 1 dims": (holding(entry(dims=2**32 - 1)), "4294967295 dims"),
    "dims that are not there": (file(text(b"a") + u32(4) + b"\0" * 30, tensors=1), CUT),
    "a shape that overflows": (holding(entry(shape=(2**32, 2**32))), "too many items"),
    "a shape that overflows to nothing": (holding(entry(shape=(2**63, 2))), "too many items"),
    "a length of 2**64 - 1": (holding(entry(shape=(2**64 - 1,))), "too many items"),
    "no items of more than can be counted": (holding(entry(shape=(0, 2**62, 2**62))), "too many items"),
    "bytes that overflow": (holding(entry(shape=(2**61,), kind=28)), CUT),
    "a tensor's type that there is not": (holding(entry(kind=255)), "tensor 'a' has the type 255"),
    "a type that ggml has removed": (holding(entry(shape=(32,), kind=4)), "the type 4, which there is not"),
    "a type of which little is known here": (holding(entry(shape=(32,), kind=20)), "is of IQ4_NL, which lamina does not read"),
    "half a block": (holding(entry(shape=(16,), kind=2)), "Q4_0, which wants rows of 32 items"),
    "rows of half a block": (holding(entry(shape=(16, 2), kind=8)), "Q8_0, which wants rows of 32 items"),
    "a number in blocks": (holding(entry(shape=(), kind=8)), "Q8_0, which wants rows of 32 items"),
    "behind the end": (holding(entry(place=2**63)), "is at 9223372036854775808; next to the one before"),
    "at 2**64 - 1": (holding(entry(place=2**64 - 1)), "next to the one before it would be at 0"),
    "a hole in front": (holding(entry(place=32)), "is at 32; next to the one before it would be at 0"),
    "not aligned": (holding(entry(), entry(b"b", place=16)), "'b' is at 16; .* at 32"),
    "two tensors in one place": (holding(entry(), entry(b"b", place=0)), "'b' is at 0; .* at 32"),
    "overlapping": (holding(entry(shape=(16,)), entry(b"b", place=32)), "'b' is at 32; .* at 64"),
    "a tensor that is cut off": (holding(entry(shape=(17,))), "takes bytes 64 to 132 of a file of 128: it is cut off"),
    "the last byte is missing": (ONE[:-1], CUT),
    "no tensors behind their entries": (ONE[:-64], CUT),
    "blocks that are cut off": (holding(entry(shape=(256,), kind=12), body=b"\0" * 143), CUT),
}  # fmt: skip
FILES |= {f"cut off at byte {end}": (ONE[:end], f"{NOT}|{CUT}") for end in range(1, len(ONE) - 1, 7)}

BOMBS = {
    "many keys": file(*(text(b"%d" % i) + u32(U8) + b"\0" for i in range(1000)), pairs=1000),
    "many empty texts": told(ARRAY, u32(TEXT) + u64(4000) + u64(0) * 4000),
    "many short texts": told(ARRAY, u32(TEXT) + u64(4000) + text(b"\xc3\xbc\xc3\xbc") * 4000),
    "many empty arrays": told(ARRAY, u32(ARRAY) + u64(4000) + (u32(U8) + u64(0)) * 4000),
    "many small numbers": told(ARRAY, u32(2) + u64(100_000) + bytes(range(200)) * 1000),
    "many tensors without items": file(*(entry(b"%d" % i, (0,)) for i in range(500)), tensors=500),
    "many tensors of one number": holding(
        *(entry(b"%d" % i, (), place=32 * i) for i in range(500)), body=bytes(16_000)
    ),
    "a text of many widths": told(TEXT, text(b"a" * 200_000 + "🦙".encode())),
    "the densest blocks": holding(entry(shape=(256 * 2000,), kind=10), body=bytes(84 * 2000)),
}
