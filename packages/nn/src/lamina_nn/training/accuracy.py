"""How many of a batch's answers are right."""

from __future__ import annotations

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

__all__ = ["accuracy"]


def accuracy(scores: Tensor, classes: Tensor) -> Tensor:
    """Compute which share of the greatest scores stands at the right class.

    Args:
        scores: (n, classes) or (n, classes, ...).
        classes: class numbers, int64 (n,) or (n, ...).

    Returns:
        A tensor without dims, between 0 and 1.

    Raises:
        ValueError: the shapes do not fit together.

    >>> scores = torch.tensor([[2.0, 1.0], [0.0, 3.0], [5.0, 4.0], [1.0, 0.0]])
    >>> torch.training.accuracy(scores, torch.tensor([0, 1, 1, 0]))
    tensor(0.7500)
    """
    if scores.ndim < 2 or scores.shape[:1] + scores.shape[2:] != classes.shape:
        raise ArgumentValueError(
            f"accuracy: expected scores (n, classes, ...) and classes (n, ...), got {tuple(scores.shape)} and {tuple(classes.shape)}"
        )
    return (lt.argmax(scores, 1) == classes).float().mean()
