"""Matrices of a kind: identities, orthonormal rows or columns, and many zeros."""

from __future__ import annotations

import math
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

__all__ = ["dirac_", "eye_", "orthogonal_", "sparse_"]


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix with ones on its diagonal and zeros elsewhere.

    Args:
        tensor: the tensor to overwrite, 2-D.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor is not 2-D.

    >>> torch.nn.init.eye_(torch.empty(2, 3))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    if tensor.ndim != 2:
        raise ShapeError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(lt.eye(*tensor.shape, device=tensor.device))


@no_grad()
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill the weight of a convolution so that it passes as many channels of each group as it can unchanged.

    Args:
        tensor: the tensor to overwrite: (out, in / groups, ...), 3-D to 5-D.
        groups: the groups of the convolution.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has other dims, or groups does not divide the first.

    >>> torch.nn.init.dirac_(torch.empty(1, 1, 3))
    tensor([[[0., 1., 0.]]])
    """
    if tensor.ndim not in (3, 4, 5):
        raise ShapeError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ShapeError("dim 0 must be divisible by groups")
    outs = tensor.shape[0] // groups
    middle = tuple(n // 2 for n in tensor.shape[2:])
    tensor.zero_()
    for group in range(groups):
        for channel in range(min(outs, tensor.shape[1])):
            tensor[(group * outs + channel, channel, *middle)] = 1
    return tensor


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill a matrix with orthonormal rows or columns, whichever are fewer, times a gain (Saxe et al. 2013).

    It is uniform among all such matrices (Mezzadri 2007).

    Args:
        tensor: the tensor to overwrite, at least 2-D; the dims behind the first count as one.
        gain: the factor.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has fewer than 2 dims, or no view reads it as a matrix.

    >>> q = torch.nn.init.orthogonal_(torch.empty(2, 3))
    >>> torch.allclose(q @ q.T, torch.eye(2), atol=1e-6)
    True
    """
    if tensor.ndim < 2:
        raise ShapeError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    normal = lt.empty(rows, tensor.numel() // rows, dtype=tensor.dtype, device=tensor.device)
    normal.normal_(0, 1, generator=generator)
    wide = rows < normal.shape[1]
    q, r = af.linalg.qr(normal.t() if wide else normal)
    q = q * af.sign(lt.diag(r))
    tensor.view(normal.shape).copy_(q.t() if wide else q)
    return tensor.mul_(gain)


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix with normal numbers, then set a fraction of each column to zero at random (Martens 2010).

    Args:
        tensor: the tensor to overwrite, 2-D.
        sparsity: the fraction of each column that is zero, rounded up to whole items.
        std: the standard deviation of the others.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor is not 2-D.

    >>> (torch.nn.init.sparse_(torch.empty(4, 2), sparsity=0.5) == 0).sum(0)
    tensor([2, 2])
    """
    if tensor.ndim != 2:
        raise ShapeError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[lt.randperm(rows)[:zeros], column] = 0
    return tensor
