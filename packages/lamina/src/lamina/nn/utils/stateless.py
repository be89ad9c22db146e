"""PyTorch's module path `torch.nn.utils.stateless`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_nn.stateless import functional_call

from ...absent_names import explained

__all__ = ["functional_call"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
