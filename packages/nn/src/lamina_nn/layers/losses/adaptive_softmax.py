"""The softmax over many classes of which few are frequent: rare ones are in clusters, computed only where they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import index
from typing import Any, NamedTuple

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError, UsageError
from lamina_tensor import Tensor

from ... import functional as F
from ...module import Module
from ..containers.modules import ModuleList, Sequential
from ..linear import Linear

__all__ = ["AdaptiveLogSoftmaxWithLoss"]


class _ASMoutput(NamedTuple):
    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """Approximate softmax over many classes, ordered from frequent to rare, and its loss (Grave et al. 2017,
    arXiv:1609.04309).

    The head distinguishes the most frequent classes and the clusters of the others. The tail of a cluster is two linear
    maps with fewer features in between, the rarer its classes are; it is computed for the rows that need it.

    Args:
        in_features: the length of the input's last dim.
        n_classes: the number of classes.
        cutoffs: the first class of each cluster, increasing.
        div_value: the factor by which each further cluster has fewer features.
        head_bias: whether the head has a bias.
        device, dtype: of the parameters.

    Shape:
        (N, in_features) and (N,) to (N,) and a scalar; N may be missing.

    Raises:
        ArgumentValueError: cutoffs do not increase, or lie outside of 1 to n_classes - 1.
        TypeError: cutoffs are floats.

    >>> model = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 10, cutoffs=[2, 5])
    >>> output, loss = model(torch.zeros(3, 16), torch.tensor([0, 3, 9]))
    >>> output.shape, loss.shape
    (lamina.Size([3]), lamina.Size([]))
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        bounds = [*cutoffs, n_classes]
        if len(bounds) == 1:
            raise ArgumentValueError("cutoffs should be a sequence of length larger than 0")
        if bounds[0] <= 0 or any(low >= high for low, high in pairwise(bounds)) or any(int(c) != c for c in bounds):
            raise ArgumentValueError(
                f"cutoffs should be unique integers between 1 and n_classes - 1 in increasing order, not {list(cutoffs)}"
            )
        bounds = list(map(index, bounds))  # a float is none, even 2.0
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, bounds
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = bounds[0], len(bounds) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        options = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, head_bias, **options)
        self.tail = ModuleList()
        for i, (low, high) in enumerate(pairwise(bounds), 1):
            features = int(in_features // div_value**i)
            self.tail.append(
                Sequential(
                    Linear(in_features, features, False, **options), Linear(features, high - low, False, **options)
                )
            )

    def reset_parameters(self) -> None:
        """Draw new initial values.

        >>> torch.nn.AdaptiveLogSoftmaxWithLoss(16, 10, cutoffs=[2, 5]).reset_parameters()
        """
        self.head.reset_parameters()
        for cluster in self.tail:
            for layer in cluster:
                layer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        """Compute the log-probability of each target, and the loss.

        Args:
            input_: (N, in_features), or (in_features,).
            target_: (N,), or (): int64.

        Returns:
            A named tuple of `output`, the log-probabilities in the target's shape, and `loss`, minus their mean.

        Raises:
            ShapeError: the shapes do not fit.
            UsageError: a target is not a class.
        """
        if target_.ndim > 1:
            raise ShapeError("0D or 1D target tensor expected, multi-target not supported")
        if input_.ndim != target_.ndim + 1 or (target_.ndim and input_.shape[0] != target_.shape[0]):
            raise ShapeError(
                f"AdaptiveLogSoftmaxWithLoss: a target of shape {tuple(target_.shape)} does not fit an input of shape "
                f"{tuple(input_.shape)}"
            )
        input, target = (input_, target_) if target_.ndim else (input_.unsqueeze(0), target_.unsqueeze(0))
        if not bool(((target >= 0) & (target < self.n_classes)).all().item()):
            raise UsageError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, "
                f"{target.max().item()}] were found."
            )
        in_head = target  # the class of the head: the target's own, or its cluster's
        further: Tensor = lt.zeros(target.shape, dtype=input.dtype, device=input.device)
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            mask = (target >= low) & (target < high)
            rows = mask.nonzero().squeeze(1)
            if not rows.shape[0]:
                continue
            in_head = in_head.masked_fill(mask, self.shortlist_size + i)
            inside = F.log_softmax(self.tail[i](input.index_select(0, rows)), 1)
            log_probs = inside.gather(1, (target.index_select(0, rows) - low).unsqueeze(1)).squeeze(1)
            further = further.index_add(0, rows, log_probs)
        output = further + F.log_softmax(self.head(input), 1).gather(1, in_head.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if target_.ndim else output.squeeze(0), loss)

    def log_prob(self, input: Tensor) -> Tensor:
        """Compute the log-probabilities of all classes.

        Args:
            input: (N, in_features).

        Returns:
            (N, n_classes).

        >>> model = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 10, cutoffs=[2, 5])
        >>> model.log_prob(torch.zeros(3, 16)).shape
        lamina.Size([3, 10])
        """
        head = F.log_softmax(self.head(input), 1)
        parts = [head[:, : self.shortlist_size]]
        for i, cluster in enumerate(self.tail):
            parts.append(F.log_softmax(cluster(input), 1) + head[:, self.shortlist_size + i].unsqueeze(1))
        return lt.cat(parts, 1)

    def predict(self, input: Tensor) -> Tensor:
        """Return the most probable class of each row.

        Args:
            input: (N, in_features).

        Returns:
            (N,), int64.

        >>> model = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 10, cutoffs=[2, 5])
        >>> model.predict(torch.zeros(3, 16)).shape
        lamina.Size([3])
        """
        head = self.head(input)
        best: Tensor = head.argmax(1)
        rows = (best >= self.shortlist_size).nonzero().squeeze(1)
        if rows.shape[0]:
            best = best.index_copy(0, rows, self.log_prob(input.index_select(0, rows)).argmax(1))
        return best
