"""The processes that train together: groups of them, and the operations on tensors and objects of all."""

from .availability import (
    get_default_backend_for_device,
    is_available,
    is_backend_available,
    is_gloo_available,
    is_initialized,
    is_mpi_available,
    is_nccl_available,
    is_torchelastic_launched,
    is_ucc_available,
    is_xccl_available,
)
from .barriers import barrier, monitored_barrier
from .copies import all_gather, all_gather_into_tensor, all_to_all, all_to_all_single, broadcast, gather, scatter
from .object_messages import recv_object_list, send_object_list
from .objects import all_gather_object, broadcast_object_list, gather_object, scatter_object_list
from .point_to_point import P2POp, batch_isend_irecv, irecv, isend, recv, send
from .process_group import GroupMember, ProcessGroup, group
from .ranks import (
    get_backend,
    get_global_rank,
    get_group_rank,
    get_node_local_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
)
from .reduce_op import ReduceOp
from .reductions import all_reduce, all_reduce_coalesced, reduce, reduce_scatter, reduce_scatter_tensor
from .starting import destroy_process_group, init_process_group, new_group
from .subgroups import new_subgroups, new_subgroups_by_enumeration
from .work import Work

__all__ = [
    "GroupMember", "P2POp", "ProcessGroup", "ReduceOp", "Work", "all_gather", "all_gather_into_tensor", "all_gather_object",
    "all_reduce", "all_reduce_coalesced", "all_to_all", "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast",
    "broadcast_object_list", "destroy_process_group", "gather", "gather_object", "get_backend", "get_default_backend_for_device",
    "get_global_rank", "get_group_rank", "get_node_local_rank", "get_process_group_ranks", "get_rank", "get_world_size", "group",
    "init_process_group", "irecv", "is_available", "is_backend_available", "is_gloo_available", "is_initialized",
    "is_mpi_available", "is_nccl_available", "is_torchelastic_launched", "is_ucc_available", "is_xccl_available", "isend",
    "monitored_barrier", "new_group", "new_subgroups", "new_subgroups_by_enumeration", "recv", "recv_object_list", "reduce",
    "reduce_scatter", "reduce_scatter_tensor", "scatter", "scatter_object_list", "send", "send_object_list",
]  # fmt: skip
