"""Maps in place: a kernel may write over one of its inputs, as ops in place and compiled programs do."""

import numpy as np
import pytest

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.errors import IntegerDivisionByZero
from lamina_flatarray.ops import OPS

from ..declared import want
from ..placement import place, read, untouched
from ..samples.values import VALUES, numbers

SHAPES = ((7, 33), (1100,))


def _dtypes(op: str) -> list[str]:
    """The dtypes in which a map's result has that of its inputs."""
    rule = OPS[op].rule
    alike = [(name, DTYPE_RULES[rule](dtype)) for name, dtype in DTYPES.items()]
    return [name for name, dtypes in alike if dtypes is not None and dtypes == (DTYPES[name], DTYPES[name])]


MAPS = [
    pytest.param(op, DTYPES[name], id=f"{op}-{name}", marks=pytest.mark.conformance(op, name))
    for op, row in OPS.items() if row.family == "map" and not row.params
    for name in _dtypes(op) if name in ("int64", "float32", "complex64")
]  # fmt: skip


@pytest.mark.parametrize(("op", "dtype"), MAPS)
def test_a_map_may_write_over_an_input(op: str, dtype: DType, backend: Backend) -> None:
    """Each input in turn, on plain and special numbers, beside the same kernel with a result of its own."""
    kinds = [DTYPES["bool"] if op == "where" and i == 0 else dtype for i in range(OPS[op].arity)]
    want(backend, op, dtype, kinds)
    kernel = KernelTable.of(backend, 0, dtype)[op]
    for shape, kind in zip(SHAPES, VALUES, strict=True):
        for over in range(len(kinds)):
            values = [numbers(i, shape, of, "positive" if op == "pow" else "any", kind) for i, of in enumerate(kinds)]
            inputs = [place(items, "compact", backend, of) for items, of in zip(values, kinds, strict=True)]
            out = place(np.zeros(shape, dtype.numpy), "compact", backend, dtype)
            if inputs[over].dtype is not dtype:
                continue
            try:
                kernel(out, *inputs)
            except IntegerDivisionByZero:
                continue  # it writes nothing then, as other tests ask
            kernel(inputs[over], *inputs)
            same = read(inputs[over]).tobytes() == read(out).tobytes()
            assert same, f"{op} over its input {over}, {kind} numbers of {shape}"
            assert untouched(inputs[over])
