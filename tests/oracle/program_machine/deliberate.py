"""Where lamina differs from PyTorch on purpose, each with its reason: the machine does not call these differences."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["counts_versions", "is_of_saved_tensors"]


def counts_versions(name: str, lines: Sequence[str]) -> bool:
    """Whether the version of a variable, or of a gradient as `v1.grad`, must be PyTorch's.

    - Gradients: how often a backward pass adds in place is each engine's own.
    - After `.data`: lamina counts writes through it, so that a backward pass which needs what was overwritten is refused;
      PyTorch gives wrong gradients there.

    >>> counts_versions("v1", ["v1 = torch.ones(2)"]), counts_versions("v1", ["v2 = v1.data"]), counts_versions("v1.grad", [])
    (True, False, False)
    """
    return not name.endswith(".grad") and not any(".data" in line for line in lines)


def is_of_saved_tensors(error: Exception | None) -> bool:
    """Whether an error says that what a backward pass needs was overwritten.

    Which operands an op saves is each library's own: `prod` saves its result in PyTorch, and not here. One library alone
    may refuse then; where both give gradients, they are compared.

    >>> is_of_saved_tensors(RuntimeError("... has been modified by an inplace operation: ..."))
    True
    """
    return error is not None and "needed for gradient computation has been modified by an in" in str(error)
