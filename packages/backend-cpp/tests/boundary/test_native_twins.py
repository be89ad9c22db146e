"""What the native module compiles of lamina's own functions: readers of items, and checksums."""

from __future__ import annotations

import random
import sysconfig
import zlib

import numpy as np
import pytest
from native_operands import BACKEND, operand

from lamina_backend_cpp.native import module

NUMBERS = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip


@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="readers look at arrays that they do not hold: not without the lock"
)
@pytest.mark.parametrize("dtype", NUMBERS)
def test_readers_read_what_numpy_reads(dtype: str) -> None:
    def plain(x: object) -> None:
        raise LookupError

    items, one = module.reader(plain, True), module.reader(plain, False)
    bits = np.frombuffer(random.Random(1).randbytes(24 * np.dtype(dtype).itemsize), np.uint8)
    x = (bits & 1).view(bool) if dtype == "bool" else bits.view(dtype)
    x = np.resize(np.nan_to_num(x), (2, 3, 4)).astype(dtype)
    BACKEND.kernel("copy")(operand(x), operand(x))  # from here on these are the usual classes
    for given in (x, x.T, x[::-1, 1:, ::2], x[0, 0, :0], x[:, :0], x[0, 0], np.broadcast_to(x[:, :1], (2, 3, 4)), x[1, 2, 3]):
        found = items(operand(given))
        assert found == given.tolist()
        assert repr(found) == repr(given.tolist())
    for given in (x[1, 2, 3], x[1:, 2:, 3:]):
        assert repr(one(operand(given))) == repr(given.item())
    for given in (x, x[:0]):
        with pytest.raises(LookupError):
            one(operand(given))


def test_readers_leave_what_they_do_not_serve() -> None:
    BACKEND.kernel("copy")(operand(np.ones(2)), operand(np.ones(2)))
    left: list[object] = []
    items, one = module.reader(left.append, True), module.reader(left.append, False)
    halves, foreign = operand(np.ones(3, np.float16)), operand(np.ones((), np.float16))
    outside = operand(np.ones(3, np.float32))
    outside.layout = operand(np.ones(4, np.float32)).layout
    for reader in (items, one):
        for given in (halves, foreign, outside, None, 3):
            reader(given)
    assert left == [halves, foreign, outside, None, 3] * 2
    with pytest.raises(TypeError):
        items()
    for wrong in ((), (3, True), (left.append, 1)):
        with pytest.raises(TypeError):
            module.reader(*wrong)


@pytest.mark.skipif(not hasattr(module, "crc32"), reason="the processor does not multiply polynomials")
def test_crc32_is_zlibs() -> None:
    rng = random.Random(0)
    for length in (*range(300), 1000, 4096, 65_537, 1 << 20):
        data, before = rng.randbytes(length), rng.getrandbits(32)
        assert module.crc32(data) == zlib.crc32(data)
        assert module.crc32(memoryview(data)[length // 3 :], before) == zlib.crc32(data[length // 3 :], before)
    assert module.crc32(np.arange(100)) == zlib.crc32(np.arange(100))
    for wrong in ((), (b"", 0, 0), (1,), (b"", "0"), ("text",)):
        with pytest.raises(TypeError):
            module.crc32(*wrong)
    with pytest.raises((ValueError, BufferError)):
        module.crc32(np.arange(10)[::2])
