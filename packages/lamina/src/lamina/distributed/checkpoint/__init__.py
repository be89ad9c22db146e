"""PyTorch's `torch.distributed.checkpoint`: checkpoints of which each process writes its part."""

from typing import TYPE_CHECKING

from lamina_nn.sharding.checkpoints.loading import load
from lamina_nn.sharding.checkpoints.saving import save

from ...absent_names import explained

__all__ = ["load", "save", "state_dict"]


if TYPE_CHECKING:
    from . import state_dict
else:
    __getattr__, __dir__ = explained(__name__, __all__)
