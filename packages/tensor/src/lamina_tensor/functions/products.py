"""Products as PyTorch has them as functions and as methods: those of arrays, which take its names and its `out`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError
from lamina_ndarray.dispatch.operands import described

from ..dispatch import array_functions as af
from ..dispatch.spelling import spelled, written
from ..precision.casts import switch
from ..tensor_fields import TensorFields

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "addr", "baddbmm", "bmm", "dot", "inner", "kron",
    "lerp", "matmul", "mm", "mv", "outer", "tensordot", "vdot",
]  # fmt: skip

WRITTEN_BACK = dict.fromkeys(("addbmm", "addmm", "addmv", "addr", "baddbmm"))
"""Those with a twin that replaces its first argument's items."""


def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product; vectors count as a row on the left and a column on the right; leading dims broadcast."""
    return af.FUNCTIONS["matmul"](input, other, out=out)


def _product(a: Any, b: Any, ndim: int, other: int) -> Tensor | None:
    """`a @ b`, for tensors of one dtype with so many axes that fit. None for anything else: the op itself says what is wrong."""
    if not (isinstance(a, TensorFields) and isinstance(b, TensorFields)):
        return None
    x, y = a.array, b.array
    if x.layout.ndim != ndim or y.layout.ndim != other or x.flat.dtype is not y.flat.dtype:
        return None
    try:
        return af.FUNCTIONS["matmul"](a, b)  # type: ignore[no-any-return]
    except ShapeError:
        return None


def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices; see `lamina_ndarray.mm`."""
    product = _product(input, mat2, 2, 2) if out is None else None
    if product is not None:
        return product
    if switch.users and out is None:
        input, mat2 = switch.lowered(input, mat2)
    made: Tensor = nd.mm(input, mat2)
    return made if out is None else written("mm", out, made)


def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of two stacks of matrices; see `lamina_ndarray.bmm`."""
    both = isinstance(input, TensorFields) and isinstance(mat2, TensorFields)
    if out is None and both and input.array.layout.shape[:1] == mat2.array.layout.shape[:1]:
        product = _product(input, mat2, 3, 3)
        if product is not None:
            return product
    if switch.users and out is None:
        input, mat2 = switch.lowered(input, mat2)
    made: Tensor = nd.bmm(input, mat2)
    return made if out is None else written("bmm", out, made)


def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector; see `lamina_ndarray.mv`."""
    product = _product(input, vec, 2, 1)
    made: Tensor = nd.mv(input, vec) if product is None else product
    return made if out is None else written("mv", out, made)


def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors' items; see `lamina_ndarray.dot`."""
    product = _product(input, tensor, 1, 1)
    made: Tensor = nd.dot(input, tensor) if product is None else product
    return made if out is None else written("dot", out, made)


vdot, inner, outer, kron = map(spelled, (nd.vdot, nd.inner, nd.outer, nd.kron))
addmm, addmv, addr, addbmm, baddbmm = map(spelled, (nd.addmm, nd.addmv, nd.addr, nd.addbmm, nd.baddbmm))


def _lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """`input + weight * (end - input)`; all broadcast, and the weight may be a number.

    Raises:
        DTypeError: the dtypes differ.
    """
    for x in (end, weight):
        if isinstance(x, TensorFields) and x.array.dtype is not input.array.dtype:
            raise DTypeError(f"lerp: expected dtype {input.array.dtype.name}, but got {x.array.dtype.name}")
    made: Tensor = af.FUNCTIONS["lerp"](input, end, weight)
    return made


lerp = spelled(_lerp)


def _addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`; all broadcast.

    Raises:
        ShapeError: the shapes do not broadcast.
    """
    made: Tensor = af.FUNCTIONS["addcmul"](input, tensor1, tensor2, value=value)
    return made


def _addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`; all broadcast.

    Raises:
        DTypeError: both are whole numbers; divide first, and say how to round.
        ShapeError: the shapes do not broadcast.
    """
    if not (tensor1.array.dtype.is_inexact or tensor2.array.dtype.is_inexact):
        raise DTypeError(
            "addcdiv: Integer division with addcdiv is no longer supported; "
            f"{described([tensor1.array, tensor2.array])} given; it wants floating dtypes"
        )
    made: Tensor = af.FUNCTIONS["addcdiv"](input, tensor1, tensor2, value=value)
    return made


addcmul, addcdiv = spelled(_addcmul), spelled(_addcdiv)


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Sums of products over the last `dims` dims of a and the first of b, or over two lists of dims that belong together.

    Raises:
        DTypeError: the dtypes differ.
        ShapeError: lengths differ, or the lists do.
    """
    if a.array.dtype is not b.array.dtype:
        raise DTypeError(
            f"tensordot: both inputs should have same dtype, but got {a.array.dtype.name} and {b.array.dtype.name}"
        )
    made: Tensor = nd.tensordot(a, b, dims.tolist() if isinstance(dims, TensorFields) else dims)
    return made if out is None else written("tensordot", out, made)
