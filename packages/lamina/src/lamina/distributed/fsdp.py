"""PyTorch's `torch.distributed.fsdp`: modules whose parameters lie in shards."""

from typing import TYPE_CHECKING

from lamina_nn.sharding.fully_shard import FSDPModule, fully_shard

from ..absent_names import explained

__all__ = ["FSDPModule", "fully_shard"]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
