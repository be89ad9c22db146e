"""Methods that add weighted products to a tensor in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, TypeVar

from lamina_flatarray.modes import NO_GRAD, word
from lamina_flatarray.twins import compiled

from ..autograd.recording import array_of
from ..dispatch.elementwise import Elementwise, elementwise
from ..dispatch.torch_function import torch_function
from ..functions import matrices
from ..functions.arithmetic import weighted_sums
from ..tensor_fields import AnyTensor, TensorFields
from .in_place.history import check_writable
from .in_place.rewriting import overwritten_by

if TYPE_CHECKING:
    from ..tensor_class import Tensor
    from ..tensor_fields import Number

__all__ = ["ProductMethods"]

T = TypeVar("T", bound=TensorFields)

_ADDCMUL, _ADDCDIV, _LERP = elementwise("addcmul", 3), elementwise("addcdiv", 3), elementwise("lerp", 3)


def computed_into(op: Elementwise, function: Callable[..., Any], tensor: T, b: Any, c: Any, **params: Any) -> T:
    """The tensor, overwritten in one pass by an op with three operands where nothing is recorded, otherwise by its function of tensors.

    Raises:
        AutogradError: it is a leaf that requires gradients, or a view of one.
    """
    recorded = False
    if not word.get() & NO_GRAD:
        for x in (tensor, b, c):
            recorded = recorded or (isinstance(x, AnyTensor) and x.requires_grad)
    if recorded:
        return overwritten_by(function, tensor, b, c, **params)
    if tensor.base is not None and tensor.base.requires_grad:
        check_writable(function.__name__, tensor)
    array = tensor.array
    op.compute(array, array_of(b), array_of(c), array, **params)
    return tensor


if compiled is not None:
    computed_into = compiled.ternary_over(computed_into)


class ProductMethods(TensorFields):
    """Methods that add weighted products to a tensor in place.

    >>> x = torch.zeros(2)
    >>> x.addcmul_(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), value=10)
    tensor([30., 80.])
    """

    __slots__ = ()

    @torch_function(strict=True)
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Self:
        """Add `value * tensor1 * tensor2` in place; see `torch.addcmul`.

        Args:
            tensor1: the first factor.
            tensor2: the second factor; the two broadcast to this tensor's shape.
            value: what the product is multiplied by.

        Returns:
            The tensor itself.

        >>> torch.ones(2).addcmul_(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
        tensor([4., 9.])
        """
        if value.__class__ is float:
            value = weighted_sums.whole_weight(value, self, tensor1, tensor2)  # type: ignore[arg-type]
        return computed_into(_ADDCMUL, weighted_sums.addcmul, self, tensor1, tensor2, value=value)

    @torch_function(strict=True)
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Self:
        """Add `value * tensor1 / tensor2` in place; see `torch.addcdiv`.

        Args:
            tensor1: the numerator.
            tensor2: the denominator; the two broadcast to this tensor's shape.
            value: what the quotient is multiplied by.

        Returns:
            The tensor itself.

        >>> torch.ones(2).addcdiv_(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 8.0]))
        tensor([1.5000, 1.2500])
        """
        return computed_into(_ADDCDIV, weighted_sums.addcdiv, self, tensor1, tensor2, value=value)

    @torch_function(strict=True)
    def lerp_(self, end: Tensor, weight: Tensor | Number) -> Self:
        """Move towards another tensor in place: `self + weight * (end - self)`; see `torch.lerp`.

        Args:
            end: what weight 1 leads to; it broadcasts to this tensor's shape.
            weight: how far to go: a number, or a tensor that broadcasts to this tensor's shape.

        Returns:
            The tensor itself.

        >>> torch.zeros(2).lerp_(torch.tensor([1.0, 2.0]), 0.5)
        tensor([0.5000, 1.0000])
        """
        return computed_into(_LERP, weighted_sums.lerp, self, end, weight)

    @torch_function
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """Compute `beta * self + alpha * (mat1 @ mat2)` in place; see `torch.addmm`.

        Args:
            mat1: a matrix (n, m).
            mat2: a matrix (m, p). This tensor is (n, p).
            beta: what the tensor is multiplied by; 0 ignores its items, also NaN.
            alpha: what the product is multiplied by.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 2).addmm_(torch.eye(2), torch.eye(2))
        tensor([[2., 1.],
                [1., 2.]])
        """
        return overwritten_by(matrices.addmm, self, mat1, mat2, beta=beta, alpha=alpha)

    @torch_function
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """Compute `beta * self + alpha * (mat @ vec)` in place; see `torch.addmv`.

        Args:
            mat: a matrix (n, m).
            vec: a vector (m,). This tensor is (n,).
            beta: what the tensor is multiplied by; 0 ignores its items, also NaN.
            alpha: what the product is multiplied by.

        Returns:
            The tensor itself.

        >>> torch.ones(2).addmv_(torch.eye(2), torch.tensor([1.0, 2.0]))
        tensor([2., 3.])
        """
        return overwritten_by(matrices.addmv, self, mat, vec, beta=beta, alpha=alpha)

    @torch_function
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """Compute `beta * self + alpha * outer(vec1, vec2)` in place; see `torch.addr`.

        Args:
            vec1: a vector (n,).
            vec2: a vector (m,). This tensor is (n, m).
            beta: what the tensor is multiplied by; 0 ignores its items, also NaN.
            alpha: what the outer product is multiplied by.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 2).addr_(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]))
        tensor([[2., 3.],
                [3., 5.]])
        """
        return overwritten_by(matrices.addr, self, vec1, vec2, beta=beta, alpha=alpha)

    @torch_function
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """Compute `beta * self + alpha * (batch1 @ batch2).sum(0)` in place; see `torch.addbmm`.

        Args:
            batch1: matrices (b, n, m).
            batch2: matrices (b, m, p). This tensor is (n, p).
            beta: what the tensor is multiplied by; 0 ignores its items, also NaN.
            alpha: what the sum of products is multiplied by.

        Returns:
            The tensor itself.

        >>> torch.ones(1, 1).addbmm_(torch.ones(5, 1, 2), torch.ones(5, 2, 1))
        tensor([[11.]])
        """
        return overwritten_by(matrices.addbmm, self, batch1, batch2, beta=beta, alpha=alpha)

    @torch_function
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """Compute `beta * self + alpha * (batch1 @ batch2)` in place; see `torch.baddbmm`.

        Args:
            batch1: matrices (b, n, m).
            batch2: matrices (b, m, p). This tensor is (b, n, p).
            beta: what the tensor is multiplied by; 0 ignores its items, also NaN.
            alpha: what the products are multiplied by.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 1, 1).baddbmm_(torch.ones(2, 1, 3), torch.ones(2, 3, 1))
        tensor([[[4.]],
        <BLANKLINE>
                [[4.]]])
        """
        return overwritten_by(matrices.baddbmm, self, batch1, batch2, beta=beta, alpha=alpha)

