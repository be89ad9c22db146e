"""Operands that lie side by side along another axis than the result: read in tiles that are transposed first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_cases import close, reference, values
from native_operands import BACKEND, empty, numpy_view, operand, run

from lamina_flatarray import dtype_of
from lamina_flatarray.fused_steps import FusedStep

SHAPES = ((16, 64), (33, 40), (70, 131), (3, 65, 17), (2, 20, 3, 18), (200, 190))


@pytest.fixture(autouse=True, params=(1, 3))
def _threads(request: Any) -> Iterator[None]:
    before = BACKEND.get_num_threads()
    BACKEND.set_num_threads(request.param)
    yield
    BACKEND.set_num_threads(before)


def turned(shape: tuple[int, ...], dtype: str, seed: int, axis: int = 0) -> np.ndarray[Any, Any]:
    """Values of a shape whose items lie side by side along an axis that is not the last."""
    moved = list(shape)
    moved.append(moved.pop(axis))
    return np.moveaxis(values(tuple(moved), dtype, seed), -1, axis)


@pytest.mark.parametrize("dtype", ("float32", "float64", "int64", "bfloat16", "uint8", "complex64", "complex128"))
@pytest.mark.parametrize("shape", SHAPES)
def test_one_two_or_all_inputs(shape: tuple[int, ...], dtype: str) -> None:
    out, last = (shape, dtype), len(shape) - 2
    straight, first, second = values(shape, dtype), turned(shape, dtype, 1), turned(shape, dtype, 2)
    spread = np.broadcast_to(straight[..., :1], shape)
    for a, b in ((straight, first), (first, straight), (first, second), (first, turned(shape, dtype, 3, last)), (first, spread)):
        close(run("add", empty(*out), operand(a), operand(b)), reference("add", out, a, b))
    wide = turned((*shape[:-1], 2 * shape[-1]), dtype, 4)
    for other in (wide[..., ::2], wide[..., 1 : shape[-1] + 1], first[..., ::-1], np.flip(first, 0)):
        close(run("add", empty(*out), operand(other), operand(straight)), reference("add", out, other, straight))


@pytest.mark.parametrize("shape", SHAPES)
def test_three_inputs_of_two_dtypes(shape: tuple[int, ...]) -> None:
    where = turned(shape, "bool", 0)
    for a, b in ((values(shape, "float32"), turned(shape, "float32", 1)), (turned(shape, "float32", 2), turned(shape, "float32", 1))):
        close(run("where", empty(shape, "float32"), operand(where), operand(a), operand(b)), np.where(where, a, b))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("source", "target"), (("float32", "float64"), ("bool", "float32"), ("float64", "bfloat16"), ("int64", "int32")))
def test_casts(shape: tuple[int, ...], source: str, target: str) -> None:
    x = turned(shape, source, 0)
    close(run("copy", empty(shape, target), operand(x)), reference("copy", (shape, target), x))


@pytest.mark.parametrize("dtype", ("float32", "uint8", "complex128"))
@pytest.mark.parametrize("shape", SHAPES)
def test_joined(shape: tuple[int, ...], dtype: str) -> None:
    parts = [values(shape, dtype), turned(shape, dtype, 1), turned(shape, dtype, 2)]
    for axis in range(len(shape)):
        wanted = np.concatenate(parts, axis)
        close(run("concat", empty(wanted.shape, dtype), [operand(x) for x in parts], axis=axis), wanted)


@pytest.mark.parametrize("shape", SHAPES)
def test_several_results(shape: tuple[int, ...]) -> None:
    """A result that lies so is written where it is."""
    x, y, dtype = turned(shape, "float32", 0), values(shape, "float32", 1), dtype_of("float32")
    mantissas, exponents = operand(np.zeros(shape, "float32")), operand(np.moveaxis(np.zeros(shape[1:] + shape[:1], "int32"), -1, 0))
    BACKEND.kernel("frexp")((mantissas, exponents), operand(x))
    close(numpy_view(mantissas), np.frexp(x)[0])
    close(numpy_view(exponents), np.frexp(x)[1])
    added, multiplied = FusedStep("add", dtype, 0, ((2,), (3,))), FusedStep("multiply", dtype, 1, ((0,), (2,)))
    steps = [added, multiplied, FusedStep("negative", dtype, 3, ((3,),))]
    total, scaled, changed = operand(np.zeros(shape, "float32")), operand(np.zeros_like(x)), operand(y)
    BACKEND.fuse(steps, [dtype] * 4, [])(total, scaled, operand(x), changed)
    close(numpy_view(total), x + y)
    close(numpy_view(scaled), (x + y) * x)
    close(numpy_view(changed), -y)
