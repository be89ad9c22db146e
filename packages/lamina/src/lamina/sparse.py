"""PyTorch's `torch.sparse`: functions of sparse tensors."""

from typing import TYPE_CHECKING

from lamina_tensor.sparse.namespace import addmm, log_softmax, mm, softmax, spdiags, sum

from .absent_names import explained

__all__ = ["addmm", "log_softmax", "mm", "softmax", "spdiags", "sum"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
