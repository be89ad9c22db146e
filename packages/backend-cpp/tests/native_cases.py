"""Values, layouts and the reference's answers for tests of native kernels that serve many dtypes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from native_operands import empty, numpy_view, operand

from lamina_flatarray import dtype_of
from lamina_flatarray.backends import registry

__all__ = ["close", "layouts", "reference", "values"]


def values(shape: tuple[int, ...], dtype: str, seed: int = 0, low: float = -6.0, high: float = 6.0) -> np.ndarray[Any, Any]:
    """Ordinary values of a dtype, some of them equal, a few special."""
    rng = np.random.default_rng(seed)
    kind, n = dtype_of(dtype), math.prod(shape)
    if kind.kind == "b":
        return (rng.random(n) < 0.5).reshape(shape)
    if kind.kind in "ui":
        return rng.integers(0 if kind.kind == "u" else int(low), int(high) + 1, n).astype(kind.numpy).reshape(shape)
    found: Any = np.round(rng.uniform(low, high, n) * 8) / 8
    if n >= 8:
        found[rng.choice(n, 4, replace=False)] = [math.nan, math.inf, -math.inf, -0.0]
    if kind.is_complex:
        found = rng.uniform(low, high, n) + 1j * rng.uniform(low, high, n)
    return found.astype(kind.numpy).reshape(shape)


def layouts(dtype: str, seed: int = 0) -> list[np.ndarray[Any, Any]]:
    """Row-major, transposed, sliced, reversed, broadcast, without axes, without items."""
    x = values((6, 10, 9), dtype, seed)
    return [
        x, x[:, ::-1, ::2], x.transpose(2, 0, 1), x[1:3, 2:, 3], np.broadcast_to(x[:, :1], (6, 5, 9)), x[2, 3, 4, ...],
        x[:, :0], values((1, 1), dtype, seed), values((700,), dtype, seed), values((90, 70), dtype, seed).T,
    ]  # fmt: skip


def reference(op: str, outs: Any, *inputs: Any, **params: Any) -> Any:
    """What the reference's kernel writes, for (shape, dtype) of out, or for several."""
    several = isinstance(outs, list)
    made = tuple(empty(*out) for out in (outs if several else [outs]))
    given = [operand(x) if isinstance(x, np.ndarray) else x for x in inputs]
    registry.backend("numpy").kernel(op)(made if several else made[0], *given, **params)
    found = tuple(numpy_view(x).copy() for x in made)
    return found if several else found[0]


def close(found: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], digits: float = 0.0) -> None:
    """Equal, NaN for NaN; or as close as `digits` times the dtype's resolution."""
    if found.dtype.kind in "biu":
        np.testing.assert_array_equal(found, wanted)
        return
    name = found.dtype.name
    step = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "complex64": 2.0**-23}.get(name, 2.0**-52)
    wide = np.complex128 if found.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(
        found.astype(wide), wanted.astype(wide), rtol=digits * step, atol=digits * step
    )
