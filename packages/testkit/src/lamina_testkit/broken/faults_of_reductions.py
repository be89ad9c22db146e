"""Faults in what goes along axes: sums, extremes, scans, sorts, products, factorizations."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray.contract import Kernel
from lamina_flatarray.numpy_backend.view import view

from .fault import fault, memory_order

__all__: list[str] = []

Axes = tuple[int, ...]


@fault("sum", "test_kernels.py::test_kernel[sum-float64]")
def averages_the_last_axis(right: Kernel) -> Kernel:
    """Of several axes, the last is averaged over instead of added up."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        right(out, x, axes=axes)
        if len(axes) > 1 and x.layout.size:
            view(out)[...] = view(out) / x.layout.shape[axes[-1]]

    return kernel


@fault("sum", "test_kernels.py::test_kernel[sum-float32]")
def forgets_the_identity(right: Kernel) -> Kernel:
    """The sum of nothing is 1."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        if x.layout.size:
            right(out, x, axes=axes)
        else:
            view(out)[...] = 1

    return kernel


@fault("sum", "test_kernels.py::test_kernel[sum-int8]")
def sums_wrap(right: Kernel) -> Kernel:
    """Whole numbers added up in their own width instead of int64."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        if view(x).dtype.kind in "ui":
            view(out)[...] = np.add.reduce(view(x), axis=axes, dtype=view(x).dtype)
        else:
            right(out, x, axes=axes)

    return kernel


@fault("prod", "test_kernels.py::test_kernel[prod-int32]")
def accumulates_narrowly(right: Kernel) -> Kernel:
    """Whole numbers multiplied in their own width instead of int64."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        with np.errstate(all="ignore"):
            view(out)[...] = np.multiply.reduce(view(x), axis=axes, dtype=view(x).dtype)

    return kernel


@fault("sum", "test_sizes.py::test_long_sums[float16]")
def adds_in_16_bits(right: Kernel) -> Kernel:
    """One term after another is added in float16, which stays at 2,048."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        if view(x).dtype == np.float16 and len(axes) == 1 and view(x).shape[axes[0]]:
            view(out)[...] = np.take(np.cumsum(view(x), axis=axes[0], dtype=np.float16), -1, axes[0])
        else:
            right(out, x, axes=axes)

    return kernel


@fault("max", "test_kernels.py::test_kernel[max-float32]")
def overlooks_nan(right: Kernel) -> Kernel:
    """The greatest number is given where NaN should win."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        view(out)[...] = np.fmax.reduce(view(x), axis=axes)

    return kernel


@fault("argmax", "test_kernels.py::test_kernel[argmax-int32]")
def last_of_equals(right: Kernel) -> Kernel:
    """The last index of the greatest is given, not the first."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        source = view(x)
        if len(axes) == 1:
            back = np.argmax(np.flip(source, axes[0]), axis=axes[0])
            view(out)[...] = source.shape[axes[0]] - 1 - back
        else:
            view(out)[...] = source.size - 1 - np.argmax(source.reshape(-1)[::-1])

    return kernel


@fault("argmax", "test_kernels.py::test_kernel[argmax-float64]")
def fails_without_lines(right: Kernel) -> Kernel:
    """A result without items is an error."""

    def kernel(out: Any, x: Any, axes: Any) -> None:
        if not out.layout.size:
            raise ValueError("cannot reshape array of size 0")
        right(out, x, axes)

    return kernel


@fault("argmax", "test_kernels.py::test_kernel[argmax-float32]")
def right_index_in_the_wrong_dtype(right: Kernel) -> Kernel:
    """An int32 index is stored where an int64 one belongs."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        right(out, x, axes=axes)
        index = view(out).copy()
        halves = view(out)
        halves[...] = (index.astype(np.int32).astype(np.int64) & 0xFFFFFFFF) | (-1 << 32)

    return kernel


@fault("cumsum", "test_kernels.py::test_kernel[cumsum-float32]")
def leaves_the_item_itself_out(right: Kernel) -> Kernel:
    """The running sum of what comes before."""

    def kernel(out: Any, x: Any, axis: int) -> None:
        source = view(x).copy()
        right(out, x, axis=axis)
        with np.errstate(all="ignore"):
            view(out)[...] = view(out) - source

    return kernel


@fault("sort", "test_kernels.py::test_kernel[sort-int32]")
def unstable_sort(right: Kernel) -> Kernel:
    """Equal items come in the reverse of their order."""

    def kernel(outs: Any, x: Any, axis: int, descending: bool) -> None:
        source = view(x)
        turned = np.flip(source, axis)
        order = source.shape[axis] - 1 - np.argsort(turned, axis=axis, kind="stable")
        order = np.flip(order, axis) if descending else order
        view(outs[0])[...] = np.take_along_axis(source, order, axis)
        view(outs[1])[...] = order

    return kernel


@fault("matmul", "test_kernels.py::test_kernel[matmul-float32]")
def ignores_transposition(right: Kernel) -> Kernel:
    """A second matrix that is not row-major is read as if it were."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        if b.layout.contiguous or not b.layout.size:
            right(out, a, b)
        else:
            with np.errstate(all="ignore"):
                view(out)[...] = np.matmul(view(a), memory_order(b))

    return kernel


@fault("matmul", "test_kernels.py::test_kernel[matmul-float64]")
def adds_to_what_is_there(right: Kernel) -> Kernel:
    """The product is added to what the result's memory held."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        previous = view(out).copy() + 1
        right(out, a, b)
        if view(out).dtype.kind == "f":
            view(out)[...] += previous

    return kernel


@fault("matmul", "test_programs.py::test_program[12]")
def takes_operands_for_apart(right: Kernel) -> Kernel:
    """Of a matrix times its own transpose, one triangle alone is computed."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        right(out, a, b)
        if a.flat is b.flat and view(out).shape[-1] > 1:
            view(out)[...] = np.triu(view(out))

    return kernel


@fault("cholesky_ex", "test_linalg.py::test_factorization[compact-cholesky_ex-float64]")
def leaves_the_other_triangle(right: Kernel) -> Kernel:
    """What LAPACK does not write stays there."""

    def kernel(outs: Any, a: Any, upper: bool) -> None:
        right(outs, a, upper=upper)
        factor = view(outs[0])
        factor[...] = factor + (np.tril(view(a), -1) if upper else np.triu(view(a), 1))

    return kernel


@fault("solve_ex", "test_linalg.py::test_factorization[compact-solve_ex-float32]")
def hides_that_it_is_singular(right: Kernel) -> Kernel:
    """The pivot of 0 is not told."""

    def kernel(outs: Any, a: Any, b: Any) -> None:
        right(outs, a, b)
        view(outs[1])[...] = 0

    return kernel
