"""What a backend declares, its own kernels and those it inherits: the kit judges this and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from lamina_flatarray import Backend, DType
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.dtypes import DTYPES

__all__ = ["NotDeclared", "declares", "dtypes_of", "want"]


class NotDeclared(pytest.skip.Exception):  # type: ignore[name-defined, misc]  # a class all the same
    """What a test would judge is not declared, so there is nothing to judge: pytest counts the test as skipped."""


def declares(backend: Backend, op: str, dtype: DType) -> bool:
    """Return whether a backend, or one that it extends, declares a kernel.

    Args:
        backend: the backend.
        op: the op's name.
        dtype: what it is computed in.

    >>> from lamina_flatarray import backends, dtypes
    >>> declares(backends.backend("numpy"), "add", dtypes.float32)
    True
    """
    return origin(backend, op, dtype) not in ("derived", "missing")


def dtypes_of(backend: Backend) -> tuple[DType, ...]:
    """Return the dtypes that a backend stores: those that it declares `copy` for.

    Args:
        backend: the backend.

    Returns:
        The dtypes in the order of the table of dtypes.
    """
    return tuple(dtype for dtype in DTYPES.values() if declares(backend, "copy", dtype))


def want(backend: Backend, op: str, dtype: DType, operands: Iterable[DType] = ()) -> None:
    """End a test where an op is neither declared nor derived, or an operand is of a dtype that the backend does not store.

    Args:
        backend: the backend under test.
        op: the op's name.
        dtype: what it is computed in.
        operands: the dtypes of inputs and results.

    Raises:
        NotDeclared: there is nothing to judge.
    """
    if origin(backend, op, dtype) == "missing":
        raise NotDeclared(f"{backend.name} declares no {op} in {dtype.name}, and there is no decomposition")
    stored = dtypes_of(backend)
    lacking = [needed.name for needed in (dtype, *operands) if needed not in stored]
    if lacking and not declares(backend, op, dtype):
        raise NotDeclared(f"{backend.name} does not store {lacking[0]}, which {op} in {dtype.name} is about")
