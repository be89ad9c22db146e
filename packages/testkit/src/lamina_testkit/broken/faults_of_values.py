"""Faults in single items: zeros, NaN, whole numbers, rounding, casts, gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray.contract import Kernel
from lamina_flatarray.numpy_backend.view import number, view

from .fault import fault

__all__: list[str] = []


@fault("maximum", "test_kernels.py::test_kernel[maximum-float32]")
def loses_nan(right: Kernel) -> Kernel:
    """A number wins over NaN."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        view(out)[...] = np.fmax(view(a), view(b))

    return kernel


@fault("negative", "test_kernels.py::test_kernel[negative-float32]")
def subtracts_from_zero(right: Kernel) -> Kernel:
    """0 - x, which is 0 and not -0 where x is 0."""

    def kernel(out: Any, x: Any) -> None:
        with np.errstate(all="ignore"):
            view(out)[...] = np.zeros((), view(x).dtype) - view(x)

    return kernel


@fault("equal", "test_kernels.py::test_kernel[equal-int64]")
def compares_as_float(right: Kernel) -> Kernel:
    """Whole numbers compared after rounding to float32."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        x, y = view(a), view(b)
        if x.dtype.kind in "ui":
            x, y = x.astype(np.float32), y.astype(np.float32)
        np.equal(x, y, out=view(out))

    return kernel


@fault("less", "test_kernels.py::test_kernel[less-float32]")
def unordered_is_less(right: Kernel) -> Kernel:
    """Not greater or equal, which NaN is to everything."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        np.logical_not(np.greater_equal(view(a), view(b)), out=view(out))

    return kernel


@fault("floor_divide", "test_kernels.py::test_kernel[floor_divide-int32]")
def divides_towards_zero(right: Kernel) -> Kernel:
    """As C divides."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        if view(a).dtype.kind == "i":
            with np.errstate(all="ignore"):
                view(out)[...] = np.trunc(view(a).astype(np.float64) / view(b))
        else:
            right(out, a, b)

    return kernel


@fault("pow", "test_kernels.py::test_kernel[pow-int64]")
def nothing_to_the_nothing_is_nothing(right: Kernel) -> Kernel:
    """0**0 is 0 in whole numbers."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        x = view(a).copy() if hasattr(a, "layout") else a
        y = view(b).copy() if hasattr(b, "layout") else b
        right(out, a, b)
        if view(out).dtype.kind in "ui":
            view(out)[np.broadcast_to((x == 0) & (y == 0), view(out).shape)] = 0

    return kernel


@fault("divide", "test_kernels.py::test_kernel[divide-complex64]")
def conjugates_a_quotient(right: Kernel) -> Kernel:
    """The imaginary part of a quotient has the wrong sign."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        right(out, a, b)
        if view(out).dtype.kind == "c":
            np.conjugate(view(out), out=view(out))

    return kernel


@fault("where", "test_kernels.py::test_kernel[where-float32]")
def adds_what_is_not_chosen(right: Kernel) -> Kernel:
    """Choosing by arithmetic: NaN times 0 is NaN."""

    def kernel(out: Any, condition: Any, a: Any, b: Any) -> None:
        if view(out).dtype.kind != "f":
            right(out, condition, a, b)
            return
        chosen = view(condition).astype(view(out).dtype)
        with np.errstate(all="ignore"):
            view(out)[...] = chosen * view(a) + (1 - chosen) * view(b)

    return kernel


@fault("tanh_gradient", "test_kernels.py::test_kernel[tanh_gradient-float32]")
def forgets_the_square(right: Kernel) -> Kernel:
    """1 - y in the place of 1 - y**2."""

    def kernel(out: Any, gradient: Any, result: Any) -> None:
        view(out)[...] = view(gradient) * (1 - view(result))

    return kernel


@fault("relu_gradient", "test_kernels.py::test_kernel[relu_gradient-float32]")
def passes_gradients_at_zero(right: Kernel) -> Kernel:
    """The subgradient at 0 is 1, and not 0."""

    def kernel(out: Any, gradient: Any, result: Any) -> None:
        view(out)[...] = np.where(view(result) >= 0, view(gradient), 0)

    return kernel


@fault("sgd_step", "test_optimizers.py::test_step[sgd_step-float32-compact]")
def forgets_dampening(right: Kernel) -> Kernel:
    """The gradient goes into the buffer undamped."""

    def kernel(out: Any, *gradients: Any, **params: Any) -> None:
        right(out, *gradients, **{**params, "dampening": 0.0})

    return kernel


@fault("copy", "test_memory.py::test_copy_rounds_to_nearest_even[float32]")
def cuts_bfloat16_off(right: Kernel) -> Kernel:
    """The upper half of a float32 is taken for the bfloat16 next to it."""

    def kernel(out: Any, x: Any) -> None:
        source, target = view(x), view(out)
        if target.dtype.name == "bfloat16" and source.dtype == np.float32:
            upper = (np.ascontiguousarray(source).view(np.uint32) >> 16).astype(np.uint16)
            target[...] = upper.view(target.dtype).reshape(source.shape)
        else:
            right(out, x)

    return kernel


@fault("copy", "test_memory.py::test_copy_rounds_to_nearest_even[float64]")
def rounds_to_whole_numbers(right: Kernel) -> Kernel:
    """The nearest whole number in the place of the one towards zero."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if view(x).dtype.kind == "f" and view(out).dtype.kind == "i":
            with np.errstate(all="ignore"):
                view(out)[...] = np.rint(view(x))

    return kernel


@fault("copy", "test_memory.py::test_copy_between_dtypes[complex64-transposed]")
def keeps_the_size_of_a_complex_number(right: Kernel) -> Kernel:
    """A complex number cast to a real one becomes its modulus, and not its real part."""

    def kernel(out: Any, x: Any) -> None:
        if view(x).dtype.kind == "c" and view(out).dtype.kind == "f":
            view(out)[...] = np.abs(view(x) + 1j)
        else:
            right(out, x)

    return kernel


@fault("fill", "test_memory.py::test_fill_and_arange[int8]")
def fills_the_first_row(right: Kernel) -> Kernel:
    """Only what lies within the first row is filled."""

    def kernel(out: Any, value: Any) -> None:
        if out.layout.ndim:
            view(out)[:1] = number(value, view(out).dtype)
        else:
            right(out, value=value)

    return kernel
