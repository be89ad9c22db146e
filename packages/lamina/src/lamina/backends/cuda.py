"""PyTorch's `torch.backends.cuda`: its switches may be set, and change nothing."""

from types import SimpleNamespace
from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["is_built", "matmul"]

differs = "its switches may be set and change nothing"
matmul = SimpleNamespace(allow_tf32=False, allow_fp16_reduced_precision_reduction=False, differs=differs)


def is_built() -> bool:
    """Return whether CUDA programs can run: a question of what is installed, see `cuda.is_available`.

    Returns:
        True or False.

    >>> torch.backends.cuda.is_built() == torch.cuda.is_available()
    True
    """
    from lamina_tensor.devices.cuda_devices import is_available

    return is_available()


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
