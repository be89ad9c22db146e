"""PyTorch's `torch.testing`."""

from typing import TYPE_CHECKING

from lamina_tensor.testing import assert_allclose, assert_close, make_tensor

from .absent_names import explained

__all__ = ["assert_allclose", "assert_close", "make_tensor"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
