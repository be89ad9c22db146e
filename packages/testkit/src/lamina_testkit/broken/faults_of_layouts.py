"""Faults in how operands are read and written: strides, offsets, gaps, remainders, aliasing."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lamina_flatarray.contract import Kernel
from lamina_flatarray.numpy_backend.view import view

from .fault import fault, memory_order

__all__: list[str] = []

_WIDE: Final = 8  # the lanes of a vector


@fault("add", "test_kernels.py::test_kernel[add-float32]")
def ignores_strides(right: Kernel) -> Kernel:
    """Items taken in the order of memory, whatever the layout says."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        x = memory_order(a) if hasattr(a, "layout") else a
        y = memory_order(b) if hasattr(b, "layout") else b
        with np.errstate(all="ignore"):
            view(out)[...] = x + y

    return kernel


@fault("multiply", "test_kernels.py::test_kernel[multiply-int32]")
def ignores_offset(right: Kernel) -> Kernel:
    """Items counted from the start of the memory instead of from the layout's offset."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        if a.layout.offset and a.layout.size:
            strides = [s * a.flat.dtype.itemsize for s in a.layout.strides]
            if min(strides, default=0) >= 0:
                shifted = np.ndarray(a.layout.shape, a.flat.dtype.numpy, a.flat.memory, 0, strides)
                with np.errstate(all="ignore"):
                    np.multiply(shifted, view(b), out=view(out))
                return
        right(out, a, b)

    return kernel


@fault("floor", "test_kernels.py::test_kernel[floor-float64]")
def loses_negative_strides(right: Kernel) -> Kernel:
    """Strides taken without their sign."""

    def kernel(out: Any, x: Any) -> None:
        if min(x.layout.strides, default=0) < 0 and x.layout.size:
            np.floor(np.flip(view(x), 0), out=view(out))
        else:
            right(out, x)

    return kernel


@fault("tanh", "test_kernels.py::test_kernel[tanh-float32]")
def wrong_where_not_contiguous(right: Kernel) -> Kernel:
    """The last row of an operand with gaps is computed twice as large."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if not x.layout.contiguous and x.layout.ndim:
            view(out)[-1] *= 2

    return kernel


@fault("abs", "test_kernels.py::test_kernel[abs-int16]")
def wrong_without_axes(right: Kernel) -> Kernel:
    """A result of no axes is not written."""

    def kernel(out: Any, x: Any) -> None:
        if out.layout.ndim:
            right(out, x)

    return kernel


@fault("sin", "test_kernels.py::test_kernel[sin-float32]")
def fails_without_items(right: Kernel) -> Kernel:
    """A launch of no threads is an error."""

    def kernel(out: Any, x: Any) -> None:
        if not out.layout.size:
            raise ValueError("invalid launch configuration: 0 threads")
        right(out, x)

    return kernel


@fault("negative", "test_kernels.py::test_kernel[negative-int32]")
def writes_into_the_gaps(right: Kernel) -> Kernel:
    """A byte behind the result is changed where the result has gaps."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if not out.layout.contiguous and out.layout.size:
            out.flat.memory.view(np.uint8)[-1] ^= 0xFF

    return kernel


@fault("log", "test_kernels.py::test_kernel[log-float64]")
def writes_behind_the_result(right: Kernel) -> Kernel:
    """A whole vector is stored where fewer items are left."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if out.layout.size % _WIDE and out.layout.contiguous:
            end = out.flat.offset + (out.layout.offset + out.layout.size) * out.flat.dtype.itemsize
            out.flat.memory.view(np.uint8)[end : end + out.flat.dtype.itemsize] = 0

    return kernel


@fault("exp", "test_kernels.py::test_kernel[exp-float32]")
def changes_its_input(right: Kernel) -> Kernel:
    """The first item of the input becomes 0."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if x.layout.size > 1:
            view(x).flat[0] = 0

    return kernel


@fault("minimum", "test_kernels.py::test_kernel[minimum-float32]")
def clears_before_it_reads(right: Kernel) -> Kernel:
    """`out` is set to 0 first, which loses an input in the same memory."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        view(out)[...] = 0
        right(out, a, b)

    return kernel


@fault("sqrt", "test_kernels.py::test_kernel[sqrt-float64]")
def misses_single_items(right: Kernel) -> Kernel:
    """A result of one item is not written."""

    def kernel(out: Any, x: Any) -> None:
        if out.layout.size != 1:
            right(out, x)

    return kernel


@fault("subtract", "test_kernels.py::test_kernel[subtract-float32]")
def drops_the_tail(right: Kernel) -> Kernel:
    """As a vectorised loop that forgets what is left over after whole blocks of eight."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        target = view(out)
        before = target.copy()
        right(out, a, b)
        whole = target.size // _WIDE * _WIDE
        if target.size > whole and target.ndim:
            target.flat[whole:] = before.reshape(-1)[whole:]

    return kernel


@fault("exp", "test_sizes.py::test_remainders[exp-float32]")
def wrong_in_a_lone_last_item(right: Kernel) -> Kernel:
    """One item that is left over after whole vectors is not computed right."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if out.layout.ndim == 1 and out.layout.size > _WIDE and out.layout.size % _WIDE == 1:
            view(out)[-1] += 1

    return kernel


@fault("cos", "test_sizes.py::test_remainders[cos-float64]")
def coarse_in_the_last_lanes(right: Kernel) -> Kernel:
    """What is left over after whole vectors goes through a function of fewer digits."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        items = view(out)
        if items.ndim == 1 and items.size > 2 * _WIDE:
            rest = items[items.size // _WIDE * _WIDE :]
            rest[...] = rest.astype(np.float16)

    return kernel


@fault("maximum", "test_sizes.py::test_many_items[maximum-float32]")
def stops_at_the_greatest_grid(right: Kernel) -> Kernel:
    """Items from 2**16 on belong to no block."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        right(out, a, b)
        if out.layout.size > 1 << 16:
            view(out).reshape(-1)[1 << 16 :] = 0

    return kernel


@fault("negative", "test_in_place.py::test_a_map_may_write_over_an_input[negative-float32]")
def clears_its_result_first(right: Kernel) -> Kernel:
    """The result is 0 before the input is read, which may be the same memory."""

    def kernel(out: Any, x: Any) -> None:
        view(out)[...] = 0
        right(out, x)

    return kernel
