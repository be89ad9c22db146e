"""PyTorch's `torch.distributed`: processes that work together, by what moves bytes between them."""

from typing import TYPE_CHECKING

from lamina_nn.process_groups import (
    GroupMember,
    P2POp,
    ProcessGroup,
    ReduceOp,
    Work,
    all_gather,
    all_gather_into_tensor,
    all_gather_object,
    all_reduce,
    all_reduce_coalesced,
    all_to_all,
    all_to_all_single,
    barrier,
    batch_isend_irecv,
    broadcast,
    broadcast_object_list,
    destroy_process_group,
    gather,
    gather_object,
    get_backend,
    get_default_backend_for_device,
    get_global_rank,
    get_group_rank,
    get_node_local_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    init_process_group,
    irecv,
    is_available,
    is_backend_available,
    is_gloo_available,
    is_initialized,
    is_mpi_available,
    is_nccl_available,
    is_torchelastic_launched,
    is_ucc_available,
    is_xccl_available,
    isend,
    monitored_barrier,
    new_group,
    new_subgroups,
    new_subgroups_by_enumeration,
    recv,
    recv_object_list,
    reduce,
    reduce_scatter,
    reduce_scatter_tensor,
    scatter,
    scatter_object_list,
    send,
    send_object_list,
)  # fmt: skip
from lamina_nn.process_groups.device_mesh import DeviceMesh, init_device_mesh

from ..absent_names import explained

__all__ = [
    "DeviceMesh", "GroupMember", "P2POp", "ProcessGroup", "ReduceOp", "Work", "all_gather", "all_gather_into_tensor",
    "all_gather_object", "all_reduce", "all_reduce_coalesced", "all_to_all", "all_to_all_single", "barrier", "batch_isend_irecv",
    "broadcast", "broadcast_object_list", "checkpoint", "destroy_process_group", "device_mesh", "fsdp", "gather", "gather_object",
    "get_backend", "get_default_backend_for_device", "get_global_rank", "get_group_rank", "get_node_local_rank",
    "get_process_group_ranks", "get_rank", "get_world_size", "group", "init_device_mesh", "init_process_group", "irecv",
    "is_available", "is_backend_available", "is_gloo_available", "is_initialized", "is_mpi_available", "is_nccl_available",
    "is_torchelastic_launched", "is_ucc_available", "is_xccl_available", "isend", "monitored_barrier", "new_group", "new_subgroups",
    "new_subgroups_by_enumeration", "optim", "pipelining", "recv", "recv_object_list", "reduce", "reduce_scatter",
    "reduce_scatter_tensor", "rpc", "scatter", "scatter_object_list", "send", "send_object_list", "tensor",
]  # fmt: skip

if TYPE_CHECKING:
    from . import checkpoint, device_mesh, fsdp, optim, pipelining, rpc, tensor
else:
    __getattr__, __dir__ = explained(__name__, __all__)
