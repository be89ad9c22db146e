"""Compiled calls of PyTorch's op database give what eager ones give, bit for bit: results, strides, gradients, and draws.

Every third entry is asked here; `python -m databases.compiled_ops` asks all of them, and for more samples.
"""

import pytest
from databases import compiled_ops, op_database

ENTRIES = {name: info for name, info in op_database.everything().items() if op_database.exists(info.name)}


@pytest.mark.parametrize("name", list(ENTRIES)[::3])
def test_compiled_calls_are_eager_ones(name):
    info = ENTRIES[name]
    dtype = next((dtype for dtype in ("float32", "int64") if op_database.serves(info, dtype)), None)
    if dtype is None:
        pytest.skip("PyTorch serves it for neither float32 nor int64")
    compiled_ops.check(info, dtype, 1)


def test_most_entries_are_compiled():
    compiled = [name for name in list(ENTRIES)[::10] if op_database.serves(ENTRIES[name], "float32")
                and compiled_ops.check(ENTRIES[name], "float32", 1)[""]]  # fmt: skip
    assert len(compiled) > 25
