"""What the functions that make tensors have in common: shapes, options and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from lamina_flatarray import ArgumentTypeError, AutogradError, Device, UsageError
from lamina_ndarray import NDArray

from ...devices.memory_formats import layout as Layout
from ...devices.memory_formats import memory_format as MemoryFormat
from ...dispatch.out import written as written_to
from ...tensor_fields import tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["DeviceLike", "leaf", "order_in_memory", "refuse_layout", "shape_of", "written"]

DeviceLike: TypeAlias = Device | str | int | None
"""A device, its name, the number of a GPU, or None for a default."""


def leaf(array: NDArray, requires_grad: bool = False) -> Tensor:
    """Make a tensor without history over an array.

    Raises:
        AutogradError: gradients are wanted of integers.
    """
    tensor = tensor_of(array)
    if requires_grad:
        if not array.dtype.is_inexact:
            raise AutogradError(f"Only Tensors of floating point and complex dtype can require gradients, not of {array.dtype.name}")
        tensor.requires_grad = True
    return tensor


def written(
    op: str, out: Tensor | None, result: NDArray, requires_grad: bool = False, *, casts: bool = False, warns: bool = False
) -> Tensor:
    """Make the result a tensor, or copy it to `out`, which takes its shape; with a warning where it had items, if the function `warns`.

    Raises:
        DTypeError: `out` has another dtype; if the function `casts`, one that the result cannot be cast to.
        AutogradError: `out` records gradients.
    """
    if out is None:
        return leaf(result, requires_grad)
    return written_to(op, out, tensor_of(result), casts=casts, warns=warns)  # type: ignore[no-any-return]


def shape_of(op: str, lengths: tuple[Any, ...], size: Any) -> tuple[int, ...]:
    """The shape that is given as lengths one by one, as one sequence, or by the keyword `size`.

    Raises:
        ArgumentTypeError: it is not given, given twice, or no sequence of integers.
    """
    if size is None:
        if not lengths:
            raise ArgumentTypeError(f"{op}() missing 1 required positional argument: 'size'")
        if len(lengths) > 1 or hasattr(lengths[0], "__index__"):
            return lengths
        size = lengths[0]
    elif lengths:
        raise ArgumentTypeError(f"{op}() got multiple values for argument 'size'")
    if isinstance(size, str):
        raise ArgumentTypeError(f"{op}(): argument 'size' must be tuple of ints, not str")
    try:
        return tuple(size)
    except TypeError:
        raise ArgumentTypeError(f"{op}(): argument 'size' must be tuple of ints, not {type(size).__name__}") from None


def refuse_layout(op: str, layout: Any) -> NoReturn:
    """Refuse a layout other than strided.

    Raises:
        ArgumentTypeError: it is no layout.
        UsageError: it is another one.
    """
    if not isinstance(layout, Layout):
        raise ArgumentTypeError(f"{op}(): argument 'layout' must be layout, not {type(layout).__name__}")
    raise UsageError(f"{op}: layout {layout} given; there are strided tensors only")


def order_in_memory(op: str, memory_format: MemoryFormat) -> str:
    """The name of a memory format among those of arrays.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not isinstance(memory_format, MemoryFormat):
        raise ArgumentTypeError(f"{op}(): argument 'memory_format' must be memory_format, not {type(memory_format).__name__}")
    return str(memory_format)
