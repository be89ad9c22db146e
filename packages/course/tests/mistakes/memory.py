"""Chapter 1."""

from . import Mistake

MISTAKES = (
    Mistake(
        "sizes in bits", '1 if dtype in ("bool", "uint8") else int(dtype[-2:]) // 8', "8 if dtype[-1] in 'l8' else int(dtype[-2:])",
        ("itemsize", "all sizes"), "those are bits",
    ),
    Mistake(
        "offset ignored", "return self.offset + index *", "return index *",
        ("Flat.position", "offset is in bytes"), "the offset was left out",
    ),
    Mistake(
        "offset in items", "return self.offset + index * itemsize(self.dtype)",
        "return (self.offset + index) * itemsize(self.dtype)",
        ("Flat.position", "offset is in bytes"), "the offset was counted in items",
    ),
    Mistake(
        "negative indices", "not 0 <= index < self.size", "index >= self.size",
        ("Flat.position", "nothing outside"), "nobody counts from the end",
    ),
    Mistake("no bounds", "if not 0 <= index < self.size:", "if index < 0:", ("Flat.position", "nothing outside"), "it is somebody else's"),
    Mistake(
        "big-endian", "item: float = window.cast(CODES[self.dtype])[0]",
        "item: float = memoryview(bytes(window)[::-1]).cast(CODES[self.dtype])[0]",
        ("Flat.read", "items of numpy"), "the first byte is the lowest here",
    ),
    Mistake(
        "writes at the start", "window = memoryview(self.memory)[begin : begin + itemsize(self.dtype)]\n        window.cast",
        "begin -= self.offset\n        window = memoryview(self.memory)[begin : begin + itemsize(self.dtype)]\n        window.cast",
        ("Flat.write", "bytes of lamina"), "written at the start of the memory",
    ),
    Mistake(
        "part copied", "return Flat(self.memory, self.dtype, self.offset + start",
        "return Flat(bytearray(self.memory), self.dtype, self.offset + start",
        ("Flat.part", "a part shares memory"), "the bytes were copied",
    ),
    Mistake(
        "part of a part", "return Flat(self.memory, self.dtype, self.offset + start * itemsize(self.dtype), stop - start)",
        "return Flat(self.memory, self.dtype, start * itemsize(self.dtype), stop - start)",
        ("Flat.part", "a part begins later"), "the offset of the part was left out",
    ),
    Mistake(
        "same number of items", "nbytes // itemsize(dtype))", "self.size)",
        ("Flat.read_as", "same bytes other items"), "the number of items stayed",
    ),
    Mistake("rest dropped", "if nbytes % itemsize(dtype):", "if False:", ("Flat.read_as", "a rest is refused"), "would be left over"),
    Mistake(
        "one memory for all", "return Flat(bytearray(size * itemsize(dtype)), dtype, 0, size)",
        "return Flat(CODES.setdefault('memory', bytearray(32)), dtype, 0, size)",
        ("zeros", "memory of its own"), "both are the same memory",
    ),
)  # fmt: skip
