"""What every op does with its operands before a kernel sees them: one device, one dtype, one shape, a place to write."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DeviceError, DType, DTypeError, ShapeError
from lamina_flatarray.backends.kernel_table import KernelTable, joint
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.errors import IntegerTooLong
from lamina_flatarray.promotion import can_cast, result_type

from ..array_fields import ArrayFields, empty_of
from ..creation.array_likes import asarray
from ..creation.scalars import LONGEST
from ..layouts.layout import Layout
from .casts import cast, moved

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "as_operand",
    "cast",
    "common_kernels",
    "copy_to",
    "copy_with_room",
    "described",
    "destination",
    "finish",
    "fused_kernels",
    "guarded",
    "moved",
    "promoted",
    "promoted_by_rank",
    "promoted_without_bool",
    "refuse_booleans",
    "refuse_undefined",
    "same_device",
]

Scalar = bool | int | float | complex
_SCALARS = (bool, int, float, complex)


def as_operand(op: str, value: Any) -> NDArray | Scalar:
    """An array as it is, a Python number as it is, a NumPy scalar as a number, anything array-like as an array.

    Raises:
        DTypeError: `value` is none of these.
        IntegerTooLong: it is an integer of more than 64 bits.
    """
    if value.__class__ is int and not -LONGEST <= value < 2 * LONGEST:
        raise IntegerTooLong(f"{op}: {value} is too big to convert: it has more than 64 bits")
    if isinstance(value, ArrayFields) or type(value) in _SCALARS:
        operand: NDArray | Scalar = value
        return operand
    if isinstance(value, (np.generic, *_SCALARS)):
        number: Scalar = value.item() if isinstance(value, np.generic) else value
        return number
    if isinstance(value, (np.ndarray, list, tuple)) or hasattr(value, "__array__"):
        return asarray(value)
    raise DTypeError(f"{op}: unsupported operand of type {type(value).__name__}; it wants an array or a number")


def described(operands: Sequence[Any]) -> str:
    """Operands as an error names them: `float32(2, 3) on cpu and 1.5`."""
    return " and ".join(
        f"{x.dtype.name}{tuple(x.shape)} on {x.device}" if hasattr(x, "device") else repr(x) for x in operands
    )


def common_kernels(op: str, operands: Sequence[Any]) -> KernelTable:
    """The kernel table of the operands' one device. A 0-d array on the host may join any device.

    Raises:
        DeviceError: they live on different devices.
    """
    result: KernelTable | None = None
    ndim = 0
    for x in operands:
        if not isinstance(x, ArrayFields):
            continue
        kernels = x.flat.kernels
        if result is None or (result.device is not kernels.device and ndim == 0 and result.device.type == "cpu"):
            result, ndim = kernels, x.layout.ndim
        elif result.device is not kernels.device:
            if x.layout.ndim or x.device.type != "cpu":
                raise _apart(op, operands, result.device)
        else:
            ndim = max(ndim, x.layout.ndim)
            if result.backend is not kernels.backend:
                result = joint(result, kernels)
    if result is None:
        raise DTypeError(f"{op}: {described(operands)} given; it wants at least one array")
    return result


def same_device(op: str, *operands: Any) -> None:
    """Refuse arrays, or tensors, of several devices, also those without axes: positions, masks and lengths are nowhere moved in silence.

    Raises:
        DeviceError: they live on different devices.
    """
    devices = [x.device for x in operands if hasattr(x, "device")]
    for device in devices[1:]:
        if device is not devices[0]:
            raise _apart(op, operands, devices[0])


def _apart(op: str, operands: Sequence[Any], device: Any) -> DeviceError:
    return DeviceError(
        f"{op}: expected all tensors to be on the same device, but got {described(operands)}; move one with .to({str(device)!r})"
    )


def promoted(op: str, operands: Sequence[Any]) -> DType:
    """The dtype of all operands together, all arrays counting alike, as the Array API has it; an error names the op.

    Raises:
        DTypeError: no dtype holds them all.
    """
    try:
        return result_type(*[x.dtype if isinstance(x, ArrayFields) else x for x in operands])
    except DTypeError as error:
        raise DTypeError(f"{op}: {described(operands)}: {error}") from None


def promoted_by_rank(op: str, operands: Sequence[Any]) -> DType:
    """The same, but arrays without axes count for less than those with axes, as in PyTorch.

    Raises:
        DTypeError: no dtype holds them all.
    """
    try:
        return result_type(*operands)
    except DTypeError as error:
        raise DTypeError(f"{op}: {described(operands)}: {error}") from None


def promoted_without_bool(op: str, operands: Sequence[Any]) -> DType:
    """The same, for an op that refuses booleans beside numbers, too, as PyTorch's `-` does.

    Raises:
        DTypeError: an operand is boolean, or no dtype holds them all.
    """
    for x in operands:
        if isinstance(x, bool) or (isinstance(x, ArrayFields) and x.dtype.kind == "b"):
            raise DTypeError(
                f"{op}: {described(operands)}: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
                "to invert a mask, use the `~` or `logical_not()` operator instead."
            )
    return promoted_by_rank(op, operands)


def fused_kernels(op: str, x: NDArray, *others: NDArray | None) -> KernelTable:
    """The kernel table of x's dtype that a fused op of these arrays, of which some may be left out, is looked up in.

    Raises:
        DTypeError: the op is not defined for x's dtype.
        DeviceError: they live on different devices.
    """
    kernels = x.flat.kernels
    refuse_undefined(op, kernels.dtype)
    for o in others:
        if o is None or o.flat.kernels is kernels:
            continue
        if o.flat.kernels.backend is not kernels.backend or o.flat.kernels.device is not kernels.device:
            return common_kernels(op, [x, *[o for o in others if o is not None]]).sibling(kernels.dtype)
    return kernels


@cache
def refuse_booleans(op: str, dtype: DType) -> None:
    """Refuse booleans where PyTorch does, though the kernels order and add them.

    Raises:
        DTypeError: it is theirs.
    """
    if dtype.kind == "b":
        raise DTypeError(f"{op}: not defined for {dtype!r}, as in PyTorch; cast to integers first")


@cache
def refuse_undefined(op: str, dtype: DType) -> None:
    """Refuse a dtype that an op is not defined for; it is looked up once.

    Raises:
        DTypeError: it is one.
    """
    result_dtypes(op, dtype)


def destination(op: str, out: NDArray, shape: tuple[int, ...], dtype: DType, inputs: Sequence[Any]) -> NDArray:
    """Where a kernel writes when the caller gave `out`: `out` itself, or a temporary that `finish` will copy.

    Raises:
        ShapeError: `out` has another shape, or several of its indices share an item.
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: `out` is on another device.
    """
    device = out.flat.kernels.device
    apart = any(isinstance(x, ArrayFields) and x.flat.kernels.device is not device for x in inputs)
    if apart and common_kernels(op, inputs).device is not device:  # an array without axes may be elsewhere
        raise DeviceError(
            f"{op}: expected all tensors to be on the same device, but got {described(inputs)} and {described((out,))} for the result; "
            f"move one with .to({str(out.device)!r})"
        )
    if not can_cast(dtype, out.dtype):
        raise DTypeError(f"{op}: result type {dtype.name} can't be cast to the desired output type {out.dtype.name}")
    if out.layout.shape != shape:
        raise ShapeError(f"{op}: output with shape {out.layout.shape} doesn't match the broadcast shape {shape}")
    if out.layout.overlaps:
        raise ShapeError(
            f"{op}: unsupported operation: more than one element of the written-to tensor refers to a single memory "
            f"location (shape {shape}, strides {out.layout.strides}); clone() it first"
        )
    out.flat.version += 1
    return out if out.dtype is dtype else empty_of(out.flat.kernels.sibling(dtype), Layout.dense(shape))


def finish(out: NDArray, written: NDArray) -> NDArray:
    """Copy a temporary to `out` where `destination` gave one."""
    if written is not out:
        copy_to(out, written)
    return out


def copy_to(target: ArrayFields, source: ArrayFields) -> None:
    """Overwrite `target` with items of the same shape on the same device, cast to its dtype."""
    kernels = source.flat.kernels
    if target.flat.kernels.backend is not kernels.backend:
        kernels = joint(kernels, target.flat.kernels).sibling(source.flat.dtype)
    kernels["copy"](target, source)


def copy_with_room(op: str, x: NDArray, *others: Any, layout: Layout | None = None) -> NDArray:
    """A copy of x into which an op writes items of the others: a batch where one of them is. Its layout is given, or else dense in x's
    order of axes."""
    kernels, layout = x.flat.kernels, layout or x.layout.result
    for other in others:
        if isinstance(other, ArrayFields) and (other.flat.kernels.backend is not kernels.backend or other.device is not kernels.device):
            result = empty_of(common_kernels(op, (x, *others)).sibling(x.flat.dtype), layout)
            copy_to(result, x)
            return result
    result = empty_of(kernels, layout)
    kernels["copy"](result, x)
    return result


def guarded(out: NDArray, x: Any) -> Any:
    """An input that a kernel may read while it writes `out`: itself, or a copy if they share items otherwise than
    one to one (`x[::2] += x[1::2]` needs none)."""
    if not isinstance(x, ArrayFields) or x.flat.memory is not out.flat.memory or x.layout is out.layout:
        return x
    if x.layout == out.layout and x.flat.offset == out.flat.offset:
        return x
    shift, rest = divmod(out.flat.offset - x.flat.offset, out.itemsize)
    if rest == 0 and x.itemsize == out.itemsize and not x.layout.shares_items(out.layout, shift):
        return x
    result = empty_of(x.flat.kernels, x.layout.result)
    x.flat.kernels["copy"](result, x)
    return result
