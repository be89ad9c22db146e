"""What functions do with matrices in compressed rows: their parts, conversions, products, sums, and functions that keep zero."""

from __future__ import annotations

from typing import Any

import lamina_tensor as functions
from lamina_flatarray import AutogradError, DTypeError, ShapeError, UsageError

from ..tensor_class import Tensor
from . import arithmetic, kinds, products
from .construction import to_sparse
from .csr_tensor import CSRTensor, csr_rule
from .elementwise import KEEP_ZERO
from .sparse_tensor import RULES, SparseTensor
from .stored_items import StoredItems, refused

for _name in (  # which look at the values and the shape only
    "size", "dim", "ndimension", "numel", "nelement", "__len__", "_nnz", "_values", "is_floating_point", "is_complex", "is_same_size",
    "detach", "data", "detach_", "requires_grad_", "register_hook",
):  # fmt: skip
    csr_rule(_name)(RULES[_name])

csr_rule("crow_indices")(lambda s: s.starts)
csr_rule("col_indices")(lambda s: s.columns)
csr_rule("values")(lambda s: s.entries.view(s.entries.shape))
csr_rule("sparse_dim")(lambda s: 2)
csr_rule("dense_dim")(lambda s: 0)
csr_rule("to_sparse_coo")(lambda s: s.by_coordinates())
csr_rule("backward")(kinds._backward)


@csr_rule("to_sparse")
def _to_sparse(s: CSRTensor, sparse_dim: int | None = None, *, layout: Any = None, blocksize: Any = None, dense_dim: Any = None) -> Tensor:
    if layout is s.layout and blocksize is None and not dense_dim:
        return s
    return to_sparse(s.by_coordinates(), sparse_dim, layout=layout, blocksize=blocksize, dense_dim=dense_dim)


@csr_rule("to_dense")
def _to_dense(s: CSRTensor, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
    return kinds.to_dense(s.by_coordinates(), dtype, masked_grad=masked_grad)


@csr_rule("clone")
def _clone(s: CSRTensor, **_: Any) -> CSRTensor:
    return CSRTensor(s.starts.clone(), s.columns.clone(), s.entries.clone(), s.lengths)


def _at(s: CSRTensor, entries: Tensor) -> CSRTensor:
    """Other values at the same places, on their device."""
    if entries is s.entries:
        return s
    return CSRTensor(s.starts.to(entries.device), s.columns.to(entries.device), entries, s.lengths)


@csr_rule("to")
def _to(s: CSRTensor, *args: Any, **kwargs: Any) -> CSRTensor:
    return _at(s, s.entries.to(*args, **kwargs))


def _cast(name: str) -> None:
    csr_rule(name)(lambda s: _at(s, getattr(s.entries, name)()))


for _name in kinds.CASTS:
    _cast(_name)


@csr_rule("indices", "coalesce", "is_coalesced", "_indices")
def _of_coordinates(s: CSRTensor) -> Any:
    raise AutogradError("indices, coalesce and is_coalesced expected sparse coordinate tensor layout but got SparseCsr")


@csr_rule("is_contiguous", "stride")
def _of_memory(s: CSRTensor, *_: Any, **__: Any) -> Any:
    raise UsageError("Sparse CSR tensors do not have strides, and so no is_contiguous")


@csr_rule("numpy")
def _numpy(s: CSRTensor, *_: Any, **__: Any) -> Any:
    raise TypeError("can't convert SparseCsr layout tensor to numpy. Use Tensor.to_dense() first.")


@csr_rule("matmul", "mm", "mv", "__matmul__", "__rmatmul__")
def _matmul(input: Any, mat2: Any = None, *, other: Any = None, vec: Any = None) -> Any:
    """The product: in compressed rows of two such matrices, else dense."""
    factors = [input, mat2 if mat2 is not None else other if other is not None else vec]
    if any(isinstance(factor, SparseTensor) for factor in factors):
        refused("mm", "sparse_csr")
    product = products.matmul(*(factor.by_coordinates() if isinstance(factor, CSRTensor) else factor for factor in factors))
    return product.to_sparse_csr() if isinstance(product, SparseTensor) else product


def reduced_product(input: Tensor, mat2: Tensor, reduce: str) -> Tensor:
    """The products of each row's stored values with rows of a dense matrix, summed or otherwise reduced.

    Raises:
        UsageError: there is no such `reduce`, or the operands are not of these kinds.
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.
    """
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise UsageError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if not isinstance(input, CSRTensor) or isinstance(mat2, StoredItems):
        raise UsageError(f"sparse_mm_reduce: expect self to be SparseCsr and other Strided, got {input.layout} and {mat2.layout}")
    if reduce == "prod":
        raise UsageError("sparse_mm_reduce: reduce type of prod has not been enabled")
    if mat2.ndim != 2 or mat2.shape[0] != input.shape[1]:
        raise ShapeError(f"Expected a tensor of dimension 2 and tensor.size[0] == {input.shape[1]} but got {list(mat2.shape)}")
    if mat2.dtype is not input.dtype:
        raise DTypeError(f"sparse_mm_reduce: Expected both of dtype {input.dtype.name}, but got {mat2.dtype.name}")
    whole = input.by_coordinates()
    rows, columns = whole.coordinates
    products = whole.entries.unsqueeze(1) * functions.index_select(mat2, 0, columns)
    result = functions.zeros((input.shape[0], mat2.shape[1]), dtype=products.dtype, device=products.device)
    if reduce == "sum":
        return functions.index_add(result, 0, rows, products)
    return functions.scatter_reduce(result, 0, rows.unsqueeze(1).expand(products.shape), products, reduce, include_self=False)


@csr_rule("addmm")
def _addmm(input: Tensor, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    if isinstance(input, CSRTensor):
        refused("addmm", "sparse_csr")
    return input * beta + _matmul(mat1, mat2) * alpha  # type: ignore[no-any-return]


@csr_rule("sum")
def _sum(input: CSRTensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    if dim is not None:
        refused("sum.dim", "sparse_csr")
    return functions.sum(input.entries, dtype=dtype)


@csr_rule("mul", "multiply", "__mul__", "__rmul__")
def _mul(input: Any, other: Any) -> CSRTensor:
    """By a number, or by another in compressed rows."""
    if not isinstance(input, CSRTensor):
        input, other = other, input
    if isinstance(other, CSRTensor):
        return arithmetic._mul(input.by_coordinates(), other.by_coordinates()).to_sparse_csr()  # type: ignore[return-value]
    if not arithmetic._is_number(other):
        refused("mul", "sparse_csr")
    return input.like(input.entries * other)  # type: ignore[no-any-return]


@csr_rule("add", "__add__", "__radd__")
def _add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """In compressed rows of two such matrices, dense where the first is dense."""
    if isinstance(input, CSRTensor) and not isinstance(other, CSRTensor):
        refused("add", "sparse_csr")
    total = arithmetic.add(*(x.by_coordinates() if isinstance(x, CSRTensor) else x for x in (input, other)), alpha=alpha)
    return total.to_sparse_csr() if isinstance(input, CSRTensor) else total


@csr_rule("neg", "negative", "__neg__")
def _neg(input: CSRTensor) -> CSRTensor:
    return input.like(-input.entries)


def _serve(name: str) -> None:
    function = getattr(functions, name, None)

    @csr_rule(name)
    def rule(input: CSRTensor, *args: Any, **kwargs: Any) -> CSRTensor:
        return input.like((function or getattr(type(input.entries), name))(input.entries, *args, **kwargs))


for _name in KEEP_ZERO:
    _serve(_name)
