"""Distance and similarity of vectors as modules."""

from __future__ import annotations

from lamina_tensor import Tensor

from ... import functional as F
from ...module import Module

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class CosineSimilarity(Module):
    """Compute the cosine of the angle between vectors: x1 . x2 / (max(norm(x1), eps) * max(norm(x2), eps)).

    Args:
        dim: the dim that holds the vectors.
        eps: the lower bound of norms.

    Shape:
        Two shapes that broadcast; the output is theirs without `dim`.

    >>> torch.nn.CosineSimilarity()(torch.tensor([[1.0, 0.0]]), torch.tensor([[3.0, 4.0]]))
    tensor([0.6000])
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Compute the cosine.

        Args:
            x1, x2: vectors along the dim; the shapes broadcast.

        Returns:
            The broadcast shape without the dim.
        """
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """Compute the p-norm of x1 - x2 + eps along the last dim.

    Args:
        p: the exponent of the norm.
        eps: added to each difference, so that the gradient at 0 is finite.
        keepdim: whether the last dim stays, with length 1.

    Shape:
        (..., D) and (..., D) to (...), or with `keepdim` (..., 1).

    >>> torch.nn.PairwiseDistance(eps=0.0)(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]]))
    tensor([5.])
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Compute the distances.

        Args:
            x1, x2: (..., D); the shapes broadcast.

        Returns:
            (...), or with `keepdim` (..., 1).
        """
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
