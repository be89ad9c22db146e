"""PyTorch's `torch.distributed.tensor`: tensors of which each process has a part."""

from typing import TYPE_CHECKING

from lamina_nn.sharding.distributed_tensor import DTensor, distribute_tensor
from lamina_nn.sharding.placements import Placement, Replicate, Shard

from ...absent_names import explained

__all__ = ["DTensor", "Placement", "Replicate", "Shard", "distribute_tensor", "experimental", "parallel"]


if TYPE_CHECKING:
    from . import experimental, parallel
else:
    __getattr__, __dir__ = explained(__name__, __all__)
