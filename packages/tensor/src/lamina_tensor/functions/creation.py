"""Tensors made from nothing, from Python numbers, and from other libraries' arrays, in PyTorch's spelling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, DTypeError
from lamina_flatarray.backends.choice import chosen
from lamina_flatarray.promotion import get_default_dtype
from lamina_ndarray import NDArray

from ..autograd.recording import array_of
from ..devices.memory_formats import memory_format as MemoryFormat
from ..devices.memory_formats import strided
from ..methods.sizes import sizes
from ..tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "arange", "as_tensor", "asarray", "empty", "empty_like", "empty_permuted", "empty_strided", "eye", "from_file",
    "from_numpy", "frombuffer", "full", "full_like", "leaf", "linspace", "logspace", "ones", "ones_like", "options", "scalar_tensor",
    "tensor", "written", "zeros", "zeros_like",
]  # fmt: skip


# -- the arguments that all of them take --------------------------------------------------------------------------------


def leaf(array: NDArray, requires_grad: bool = False) -> Tensor:
    """A tensor without history over an array.

    Raises:
        AutogradError: gradients are wanted of integers.
    """
    made = tensor_of(array)
    if requires_grad:
        if not array.dtype.is_inexact:
            raise AutogradError("Only Tensors of floating point and complex dtype can require gradients")
        made.requires_grad = True
    return made


def options(op: str, given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of PyTorch's that have one possible value here, checked and taken out.

    Raises:
        TypeError: an argument is unknown.
        DTypeError: a layout other than strided is asked for.
    """
    if not given:
        return given
    layout = given.pop("layout", None)
    if layout is not None and layout is not strided:
        raise DTypeError(f"{op}: layout {layout} given; there are strided tensors only")
    given.pop("pin_memory", None)
    if "memory_format" in given:
        wanted = given.pop("memory_format")
        if not isinstance(wanted, MemoryFormat):
            raise TypeError(f"{op}(): argument 'memory_format' must be memory_format, not {type(wanted).__name__}")
        given["memory_format"] = str(wanted)
    return given


def written(op: str, out: Tensor | None, made: NDArray, requires_grad: bool = False) -> Tensor:
    """The result as a tensor, or copied to `out`, which takes its shape.

    Raises:
        DTypeError: `out` records gradients, or holds another dtype.
    """
    if out is None:
        return leaf(made, requires_grad)
    from ..dispatch.spelling import written

    if out.array.layout.shape != made.layout.shape and out.array.layout.size == 0:
        out.array = nd.empty(made.layout.shape, dtype=out.dtype, device=out.device)
    return written(op, out, tensor_of(made))  # type: ignore[no-any-return]


# -- from data ----------------------------------------------------------------------------------------------------------


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """A new tensor with a copy of `data`: numbers, nested sequences, NumPy arrays or tensors.

    Args:
        data: Python floats take the default dtype, integers int64.
        dtype: what to cast to.
        device: where to put it; by default, the default device.
        requires_grad: whether gradients are wanted.
        pin_memory: without meaning here.

    Raises:
        DTypeError: the items are not numbers, or do not fit.
        ShapeError: nested sequences differ in length.
    """
    given = data.array if isinstance(data, TensorFields) else data
    made = nd.asarray(given, dtype=dtype, device=chosen.get().device if device is None else device, copy=True)
    return leaf(made, True) if requires_grad else tensor_of(made)


def _chosen(device: Any) -> Any:
    """The device that is given, or else chosen; None where data stay where they are."""
    return chosen.get().device if device is None else device


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` as a tensor, sharing memory where it can; a tensor that fits is itself."""
    if isinstance(data, TensorFields):
        if dtype is device is None:
            return data
        return data.to(device=device, dtype=dtype)  # type: ignore[attr-defined,no-any-return]
    return tensor_of(nd.asarray(data, dtype=dtype, device=_chosen(device)))


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """Anything array-like as a tensor: a tensor, a NumPy array, an object with `__dlpack__`, a buffer, numbers.

    Args:
        obj: what to hold. The bytes of a plain buffer are read as items of `dtype` (by default the default dtype).
        dtype: what to cast to.
        device: where to put it.
        copy: True for memory of its own, False to refuse when a copy is needed, None to share where possible.
        requires_grad: whether gradients are wanted. A tensor with history is cut off from it where they are not.

    Raises:
        ValueError: `copy=False` and a copy is needed.
    """
    if isinstance(obj, TensorFields):
        fits = (dtype is None or obj.dtype is dtype) and (device is None or obj.device == nd.empty(0, device=device).device)
        if fits and not copy and requires_grad == obj.requires_grad:
            return obj
        if copy is False and not fits:
            raise ValueError(f"asarray: a copy is needed to hold {obj.dtype.name} as {dtype}, but copy=False")
        return leaf(nd.asarray(obj.array, dtype=dtype, device=device, copy=copy), requires_grad)
    if isinstance(obj, (bytes, bytearray, memoryview)):
        found = nd.frombuffer(obj, dtype=dtype or get_default_dtype())
        shared = not memoryview(obj).readonly
        if copy is False and not shared:
            raise ValueError("asarray: a copy of a read-only buffer is needed, but copy=False")
        return leaf(nd.asarray(found, device=device, copy=copy if shared else None), requires_grad)
    return leaf(nd.asarray(array_of(obj), dtype=dtype, device=device, copy=copy), requires_grad)


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A tensor over the same memory as a NumPy array.

    Raises:
        TypeError: it is no NumPy array.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"from_numpy: expected np.ndarray (got {type(ndarray).__name__})")
    return tensor_of(nd.from_numpy(ndarray))


def from_file(
    filename: str, shared: bool | None = None, size: int = 0, *, dtype: Any = None, requires_grad: bool = False,
    **more: Any,
) -> Tensor:  # fmt: skip
    """`size` raw items of a file, mapped into memory; with `shared`, what is written goes to the file.

    Raises:
        CheckpointError: the file is too short, and not `shared`, which makes it longer.
    """
    made = nd.from_file(filename, size, dtype=dtype, shared=bool(shared), **options("from_file", more))
    return leaf(made, requires_grad)


def frombuffer(
    buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """The items in a buffer, sharing its memory where it can be written; see `lamina_ndarray.frombuffer`."""
    return leaf(nd.frombuffer(buffer, dtype=dtype, count=count, offset=offset), requires_grad)


# -- of a shape ---------------------------------------------------------------------------------------------------------


def _of_shape(make: Callable[..., NDArray]) -> Callable[..., Tensor]:
    op = make.__name__

    def create(
        *shape: Any, size: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False,
        out: Tensor | None = None, **more: Any,
    ) -> Tensor:  # fmt: skip
        if size is None:
            lengths = shape if shape and shape[0].__class__ is int else sizes(shape)
        else:
            lengths = tuple(size)
        if out is None:
            made = make(lengths, dtype=dtype, device=device, **options(op, more)) if more else make(lengths, dtype=dtype, device=device)
            return leaf(made, True) if requires_grad else tensor_of(made)
        made = make(lengths, dtype=out.dtype if dtype is None else dtype, device=device, **options(op, more))
        return written(op, out, made, requires_grad)

    create.__name__ = create.__qualname__ = op
    create.__doc__ = make.__doc__
    return create


def _like(make: Callable[..., NDArray]) -> Callable[..., Tensor]:
    op = make.__name__

    def create(
        input: Tensor, *args: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **more: Any
    ) -> Tensor:
        if more or args:
            if "fill_value" in more:
                args = (more.pop("fill_value"),)
            if more:
                options(op, more)
            made = make(input.array, *map(array_of, args), dtype=dtype, device=device, **more)
        else:
            made = make(input.array, dtype=dtype, device=device)
        return leaf(made, True) if requires_grad else tensor_of(made)

    create.__name__ = create.__qualname__ = op
    create.__doc__ = make.__doc__
    return create


empty, zeros, ones = _of_shape(nd.empty), _of_shape(nd.zeros), _of_shape(nd.ones)
empty_like, zeros_like, ones_like, full_like = (
    _like(nd.empty_like), _like(nd.zeros_like), _like(nd.ones_like), _like(nd.full_like)
)  # fmt: skip


def full(
    size: Sequence[int], fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
    out: Tensor | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """A tensor of one value, by default in the value's own dtype.

    Raises:
        TypeError: `size` is no sequence.
        DTypeError: the value does not fit into the dtype.
    """
    if out is not None and dtype is None:
        dtype = out.dtype
    if more:
        options("full", more)
    made = nd.full(tuple(size), array_of(fill_value), dtype=dtype, device=device, **more)
    return written("full", out, made, requires_grad) if out is not None or requires_grad else tensor_of(made)


def empty_strided(
    size: Sequence[int], stride: Sequence[int], *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
    **more: Any,
) -> Tensor:  # fmt: skip
    """An uninitialised tensor with these strides, in as much memory as they reach.

    Raises:
        ShapeError: there are not as many strides as lengths, or one of either is negative.
    """
    made = nd.empty_strided(tuple(size), tuple(stride), dtype=dtype, device=device, **options("empty_strided", more))
    return leaf(made, requires_grad)


def empty_permuted(
    size: Sequence[int], physical_layout: Sequence[int], *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False, **more: Any,
) -> Tensor:  # fmt: skip
    """An uninitialised dense tensor whose dims lie in memory in the order `physical_layout`, the outermost first.

    Raises:
        ShapeError: not every dim is named once.
    """
    made = nd.empty_permuted(
        tuple(size), tuple(physical_layout), dtype=dtype, device=device, **options("empty_permuted", more)
    )
    return leaf(made, requires_grad)


def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **more: Any) -> Tensor:
    """A tensor without dims, in the default dtype whatever the kind of the number.

    Raises:
        DTypeError: the number does not fit into the dtype.
    """
    if more:
        options("scalar_tensor", more)
    made = nd.scalar_tensor(array_of(s), dtype=dtype, device=device, **more)
    return leaf(made, True) if requires_grad else tensor_of(made)


# -- in a row -----------------------------------------------------------------------------------------------------------


_STEPS: Final = {"start": 0, "end": None, "step": 1}


def arange(
    *bounds: Any, start: Any = None, end: Any = None, step: Any = None, dtype: Any = None, device: Any = None,
    requires_grad: bool = False, out: Tensor | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """`arange(end)`, `arange(start, end)` or `arange(start, end, step)`, also by keyword.

    Raises:
        ShapeError: the step is 0 or leads away from the end, or a bound is not finite.
    """
    if len(bounds) > 3:
        raise TypeError(f"arange() takes from 1 to 3 positional arguments but {len(bounds)} were given")
    if bounds and start is end is step is None:
        first, last, by = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1) if len(bounds) == 2 else bounds
    else:
        names = ("end",) if len(bounds) == 1 and end is None else ("start", "end", "step")
        given = {"start": start, "end": end, "step": step}
        for name, bound in zip(names, bounds, strict=False):
            if given[name] is not None:
                raise TypeError(f"arange() got multiple values for argument {name!r}")
            given[name] = bound
        first, last, by = (given[name] if given[name] is not None else default for name, default in _STEPS.items())
    if last is None:
        raise TypeError("arange() missing argument 'end'")
    if out is not None and dtype is None:
        dtype = out.dtype
    if more:
        options("arange", more)
    if not first.__class__ is last.__class__ is by.__class__ is int:
        first, last, by = array_of(first), array_of(last), array_of(by)
    made = nd.arange(first, last, by, dtype=dtype, device=device, strict=True, **more)
    return written("arange", out, made, requires_grad) if out is not None or requires_grad else tensor_of(made)


def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
    out: Tensor | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """`steps` values from `start` to `end`, both included.

    Raises:
        ShapeError: `steps` is negative.
    """
    if out is not None and dtype is None:
        dtype = out.dtype
    if more:
        options("linspace", more)
    made = nd.linspace(array_of(start), array_of(end), steps, dtype=dtype, device=device, **more)
    return written("linspace", out, made, requires_grad) if out is not None or requires_grad else tensor_of(made)


def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False, out: Tensor | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """`base` to the powers `start` to `end`, both included, in `steps` values.

    Raises:
        ShapeError: `steps` is negative.
    """
    if out is not None and dtype is None:
        dtype = out.dtype
    ends = array_of(start), array_of(end)
    made = nd.logspace(*ends, steps, base, dtype=dtype, device=device, **options("logspace", more))
    return written("logspace", out, made, requires_grad)


def eye(
    n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
    out: Tensor | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """A matrix with ones on its diagonal.

    Raises:
        ShapeError: a length is negative.
    """
    if out is not None and dtype is None:
        dtype = out.dtype
    if more:
        options("eye", more)
    made = nd.eye(n, m, dtype=dtype, device=device, **more)
    return written("eye", out, made, requires_grad) if out is not None or requires_grad else tensor_of(made)
