"""What the native module compiles of lamina's own functions: constructors of slotted classes, and checksums."""

from __future__ import annotations

import random
import zlib

import numpy as np
import pytest

from lamina_backend_cpp.native import module


def test_constructors_refuse_what_they_cannot_make() -> None:
    class Slotted:
        __slots__ = ("a", "b")

    made = module.constructor(Slotted, ("a", ("b", "real")), {})
    assert (made(1, 2j).a, made(1, 2j).b) == (1, 0.0)
    for arguments, params in (((), {}), ((1,), {}), ((1, 2, 3), {}), ((1,), {"b": 2})):
        with pytest.raises(TypeError):
            made(*arguments, **params)
    with pytest.raises(AttributeError):
        made(1, object())
    for wrong in ((int, ("a",), {}), (Slotted, ("c",), {}), (Slotted, (), {"c": 1}), (Slotted, ["a"], {}), (Slotted, (1,), {}), ()):
        with pytest.raises(TypeError):
            module.constructor(*wrong)
    with pytest.raises(TypeError, match="no slot"):
        module.emptier(Slotted, Slotted)
    with pytest.raises(TypeError):
        module.emptier(1, 2)


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
