"""einops takes lamina's tensors without the alias of the whole process, once this file is imported.

einops looks for the backend of a tensor among the classes derived from its `AbstractBackend`; defining one is all it asks. Of its
functions `rearrange`, `reduce`, `repeat`, `pack`, `unpack`, `einsum` and `parse_shape` work; its layers for PyTorch are PyTorch's own.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    from einops._backends import AbstractBackend
except ImportError as error:
    raise ImportError("lamina_nn.einops_backend: einops is not installed here; install it with: pip install einops") from error

import lamina_tensor as lt
from lamina_tensor import Tensor

__all__ = ["LaminaBackend"]


class LaminaBackend(AbstractBackend):
    """What einops asks of a library of tensors. einops makes one itself; nobody else has to.

    >>> import lamina_nn.einops_backend
    >>> from einops import rearrange
    >>> rearrange(torch.arange(6).reshape(2, 3), "a b -> b a").shape
    lamina.Size([3, 2])
    """

    framework_name = "lamina_tensor"  # einops asks only those backends whose module is loaded

    def is_appropriate_type(self, tensor: object) -> bool:
        """Whether it is a tensor of lamina's.

        Args:
            tensor: any object.

        Returns:
            Whether this backend takes it.

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().is_appropriate_type(torch.ones(2))
        True
        """
        return isinstance(tensor, Tensor)

    def transpose(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """Put the dims into another order.

        Args:
            x: the tensor.
            axes: the dims, in their new order.

        Returns:
            A view.

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().transpose(torch.ones(2, 3), (1, 0)).shape
        lamina.Size([3, 2])
        """
        return x.permute(axes)

    def reduce(self, x: Tensor, operation: str, axes: Sequence[int]) -> Tensor:
        """Reduce over dims.

        Args:
            x: the tensor.
            operation: "min", "max", "sum", "mean", "prod", "any" or "all".
            axes: the dims.

        Returns:
            A tensor without these dims.

        Raises:
            NotImplementedError: there is no such operation.

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().reduce(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), "max", (0,))
        tensor([3., 4.])
        """
        over = tuple(axes)
        match operation:
            case "min":
                return lt.amin(x, over)
            case "max":
                return lt.amax(x, over)
            case "sum":
                return lt.sum(x, over)
            case "mean":
                return lt.mean(x, over)
            case "any":
                return lt.any(x, over)
            case "all":
                return lt.all(x, over)
            case "prod":
                for dim in sorted(over, reverse=True):
                    x = lt.prod(x, dim)
                return x
        raise NotImplementedError(f"LaminaBackend.reduce: einops asks for {operation!r}, which is not known here")

    def stack_on_zeroth_dimension(self, tensors: Sequence[Tensor]) -> Tensor:
        """Stack tensors of one shape along a new first dim.

        Args:
            tensors: each (*shape).

        Returns:
            (len(tensors), *shape).

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().stack_on_zeroth_dimension([torch.ones(2), torch.ones(2)]).shape
        lamina.Size([2, 2])
        """
        return lt.stack(tensors)

    def add_axes(self, x: Tensor, n_axes: int, pos2len: dict[int, int]) -> Tensor:
        """Repeat a tensor along new dims.

        Args:
            x: the tensor.
            n_axes: how many dims the result has.
            pos2len: the place of each new dim -> its length.

        Returns:
            A view of `n_axes` dims.

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().add_axes(torch.ones(2), 2, {0: 3}).shape
        lamina.Size([3, 2])
        """
        lengths = [-1] * n_axes
        for place, length in pos2len.items():
            x = lt.unsqueeze(x, place)
            lengths[place] = length
        return x.expand(lengths)

    def concat(self, tensors: Sequence[Tensor], axis: int) -> Tensor:
        """Join tensors along a dim.

        Args:
            tensors: alike but for their length along the dim.
            axis: the dim.

        Returns:
            A tensor as long as all of them together.

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().concat([torch.ones(2), torch.ones(3)], 0).shape
        lamina.Size([5])
        """
        return lt.cat(list(tensors), axis)

    def arange(self, start: int, stop: int) -> Tensor:
        """Give whole numbers in order.

        Args:
            start: the first.
            stop: the one behind the last.

        Returns:
            int64 (stop - start,).

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().arange(1, 4)
        tensor([1, 2, 3])
        """
        return lt.arange(start, stop)

    def is_float_type(self, x: Tensor) -> bool:
        """Whether the mean of a tensor can be taken.

        Args:
            x: the tensor.

        Returns:
            Whether its dtype is one of floating-point numbers.

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().is_float_type(torch.arange(2))
        False
        """
        return x.dtype.is_floating_point

    def einsum(self, pattern: str, *x: Tensor) -> Tensor:
        """Multiply and sum as a pattern of letters says.

        Args:
            pattern: as of `torch.einsum`.
            x: the tensors.

        Returns:
            The dims behind the arrow.

        >>> from lamina_nn.einops_backend import LaminaBackend
        >>> LaminaBackend().einsum("ij->j", torch.ones(2, 3))
        tensor([2., 2., 2.])
        """
        return lt.einsum(pattern, *x)
