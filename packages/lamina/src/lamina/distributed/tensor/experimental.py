"""PyTorch's `torch.distributed.tensor.experimental`: sequences of which each process has a slice."""

from typing import TYPE_CHECKING

from lamina_nn.sharding.context_parallel import context_parallel

from ...absent_names import explained

__all__ = ["context_parallel"]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
