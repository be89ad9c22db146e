"""What kind of tensor one is: on which type of device, and that it is dense; sparse ones have rules of their own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from lamina_flatarray import ArgumentTypeError, AutogradError, OpNotImplemented

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import TensorFields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lamina_flatarray import DType

    from ...devices.memory_formats import layout as Layout
    from ...tensor_class import Tensor

__all__ = ["KindMethods"]


def _refuse_dense(method: str) -> NoReturn:
    raise AutogradError(f"{method} expected a sparse tensor, but got a strided one")


class KindMethods(TensorFields):
    """Questions about the kind of a tensor: its type of device, and whether it is sparse, quantized or nested.

    >>> x = torch.ones(2)
    >>> x.is_cpu, x.is_sparse, x.is_quantized
    (True, False, False)
    """

    __slots__ = ()

    @property
    def is_cpu(self) -> bool:
        """Whether the items are on the host."""
        return self.array.device.type == "cpu"

    @property
    def is_cuda(self) -> bool:
        """Whether the items are on a device of type "cuda"."""
        return self.array.device.type == "cuda"

    @property
    def is_ipu(self) -> bool:
        """Whether the items are on a device of type "ipu", of which there is none."""
        return False

    @property
    def is_maia(self) -> bool:
        """Whether the items are on a device of type "maia", of which there is none."""
        return False

    @property
    def is_meta(self) -> bool:
        """Whether the tensor is on the device "meta", which holds no items."""
        return self.array.device.type == "meta"

    @property
    def is_mps(self) -> bool:
        """Whether the items are on a device of type "mps", of which there is none."""
        return False

    @property
    def is_mtia(self) -> bool:
        """Whether the items are on a device of type "mtia", of which there is none."""
        return False

    @property
    def is_vulkan(self) -> bool:
        """Whether the items are on a device of type "vulkan", of which there is none."""
        return False

    @property
    def is_xla(self) -> bool:
        """Whether the items are on a device of type "xla", of which there is none."""
        return False

    @property
    def is_xpu(self) -> bool:
        """Whether the items are on a device of type "xpu", of which there is none."""
        return False

    @property
    def is_mkldnn(self) -> bool:
        """Whether the tensor is in a layout of oneDNN's: none is."""
        return False

    @property
    def is_nested(self) -> bool:
        """Whether the tensor is a nested one: none is."""
        return False

    @property
    def is_quantized(self) -> bool:
        """Whether the tensor is quantized: none is."""
        return False

    @property
    def is_sparse(self) -> bool:
        """Whether the tensor is sparse: none is."""
        return False

    @property
    def is_sparse_csr(self) -> bool:
        """Whether the tensor is sparse in compressed rows: none is."""
        return False

    @torch_function
    def dense_dim(self) -> int:
        """Return the number of dense dims: all of them.

        Returns:
            An int: `dim()`.

        >>> torch.ones(2, 3).dense_dim()
        2
        """
        return self.array.layout.ndim

    @torch_function
    def sparse_dim(self) -> int:
        """Return the number of sparse dims: 0.

        Returns:
            0.

        >>> torch.ones(2, 3).sparse_dim()
        0
        """
        return 0

    @torch_function
    def to_dense(self, dtype: DType | None = None, *, masked_grad: bool | None = None) -> Tensor:
        """Return the tensor itself, in another dtype if one is given: all tensors are dense.

        Args:
            dtype: the dtype to convert to; None to keep the tensor's own.
            masked_grad: accepted and ignored: it is of sparse gradients.

        Returns:
            A tensor of the same shape; the tensor itself where its dtype stays.

        >>> torch.ones(2).to_dense()
        tensor([1., 1.])
        """
        return self if dtype is None else af.astype(self, dtype)  # type: ignore[return-value]

    @torch_function
    def to_sparse(
        self: Any,
        sparse_dim: int | None = None,
        *,
        layout: Layout | None = None,
        blocksize: int | Sequence[int] | None = None,
        dense_dim: int | None = None,
    ) -> Tensor:
        """Return the items that are not zero as a sparse tensor in coordinate format.

        Args:
            sparse_dim: along how many of the first dims coordinates are kept; all by default.
            layout: `torch.sparse_coo`, the default, `torch.sparse_csr`, or `torch.strided`, for the tensor as it is.
            blocksize: must be None: layouts of blocks are not supported.
            dense_dim: how many of the last dims have no coordinates, instead of `sparse_dim`.

        Returns:
            A coalesced sparse tensor of the same shape; gradients flow through it.

        Raises:
            RuntimeError: there are fewer dims, or a block size is given.
            TypeError: `sparse_dim` is given with a keyword.

        >>> torch.tensor([0.0, 2.0]).to_sparse().values()
        tensor([2.])
        """
        to_sparse = import_module("lamina_tensor.sparse.construction").to_sparse
        return to_sparse(self, sparse_dim, layout=layout, blocksize=blocksize, dense_dim=dense_dim)  # type: ignore[no-any-return]

    @torch_function
    def to_sparse_coo(self: Any) -> Tensor:
        """Return the items that are not zero as a sparse tensor; see `to_sparse`.

        Returns:
            A coalesced sparse tensor of the same shape.

        >>> torch.tensor([0.0, 2.0]).to_sparse_coo().layout
        lamina.sparse_coo
        """
        return import_module("lamina_tensor.sparse.construction").to_sparse(self)  # type: ignore[no-any-return]

    @torch_function
    def to_sparse_csr(self: Any, dense_dim: int | None = None) -> Tensor:
        """Return the items of a matrix that are not zero as a sparse tensor in compressed rows.

        Args:
            dense_dim: must be None or 0: each item is a number.

        Returns:
            A tensor of layout `torch.sparse_csr`; gradients flow to the items that it stores.

        Raises:
            RuntimeError: the tensor is no matrix, or has dense dims.

        >>> torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse_csr().col_indices()
        tensor([1, 0])
        """
        to_sparse_csr = import_module("lamina_tensor.sparse.csr_construction").to_sparse_csr
        return to_sparse_csr(self, dense_dim)  # type: ignore[no-any-return]

    @torch_function
    def crow_indices(self) -> Tensor:
        """Return where each row begins among the values of a tensor in compressed rows.

        Returns:
            Nothing: it always raises.

        Raises:
            RuntimeError: the tensor is dense, as all are.

        >>> torch.eye(2).to_sparse_csr().crow_indices()
        tensor([0, 1, 2])
        """
        raise AutogradError("crow_indices expected sparse row compressed tensor layout but got Strided")

    @torch_function
    def col_indices(self) -> Tensor:
        """Return the column of each value of a tensor in compressed rows.

        Returns:
            Nothing: it always raises.

        Raises:
            RuntimeError: the tensor is dense, as all are.

        >>> torch.eye(2).to_sparse_csr().col_indices()
        tensor([0, 1])
        """
        raise AutogradError("col_indices expected sparse row compressed tensor layout but got Strided")

    @torch_function
    def sparse_mask(self, mask: Tensor) -> Tensor:
        """Return the items at the places that a sparse tensor stores.

        Args:
            mask: the sparse tensor, of the same shape; its values do not matter.

        Returns:
            A sparse tensor with the coordinates of `mask`.

        Raises:
            TypeError: `mask` is dense.

        >>> torch.ones(2, 2).sparse_mask(torch.eye(2).to_sparse()).values()
        tensor([1., 1.])
        """
        raise ArgumentTypeError("sparse_mask(): expected a sparse mask, but got a strided one")

    @torch_function
    def _nnz(self) -> int:
        raise OpNotImplemented("Could not run 'aten::_nnz' with arguments from the 'CPU' backend: the tensor is strided")

    @torch_function
    def _indices(self) -> Tensor:
        raise OpNotImplemented("Could not run 'aten::_indices' with arguments from the 'CPU' backend: the tensor is strided")

    @torch_function
    def _values(self) -> Tensor:
        raise OpNotImplemented("Could not run 'aten::_values' with arguments from the 'CPU' backend: the tensor is strided")

    @torch_function
    def coalesce(self) -> Tensor:
        """Add up the items of a sparse tensor at equal indices.

        Returns:
            Nothing: it always raises.

        Raises:
            AutogradError: the tensor is dense, as all are.

        >>> torch.ones(2).coalesce()
        Traceback (most recent call last):
            ...
        lamina_flatarray.errors.AutogradError: coalesce expected a sparse tensor...
        """
        _refuse_dense("coalesce")

    @torch_function
    def indices(self) -> Tensor:
        """Return the indices of a sparse tensor.

        Returns:
            Nothing: it always raises.

        Raises:
            AutogradError: the tensor is dense, as all are.

        >>> torch.ones(2).indices()
        Traceback (most recent call last):
            ...
        lamina_flatarray.errors.AutogradError: indices expected a sparse tensor...
        """
        _refuse_dense("indices")

    @torch_function
    def is_coalesced(self) -> bool:
        """Tell whether a sparse tensor has no index twice.

        Returns:
            Nothing: it always raises.

        Raises:
            AutogradError: the tensor is dense, as all are.

        >>> torch.ones(2).is_coalesced()
        Traceback (most recent call last):
            ...
        lamina_flatarray.errors.AutogradError: is_coalesced expected a sparse tensor...
        """
        _refuse_dense("is_coalesced")

    @torch_function
    def values(self) -> Tensor:
        """Return the values of a sparse tensor.

        Returns:
            Nothing: it always raises.

        Raises:
            AutogradError: the tensor is dense, as all are.

        >>> torch.ones(2).values()
        Traceback (most recent call last):
            ...
        lamina_flatarray.errors.AutogradError: values expected a sparse tensor...
        """
        _refuse_dense("values")
