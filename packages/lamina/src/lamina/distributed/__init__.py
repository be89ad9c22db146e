"""PyTorch's `torch.distributed`: a group of one process is all there is."""

from typing import TYPE_CHECKING

from lamina_nn.process_group import (
    ProcessGroup,
    ReduceOp,
    Work,
    all_gather,
    all_gather_into_tensor,
    all_gather_object,
    all_reduce,
    all_to_all,
    barrier,
    broadcast,
    broadcast_object_list,
    destroy_process_group,
    gather,
    get_backend,
    get_rank,
    get_world_size,
    group,
    init_process_group,
    is_available,
    is_gloo_available,
    is_initialized,
    is_mpi_available,
    is_nccl_available,
    is_torchelastic_launched,
    monitored_barrier,
    new_group,
    reduce,
    reduce_scatter,
    reduce_scatter_tensor,
    scatter,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "ProcessGroup", "ReduceOp", "Work", "all_gather", "all_gather_into_tensor", "all_gather_object", "all_reduce",
    "all_to_all", "barrier", "broadcast", "broadcast_object_list", "destroy_process_group", "device_mesh", "gather", "get_backend",
    "get_rank", "get_world_size", "group", "init_process_group", "is_available", "is_gloo_available", "is_initialized",
    "is_mpi_available", "is_nccl_available", "is_torchelastic_launched", "monitored_barrier", "new_group", "reduce",
    "reduce_scatter", "reduce_scatter_tensor", "rpc", "scatter", "tensor",
]  # fmt: skip

differs = "in a group of one process"


if TYPE_CHECKING:
    from . import device_mesh, rpc, tensor
else:
    __getattr__, __dir__ = explained(__name__, __all__)
