"""PyTorch's `torch.autograd.forward_ad`."""

from typing import TYPE_CHECKING

from lamina_tensor.transforms.forward_ad import UnpackedDualTensor, dual_level, make_dual, unpack_dual

from ..absent_names import explained

__all__ = ["UnpackedDualTensor", "dual_level", "make_dual", "unpack_dual"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
