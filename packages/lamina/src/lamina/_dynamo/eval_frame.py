"""The class of compiled modules, for `isinstance`: there are none."""

from typing import TYPE_CHECKING

from lamina_nn import Module

from ..absent_names import explained

__all__ = ["OptimizedModule"]


class OptimizedModule(Module):
    """What PyTorch's compiler makes of a module. `torch.compile` returns the module itself here, so nothing is one."""


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
