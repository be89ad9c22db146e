"""The functions of tensors in PyTorch's spelling: `dim`, `keepdim`, several results by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError
from lamina_ndarray.broadcast import normalize_axis

from . import array_functions as af
from . import joining
from .recording import recorded
from .rules import RULES
from .tensor import Tensor, tensor_of

__all__ = [
    "add", "all", "allclose", "amax", "amin", "any", "argmax", "argmin", "argsort", "bmm", "broadcast_to", "cat", "chunk", "clamp",
    "clone", "cumprod", "cumsum", "detach", "dot", "equal", "expand", "flatten", "flip", "gather", "index_select",
    "is_tensor", "log_softmax", "logsumexp", "masked_fill", "matmul", "max", "mean", "min", "mm", "movedim", "narrow",
    "nonzero", "numel", "outer", "permute", "prod", "reshape", "scatter", "scatter_add", "softmax", "sort", "split",
    "squeeze", "stack", "std", "sub", "sum", "t", "take_along_dim", "topk", "transpose", "tril", "triu", "unbind",
    "unsqueeze", "var", "view", "where",
]  # fmt: skip

Dim = int | tuple[int, ...] | list[int] | None


class ValuesIndices(NamedTuple):
    """Items and where they came from."""

    values: Tensor
    indices: Tensor


def is_tensor(x: object) -> bool:
    """Whether x is a Tensor."""
    return isinstance(x, Tensor)


def numel(x: Tensor) -> int:
    """How many items there are."""
    return x.array.layout.size


# -- arithmetic with PyTorch's extra arguments --------------------------------------------------------------------------


def add(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Tensor:
    """`input + alpha * other`."""
    return af.FUNCTIONS["add"](input, other if alpha == 1 else other * alpha, out=out)


def sub(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Tensor:
    """`input - alpha * other`."""
    return af.FUNCTIONS["subtract"](input, other if alpha == 1 else other * alpha, out=out)


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, else `other`; with the condition alone, where it holds."""
    if input is None and other is None:
        return tuple(map(tensor_of, nd.nonzero(condition.array)))
    return af.FUNCTIONS["where"](condition, input, other)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """`input` held between two bounds: numbers, tensors that broadcast, or None for no bound."""
    return af.clip(input, min, max)


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`value` where the mask holds, else `input`."""
    made: Tensor = af.FUNCTIONS["where"](mask, value, input)
    return made if made.array.dtype is input.array.dtype else af.astype(made, input.array.dtype)


# -- reductions ---------------------------------------------------------------------------------------------------------


def _dims(dim: Dim) -> Dim:
    return None if dim is None or dim == () or dim == [] else dim


def sum(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum over `dim` (all for None); of booleans and integers in int64."""
    return af.FUNCTIONS["sum"](input if dtype is None else af.astype(input, dtype), _dims(dim), keepdim)


def mean(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The arithmetic mean over `dim`."""
    return af.FUNCTIONS["mean"](input if dtype is None else af.astype(input, dtype), _dims(dim), keepdim)


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The product over `dim`; of booleans and integers in int64."""
    return af.FUNCTIONS["prod"](input if dtype is None else af.astype(input, dtype), dim, keepdim)


def var(
    input: Tensor,
    dim: Dim = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The variance over `dim`; divided by n - correction (by default 1, Bessel's)."""
    degrees = (1 if unbiased else 0) if correction is None else correction
    return af.FUNCTIONS["var"](input, _dims(dim), keepdim, correction=degrees)


def std(
    input: Tensor,
    dim: Dim = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The standard deviation over `dim`."""
    return af.FUNCTIONS["sqrt"](var(input, dim, unbiased, keepdim, correction=correction))


def amax(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """The greatest over `dim`; ties share the gradient."""
    return af.FUNCTIONS["max"](input, _dims(dim), keepdim)


def amin(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """The smallest over `dim`; ties share the gradient."""
    return af.FUNCTIONS["min"](input, _dims(dim), keepdim)


def _extreme(op: str, position: str, input: Tensor, dim: Any, keepdim: bool) -> Any:
    if dim is None:
        return af.FUNCTIONS[op](input)
    if isinstance(dim, Tensor):
        return af.FUNCTIONS["maximum" if op == "max" else "minimum"](input, dim)
    indices = af.FUNCTIONS[position](input, dim, True)
    values = af.gather(input, indices, dim) if input.array.layout.ndim else input
    if not keepdim and input.array.layout.ndim:
        values, indices = af.squeeze(values, dim), af.squeeze(indices, dim)
    return ValuesIndices(values, indices)


def max(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The greatest of all; with `dim`, the greatest along it and the first position of it; with a tensor in place
    of `dim`, the greater of both item by item."""
    return _extreme("max", "argmax", input, dim, keepdim)


def min(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest of all; with `dim`, the smallest along it and the first position of it; with a tensor in place
    of `dim`, the smaller of both item by item."""
    return _extreme("min", "argmin", input, dim, keepdim)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The first position of the greatest along `dim`, or of all."""
    return af.FUNCTIONS["argmax"](input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The first position of the smallest along `dim`, or of all."""
    return af.FUNCTIONS["argmin"](input, dim, keepdim)


def any(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Whether an item over `dim` is nonzero."""
    return af.FUNCTIONS["any"](input, _dims(dim), keepdim)


def all(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Whether every item over `dim` is nonzero."""
    return af.FUNCTIONS["all"](input, _dims(dim), keepdim)


def logsumexp(input: Tensor, dim: Dim, keepdim: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials over `dim`."""
    return af.FUNCTIONS["logsumexp"](input, _dims(dim), keepdim)


def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The running sum along `dim`."""
    return af.FUNCTIONS["cumsum"](input if dtype is None else af.astype(input, dtype), dim)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The running product along `dim`."""
    return af.FUNCTIONS["cumprod"](input if dtype is None else af.astype(input, dtype), dim)


def softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """`exp(x) / sum(exp(x))` along `dim`."""
    return af.FUNCTIONS["softmax"](input if dtype is None else af.astype(input, dtype), dim)


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along `dim`."""
    return af.FUNCTIONS["log_softmax"](input if dtype is None else af.astype(input, dtype), dim)


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and items."""
    return input.shape == other.shape and bool(nd.all(nd.equal(input.array, other.array)).item())  # type: ignore[attr-defined]


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether `|input - other| <= atol + rtol * |other|` everywhere."""
    a, b = input.array, other.array
    close = (a == b) | (abs(a - b) <= abs(b) * rtol + atol)
    if equal_nan:
        close = close | ((a != a) & (b != b))
    return bool(nd.all(close).item())


# -- views --------------------------------------------------------------------------------------------------------------


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    """`(2, 3)` or `((2, 3),)`: lengths given one by one, or as one sequence."""
    return tuple(shape[0]) if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape


def view(input: Tensor, *shape: Any) -> Tensor:
    """Another shape over the same memory.

    Raises:
        ShapeError: the strides do not allow it.
    """
    return recorded(RULES["reshape"], nd.view(input.array, sizes(shape)), (input,), input)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """Another shape: a view where strides allow it, else a copy."""
    return af.reshape(input, sizes(shape))


def permute(input: Tensor, *dims: Any) -> Tensor:
    """The dims in another order."""
    return af.permute(input, sizes(dims))


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dims exchanged."""
    return af.transpose(input, dim0, dim1)


def t(input: Tensor) -> Tensor:
    """A matrix transposed; a vector as it is.

    Raises:
        ShapeError: there are more than two dims.
    """
    ndim = input.array.layout.ndim
    if ndim > 2:
        raise ShapeError(f"t() expects a tensor with <= 2 dimensions, but self is {ndim}D")
    return input if ndim < 2 else recorded(RULES["t"], nd.transpose(input.array, 0, 1), (input,), input)


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dims moved to new places, the others staying in order."""
    ndim = input.array.layout.ndim
    sources = [normalize_axis(d, ndim, "movedim") for d in ([source] if isinstance(source, int) else source)]
    targets = [
        normalize_axis(d, ndim, "movedim") for d in ([destination] if isinstance(destination, int) else destination)
    ]
    rest = iter([d for d in range(ndim) if d not in sources])
    return af.permute(input, [sources[targets.index(i)] if i in targets else next(rest) for i in range(ndim)])


def expand(input: Tensor, *shape: Any) -> Tensor:
    """Repeated, by strides of 0, to a larger shape; -1 keeps a length."""
    return af.broadcast_to(input, sizes(shape))


def broadcast_to(input: Tensor, size: Sequence[int]) -> Tensor:
    """As `expand`, with the lengths as one sequence."""
    return af.broadcast_to(input, tuple(size))


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The dims from `start_dim` to `end_dim` as one."""
    return af.reshape(input, nd.flatten(input.array, start_dim, end_dim).layout.shape)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without dims of length 1."""
    return af.squeeze(input, dim)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new dim of length 1."""
    return af.unsqueeze(input, dim)


def flip(input: Tensor, *dims: Any) -> Tensor:
    """Dims read backwards, in memory of its own."""
    return af.copy(af.flip(input, sizes(dims)))


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """Part of a dim."""
    at = normalize_axis(dim, input.array.layout.ndim, "narrow")
    if start < 0:
        start += input.shape[at]
    if not 0 <= start <= start + length <= input.shape[at]:
        raise ShapeError(f"narrow: start ({start}) + length ({length}) exceeds dimension size ({input.shape[at]}).")
    return af.getitem(input, (*(slice(None),) * at, slice(start, start + length)))


def split(input: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Views of pieces along a dim: of one size (the last may be smaller), or of the given sizes."""
    at = normalize_axis(dim, input.array.layout.ndim, "split")
    parts = nd.split(input.array, split_size_or_sections, at)
    start, made = 0, []
    for part in parts:
        stop = start + part.layout.shape[at]
        made.append(af.getitem(input, (*(slice(None),) * at, slice(start, stop))))
        start = stop
    return tuple(made)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most this many pieces of equal size along a dim; the last may be smaller."""
    if chunks < 1:
        raise ShapeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    length = input.shape[dim]
    return split(input, -(-length // chunks) or 1, dim) if length else split(input, [0], dim)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along a dim, without it."""
    at = normalize_axis(dim, input.array.layout.ndim, "unbind")
    return tuple(af.getitem(input, (*(slice(None),) * at, i) if at else i) for i in range(input.shape[at]))


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors one after another along a dim."""
    return joining.concat(tensors, dim)


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors of one shape along a new dim."""
    return joining.stack(tensors, dim)


def clone(input: Tensor) -> Tensor:
    """The same items in memory of their own; gradients flow back."""
    return af.copy(input)


def detach(input: Tensor) -> Tensor:
    """The same items in the same memory, apart from the graph."""
    return tensor_of(input.array)


# -- positions ----------------------------------------------------------------------------------------------------------


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Items picked along a dim: for dim 0, `out[i][j] = input[index[i][j]][j]`."""
    return af.gather(input, index, dim)


def take_along_dim(input: Tensor, indices: Tensor, dim: int) -> Tensor:
    """As `gather`."""
    return af.gather(input, indices, dim)


def scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """A copy with items written along a dim: for dim 0, `out[index[i][j]][j] = src[i][j]`."""
    return af.scatter(input, index, src, dim)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """A copy with items added along a dim."""
    return af.scatter_add(input, index, src, dim)


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices of a dim at one-dimensional positions."""
    at = normalize_axis(dim, input.array.layout.ndim, "index_select")
    return af.getitem(input, (*(slice(None),) * at, index))


def nonzero(input: Tensor) -> Tensor:
    """The positions of nonzero items, one row each."""
    return tensor_of(nd.stack(nd.nonzero(input.array), 1))


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> ValuesIndices:
    """The items in order along a dim, and where they came from; always stable."""
    return ValuesIndices(*af.sort(input, dim, descending))


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The positions that put a dim in order; always stable."""
    return af.sort(input, dim, descending)[1]


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> ValuesIndices:
    """The k greatest (or smallest) along a dim in order, and where they came from.

    Raises:
        ShapeError: there are fewer than k.
    """
    at = normalize_axis(dim, input.array.layout.ndim, "topk")
    if not 0 <= k <= input.shape[at]:
        raise ShapeError(f"topk: selected index k out of range: {k} of {input.shape[at]}")
    indices = narrow(af.sort(tensor_of(input.array), at, largest)[1], at, 0, k)
    return ValuesIndices(af.gather(input, indices, at), indices)


def _triangle(input: Tensor, keep: Any) -> Tensor:
    rows, columns = input.shape[-2:]
    device = input.array.device
    row = nd.unsqueeze(nd.arange(rows, device=device), 1)
    mask = keep(nd.arange(columns, device=device) - row)
    return af.FUNCTIONS["where"](tensor_of(mask), input, False if input.array.dtype.kind == "b" else 0)


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of the last two dims, up to a diagonal; zeros above."""
    return _triangle(input, lambda distance: distance <= diagonal)


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of the last two dims, from a diagonal on; zeros below."""
    return _triangle(input, lambda distance: distance >= diagonal)


# -- products -----------------------------------------------------------------------------------------------------------


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product; vectors count as a row on the left and a column on the right; leading dims broadcast."""
    return af.FUNCTIONS["matmul"](input, other)


def _product(name: str, ndim: int, input: Tensor, other: Tensor) -> Tensor:
    if input.array.layout.ndim != ndim or other.array.layout.ndim != ndim:
        raise ShapeError(f"{name}: {ndim}D tensors expected, but got {input.shape} and {other.shape}")
    if input.array.dtype is not other.array.dtype:
        raise DTypeError(
            f"{name}: expected both tensors to have the same dtype, but got {input.array.dtype.name} and "
            f"{other.array.dtype.name}"
        )
    return matmul(input, other)


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
    return _product("mm", 2, input, mat2)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two stacks of matrices."""
    return _product("bmm", 3, input, mat2)


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """The inner product of two vectors."""
    return _product("dot", 1, input, tensor)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors."""
    return af.FUNCTIONS["multiply"](af.unsqueeze(input, 1), vec2)
