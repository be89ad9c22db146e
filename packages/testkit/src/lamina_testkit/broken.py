"""Deliberately broken backends: each has one fault that the kit must find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from lamina_flatarray.contract import Kernel
from lamina_flatarray.numpy_backend import NumpyBackend
from lamina_flatarray.numpy_backend.view import view

__all__ = ["FAULTS", "BrokenBackend"]

Fault = Callable[[Kernel], Kernel]

FAULTS: Final[dict[str, tuple[str, Fault]]] = {}
"""Name of the fault to the op that has it, and what it makes of the right kernel."""


class BrokenBackend(NumpyBackend):
    """The reference with one wrong kernel.

    Args:
        fault: a key of FAULTS.

    Attributes:
        op: the op that has it.
    """

    def __init__(self, fault: str) -> None:
        self.name = f"broken_{fault}"
        self.op, self._fault = FAULTS[fault]

    def kernel(self, op: str) -> Kernel:
        """Return the reference's kernel, or what the fault makes of it."""
        right = super().kernel(op)
        return self._fault(right) if op == self.op else right


def _fault(name: str, op: str) -> Callable[[Fault], Fault]:
    def register(fault: Fault) -> Fault:
        FAULTS[name] = (op, fault)
        return fault

    return register


def _flat(operand: Any) -> Any:
    """The operand's items in the order of memory, as if its layout were row-major at its offset."""
    memory = operand.flat.memory.view(np.uint8)
    itemsize = operand.flat.dtype.itemsize
    start = operand.layout.offset * itemsize
    whole = memory[start:][: max(0, (memory.size - start) // itemsize) * itemsize].view(operand.flat.dtype.numpy)
    return np.resize(whole, operand.layout.size).reshape(operand.layout.shape) if whole.size else whole


@_fault("ignores_strides", "add")
def ignores_strides(right: Kernel) -> Kernel:
    """Items taken in the order of memory, whatever the layout says."""
    def kernel(out: Any, a: Any, b: Any) -> None:
        x = _flat(a) if hasattr(a, "layout") else a
        y = _flat(b) if hasattr(b, "layout") else b
        with np.errstate(all="ignore"):
            view(out)[...] = x + y

    return kernel


@_fault("ignores_offset", "multiply")
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


@_fault("writes_into_the_gaps", "negative")
def writes_into_the_gaps(right: Kernel) -> Kernel:
    """A byte behind the result is changed where the result has gaps."""
    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if not out.layout.contiguous and out.layout.size:
            out.flat.memory.view(np.uint8)[-1] ^= 0xFF

    return kernel


@_fault("changes_its_input", "exp")
def changes_its_input(right: Kernel) -> Kernel:
    """The first item of the input becomes 0."""
    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        if x.layout.size > 1:
            view(x).flat[0] = 0

    return kernel


@_fault("loses_nan", "maximum")
def loses_nan(right: Kernel) -> Kernel:
    """A number wins over NaN."""
    def kernel(out: Any, a: Any, b: Any) -> None:
        view(out)[...] = np.fmax(view(a), view(b))

    return kernel


@_fault("first_item_wrong_on_one", "sqrt")
def misses_single_items(right: Kernel) -> Kernel:
    """A result of one item is not written."""
    def kernel(out: Any, x: Any) -> None:
        if out.layout.size != 1:
            right(out, x)

    return kernel


@_fault("last_row_missing", "subtract")
def drops_the_tail(right: Kernel) -> Kernel:
    """As a vectorised loop that forgets what is left over after whole blocks of eight."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        target = view(out)
        before = target.copy()
        right(out, a, b)
        whole = target.size // 8 * 8
        if target.size > whole and target.ndim:
            target.flat[whole:] = before.reshape(-1)[whole:]

    return kernel


@_fault("reduces_one_axis_of_several", "sum")
def reduces_one_axis(right: Kernel) -> Kernel:
    """Of several axes, the last is averaged over instead of added up."""
    def kernel(out: Any, x: Any, axes: tuple[int, ...]) -> None:
        right(out, x, axes=axes)
        if len(axes) > 1 and x.layout.size:
            view(out)[...] = view(out) / x.layout.shape[axes[-1]]

    return kernel


@_fault("sum_of_nothing_is_not_zero", "sum")
def forgets_the_identity(right: Kernel) -> Kernel:
    """The sum of nothing is 1."""
    def kernel(out: Any, x: Any, axes: tuple[int, ...]) -> None:
        if x.layout.size:
            right(out, x, axes=axes)
        else:
            view(out)[...] = 1

    return kernel


@_fault("accumulates_narrowly", "prod")
def accumulates_narrowly(right: Kernel) -> Kernel:
    """Integers multiplied in their own width instead of int64."""

    def kernel(out: Any, x: Any, axes: tuple[int, ...]) -> None:
        with np.errstate(all="ignore"):
            view(out)[...] = np.multiply.reduce(view(x), axis=axes, dtype=view(x).dtype)

    return kernel


@_fault("last_of_equals", "argmax")
def last_of_equals(right: Kernel) -> Kernel:
    """The last index of the greatest is given, not the first."""
    def kernel(out: Any, x: Any, axes: tuple[int, ...]) -> None:
        source = view(x)
        if len(axes) == 1:
            back = np.argmax(np.flip(source, axes[0]), axis=axes[0])
            view(out)[...] = source.shape[axes[0]] - 1 - back
        else:
            view(out)[...] = source.size - 1 - np.argmax(source.reshape(-1)[::-1])

    return kernel


@_fault("unstable_sort", "sort")
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


@_fault("ignores_transposition", "matmul")
def ignores_transposition(right: Kernel) -> Kernel:
    """A second matrix that is not row-major is read as if it were."""
    def kernel(out: Any, a: Any, b: Any) -> None:
        if b.layout.contiguous or not b.layout.size:
            right(out, a, b)
        else:
            with np.errstate(all="ignore"):
                view(out)[...] = np.matmul(view(a), _flat(b))

    return kernel


@_fault("compares_as_float", "equal")
def compares_as_float(right: Kernel) -> Kernel:
    """int64 compared after rounding to float64."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        x, y = view(a), view(b)
        if x.dtype.kind in "ui":
            x, y = x.astype(np.float32), y.astype(np.float32)
        np.equal(x, y, out=view(out))

    return kernel
