"""Functions of ndarray on tensors, written by hand or by their family: those whose gradient is more than a rule of their name."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS
from lamina_ndarray import Layout
from lamina_ndarray.array_fields import view_of
from lamina_ndarray.dispatch.functions import RANKED
from lamina_ndarray.indexing import selection
from lamina_ndarray.layouts import regions
from lamina_ndarray.layouts.broadcast import normalize_axes, normalize_axis
from lamina_ndarray.reductions.folds import reduced

from ..autograd.recording import array_of, out_array, recorded, variadic
from ..autograd.rules import RULES, rule_of
from ..tensor_fields import AnyTensor, TensorFields, tensor_of, viewed
from .elementwise import binary, elementwise, on_tensors
from .out import written
from .recorded_order import median, mode, order, ranked
from .tensor_functions import FUNCTIONS, defined, plain, plainly

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["matrix_product"]

for _row in OPS.values():
    if _row.family == "map":
        FUNCTIONS[_row.name] = on_tensors(_row.name, _row.arity) if _row.arity < 3 else plainly(variadic(_row.name), RANKED[_row.name])
    elif _row.is_activation:
        FUNCTIONS[_row.name] = plainly(variadic(_row.name), RANKED[_row.name])


@defined
def clip(x: TensorFields, min: Any = None, max: Any = None) -> Tensor:
    """`x` held between two bounds: numbers, tensors that broadcast, or None for no bound."""
    if isinstance(min, AnyTensor) or isinstance(max, AnyTensor):
        bounds = array_of(min), array_of(max)
        result = x.array if min is None else RANKED["maximum"](x.array, bounds[0])
        result = result if max is None else RANKED["minimum"](result, bounds[1])
        return recorded(RULES["clip_to"], result, (x, min, max))
    return recorded(RULES["clip"], nd.clip(x.array, min, max), (x,), min=min, max=max)


FUNCTIONS["clip"] = clip


@defined
def polygamma(n: int, x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of digamma; see `lamina_ndarray.polygamma`."""
    if out is not None:
        out_array("polygamma", out, (x,))
        return written("polygamma", out, tensor_of(nd.polygamma(n, x.array)), casts=True)  # type: ignore[no-any-return]
    return recorded(RULES["polygamma"], nd.polygamma(n, x.array), (x,), n=n)


FUNCTIONS["polygamma"] = polygamma


def _reduction(op: str) -> Callable[..., Tensor]:
    compute = getattr(nd, op)

    def function(x: Tensor, axis: Any = None, keepdims: bool = False, **params: Any) -> Tensor:
        array = x.array
        result = compute(array, axis, keepdims, **params) if params else compute(array, axis, keepdims)
        rule = rule_of(op) if x.requires_grad else None
        if rule is None:
            return tensor_of(result)
        axes = normalize_axes(axis, array.layout.ndim, op)
        return recorded(rule, result, (x,), axes=axes, correction=params.get("correction", 0))

    function.__name__ = op
    return plainly(function, compute)


def _total(op: str) -> Callable[..., Tensor]:
    """A sum or a product, of unsigned integers in int64, as in PyTorch; the Array API has uint64."""

    def function(x: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
        array = x.array
        if dtype is None and array.flat.dtype.kind == "u":
            dtype = nd.int64
        result = reduced(op, array, axis, keepdims, out, dtype)
        if not x.requires_grad:
            return tensor_of(result)
        return recorded(RULES[op], result, (x,), axes=normalize_axes(axis, array.layout.ndim, op))

    function.__name__ = op
    return function


for _row in OPS.values():
    if _row.family == "reduce":
        FUNCTIONS[_row.name] = (_total if _row.rule == "sum" else _reduction)(_row.name)


@defined
def std(x: TensorFields, axis: Any = None, keepdims: bool = False, *, correction: float = 0) -> Tensor:
    """The root of the variance; its gradient is 0 where the items are equal."""
    variance = FUNCTIONS["var"](x, axis, keepdims, correction=correction)
    return recorded(RULES["std"], nd.sqrt(variance.array), (variance,))


def _along(op: str) -> Callable[..., Tensor]:
    compute = getattr(nd, op)

    def function(x: Tensor, axis: int = -1, **params: Any) -> Tensor:
        result = compute(x.array, axis, **params)
        if not x.requires_grad:
            return tensor_of(result)
        return recorded(
            RULES[op], result, (x,), axis=normalize_axis(axis, x.array.layout.ndim, op) if x.array.layout.ndim else 0
        )

    function.__name__ = op
    return plainly(function, compute)


for _op in (*(n for n, row in OPS.items() if row.family == "scan" and row.outputs == 1), "softmax", "log_softmax"):
    FUNCTIONS[_op] = _along(_op)


def _transform(op: str) -> Callable[..., Tensor]:
    compute = getattr(nd, op)

    def function(x: Tensor, axis: int = -1, **params: Any) -> Tensor:
        result = compute(x.array, axis, **params)
        if not x.requires_grad:
            return tensor_of(result)
        at = normalize_axis(axis, x.array.layout.ndim, op)
        settled = {"inverse": False, "scale": 1.0, "n": result.layout.shape[at], **params}
        return recorded(RULES[op], result, (x,), axis=at, **settled)

    function.__name__ = op
    return plainly(function, compute)


for _row in OPS.values():
    if _row.family == "fft":
        FUNCTIONS[_row.name] = _transform(_row.name)


_MATMUL = elementwise("matmul", 2)


@plain(nd.matmul)
def matrix_product(input: TensorFields, other: Tensor) -> Tensor:
    """The product of vectors, matrices or stacks of them, as a new tensor; see `lamina_ndarray.matmul`."""
    return binary(_MATMUL, input, other)


@defined
def matmul(input: TensorFields, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of vectors, matrices or stacks of them; see `lamina_ndarray.matmul`."""
    return matrix_product(input, other) if out is None else binary(_MATMUL, input, other, out)


FUNCTIONS["matmul"] = matmul


@defined
def linear(x: TensorFields, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`x @ weight.T + bias`; see `lamina_ndarray.linear`."""
    result = nd.linear(x.array, weight.array, None if bias is None else bias.array)
    return recorded(RULES["linear"], result, (x, weight, bias))


FUNCTIONS.update({"sort": order, "ranked": ranked, "median": median, "mode": mode})


# -- views ------------------------------------------------------------------------------------------------------------


@defined
def reshape(x: TensorFields, shape: Sequence[int]) -> Tensor:
    """Another shape: a view where strides allow it, else a copy."""
    array = x.array
    if not x.requires_grad:
        layout = array.layout.reshape(shape)
        if layout is not None:
            return viewed(x, layout)
    return recorded(RULES["reshape"], nd.reshape(array, shape), (x,), x)


def _view(x: TensorFields, op: str, layout: Layout, **params: Any) -> Tensor:
    """x's items under a layout that an op, of these parameters, finds for it."""
    return recorded(RULES[op], view_of(x.array, layout), (x,), x, **params) if x.requires_grad else viewed(x, layout)


@defined
def permute(x: TensorFields, axes: Sequence[int]) -> Tensor:
    """The axes in another order."""
    axes = tuple(axes)
    return _view(x, "permute", x.array.layout.permute(axes), axes=axes)


@defined
def transpose(x: TensorFields, a: int = -2, b: int = -1) -> Tensor:
    """Two axes exchanged."""
    array = x.array
    layout = array.layout.transpose(a, b)
    if not x.requires_grad:
        return viewed(x, layout)
    return recorded(RULES["transpose"], view_of(array, layout), (x,), x, a=a, b=b)


@defined
def broadcast_to(x: TensorFields, shape: Sequence[int], op: str = "broadcast_to") -> Tensor:
    """Repeated, by strides of 0, to a larger shape; errors name `op`."""
    return _view(x, "broadcast_to", x.array.layout.broadcast_to(shape, op))


@defined
def diagonal(x: TensorFields, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of two axes, as a last axis."""
    layout = x.array.layout.diagonal(offset, axis1, axis2)
    return _view(x, "diagonal", layout, offset=offset, axis1=axis1, axis2=axis2)


@defined
def unsqueeze(x: TensorFields, axis: int) -> Tensor:
    """A new axis of length 1."""
    return _view(x, "unsqueeze", x.array.layout.unsqueeze(axis))


@defined
def squeeze(x: TensorFields, axis: Any = None) -> Tensor:
    """Without axes of length 1: of the given ones, or of all, those that have it."""
    return _view(x, "squeeze", x.array.layout.squeeze(axis))


@defined
def as_strided(x: TensorFields, shape: tuple[int, ...], strides: tuple[int, ...], offset: int | None = None) -> Tensor:
    """Any layout within x's memory."""
    layout = x.array.layout.as_strided(shape, strides, offset, x.array.flat.size)
    return _view(x, "as_strided", layout, shape=shape, strides=strides, offset=offset)


@defined
def flip(x: TensorFields, axes: Any) -> Tensor:
    """Axes read backwards."""
    return recorded(RULES["flip"], nd.flip(x.array, axes), (x,), x, axes=axes)


@defined
def copy(x: TensorFields, row_major: bool = False) -> Tensor:
    """The same items in memory of their own."""
    return recorded(RULES["copy"], nd.copy(x.array, row_major), (x,))


@defined
def outermost_first(x: TensorFields, axes: Any = None) -> tuple[int, ...]:
    """Axes in their order in memory."""
    return nd.outermost_first(x.array, axes)


@defined
def contiguous(x: TensorFields) -> Tensor:
    """Itself if row-major, else a copy that is."""
    return x if x.array.layout.contiguous else recorded(RULES["copy"], nd.contiguous(x.array), (x,))  # type: ignore[return-value]


@defined
def astype(x: TensorFields, dtype: Any) -> Tensor:
    """In another dtype; itself if it has it."""
    result = nd.astype(x.array, dtype, copy=False)
    return x if result is x.array else recorded(RULES["astype"], result, (x,))  # type: ignore[return-value]


@defined
def region(x: TensorFields, outer: Any, inner: Any) -> Tensor:
    """What `inner` shows of x, if x lay as `outer`; see `lamina_ndarray.region`."""
    return recorded(RULES["region"], regions.region(x.array, outer, inner), (x,), outer=outer, inner=inner)


@defined
def put_region(values: TensorFields, outer: Any, inner: Any) -> Tensor:
    """Zeros of outer's shape with `values` added where `inner` shows them."""
    return recorded(RULES["put_region"], regions.put_region(values.array, outer, inner), (values,), outer=outer, inner=inner)


@defined
def without_region(x: TensorFields, outer: Any, inner: Any) -> Tensor:
    """A copy of x with zeros where `inner` would show it."""
    return recorded(RULES["without_region"], regions.without_region(x.array, outer, inner), (x,), outer=outer, inner=inner)


@defined
def sum_to_shape(x: TensorFields, shape: tuple[int, ...]) -> Tensor:
    """The sum over everything that broadcasting `shape` to x's shape repeated."""
    own = x.array.layout.shape
    lead = len(own) - len(shape)
    axes = (*range(lead), *(lead + i for i, n in enumerate(shape) if n == 1 and own[lead + i] != 1))
    return reshape(FUNCTIONS["sum"](x, axes) if axes else x, shape)


@defined
def to_device(x: TensorFields, device: Any) -> Tensor:
    """On another device; itself if it is there."""
    result = nd.to_device(x.array, device)
    return x if result is x.array else recorded(RULES["to_device"], result, (x,))  # type: ignore[return-value]


# -- without gradients, but on tensors ----------------------------------------------------------------------------------


@defined
def new_zeros(x: TensorFields, shape: tuple[int, ...]) -> Tensor:
    """Zeros of any shape, with x's dtype and on its device."""
    return tensor_of(selection.new_zeros(x.array, shape))


@defined
def zeros_like(x: TensorFields, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros of x's shape; of its dtype and on its device unless others are given."""
    return tensor_of(nd.zeros_like(x.array, dtype=dtype, device=device))


@defined
def full_like(x: TensorFields, value: complex, *, dtype: Any = None, device: Any = None) -> Tensor:
    """One value in x's shape; of its dtype and on its device unless others are given."""
    return tensor_of(nd.full_like(x.array, value, dtype=dtype, device=device))


@defined
def ones_like(x: TensorFields, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Ones of x's shape; of its dtype and on its device unless others are given."""
    return tensor_of(nd.ones_like(x.array, dtype=dtype, device=device))


@overload
def conj(x: TensorFields) -> Tensor: ...
@overload
def conj(x: complex) -> complex: ...
@defined
def conj(x: Any) -> Any:
    """The complex conjugate; x itself where it is real."""
    if not isinstance(x, AnyTensor) or not x.array.dtype.is_complex:
        return x if not isinstance(x, builtins.complex) else x.conjugate()
    return recorded(RULES["conj"], nd.conj(x.array), (x,))


@defined
def real(x: TensorFields) -> Tensor:
    """The real part; x itself where it is real."""
    return recorded(RULES["real"], nd.real(x.array), (x,), x) if x.array.dtype.is_complex else x  # type: ignore[return-value]


@defined
def imag(x: TensorFields) -> Tensor:
    """The imaginary part."""
    return recorded(RULES["imag"], nd.imag(x.array), (x,), x)
