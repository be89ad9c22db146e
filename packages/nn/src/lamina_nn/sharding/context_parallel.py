"""context_parallel: a block in which each process has a slice of every sequence, and attention goes over all slices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from lamina_flatarray import ArgumentValueError, OpNotImplemented, ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.function_modes import TorchFunctionMode

from ..parameter import Parameter
from ..process_groups.device_mesh import DeviceMesh
from ..process_groups.process_group import ProcessGroup
from .distributed_tensor import line_of
from .ring_attention import ring_attention

__all__ = ["context_parallel"]

_NAME: Final = "context_parallel"


class _AttentionOverSlices(TorchFunctionMode):
    def __init__(self, group: ProcessGroup) -> None:
        self._group = group

    def __torch_function__(
        self, func: Callable[..., Any], types: tuple[type, ...], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Answer `scaled_dot_product_attention` over all slices; other attention, which would see this process's only, is refused."""
        if func.__name__ == "scaled_dot_product_attention":
            return _attention(self._group, *args, **(kwargs or {}))
        if func.__name__ == "multi_head_attention_forward":
            raise OpNotImplemented(f"{_NAME}: {func.__name__} would see one slice of the sequence; call scaled_dot_product_attention")
        return func(*args, **(kwargs or {}))


def _attention(
    group: ProcessGroup, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    for option, given in (("attn_mask", attn_mask is not None), ("dropout_p", dropout_p), ("enable_gqa", enable_gqa)):
        if given:
            raise OpNotImplemented(f"{_NAME}: {option} of scaled_dot_product_attention is not served over slices of a sequence")
    shapes = [tuple(x.shape) for x in (query, key, value)]
    if key.shape[:-2] != query.shape[:-2] or key.shape[-1] != query.shape[-1] or value.shape[:-1] != key.shape[:-1]:
        raise ShapeError(f"{_NAME}: query, key and value with the same leading dims wanted, not {shapes}")
    if is_causal and query.shape[-2] != key.shape[-2]:
        raise ShapeError(f"{_NAME}: causal attention wants as many queries as keys, not {shapes}")
    return ring_attention(query, key, value, group, is_causal, 1 / math.sqrt(query.shape[-1]) if scale is None else scale)


@contextmanager
def context_parallel(
    mesh: DeviceMesh, *, buffers: list[Tensor] | None = None, buffer_seq_dims: list[int] | None = None,
    no_restore_buffers: set[Tensor] | None = None,
) -> Iterator[None]:  # fmt: skip
    """Give each process a slice of every sequence, in a `with` block in which `scaled_dot_product_attention` goes over all of them.

    Queries stay where they are, and keys and values go round, a slice at a time, with `is_causal` or without: no process ever has
    scores of more than its own queries and one slice of keys. What else a model does is to go place by place. Gradients of parameters
    are those of this process's slice: `DistributedDataParallel` over the same processes averages them.

    Args:
        mesh: the processes, in a row.
        buffers: tensors of whole sequences, the same in all processes, such as inputs, targets and the numbers of places. In the block
            each is this process's slice, in place.
        buffer_seq_dims: the dim of the sequence of each.
        no_restore_buffers: those that stay slices behind the block.

    Returns:
        A context manager.

    Raises:
        ArgumentValueError: there are not as many dims as buffers, a buffer is a parameter, or a sequence has no slices of one length.
        OpNotImplemented: in the block, attention is called that would see one slice, or with what is not served: masks, dropout, heads
            that share keys.
        RankLost: a process was killed, is stopped or does not come.

    >>> from lamina.distributed.tensor.experimental import context_parallel
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> mesh = torch.distributed.init_device_mesh("cpu", (1,))
    >>> x = torch.ones(1, 2, 6, 4)
    >>> with context_parallel(mesh, buffers=[x], buffer_seq_dims=[2]):
    ...     y = torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)
    >>> y.shape
    lamina.Size([1, 2, 6, 4])
    >>> torch.distributed.destroy_process_group()
    """
    group = line_of(_NAME, mesh).get_group()
    sequences, dims, kept = buffers or [], buffer_seq_dims or [], {id(t) for t in no_restore_buffers or ()}
    if len(sequences) != len(dims):
        raise ArgumentValueError(f"{_NAME}: `buffer_seq_dims` must have the same number of elements as `buffers`, not {len(dims)}")
    if not kept <= {id(t) for t in sequences}:
        raise ArgumentValueError(f"{_NAME}: `no_restore_buffers` must be some of `buffers`")
    slices = [_own(buffer, dim, group) for buffer, dim in zip(sequences, dims, strict=True)]
    wholes = [(buffer, buffer.detach()) for buffer in sequences if id(buffer) not in kept]
    for buffer, own in zip(sequences, slices, strict=True):
        buffer.data = own
    try:
        with _AttentionOverSlices(group):
            yield
    finally:
        for buffer, whole in wholes:
            buffer.data = whole


def _own(buffer: Tensor, dim: int, group: ProcessGroup) -> Tensor:
    if isinstance(buffer, Parameter):
        raise ArgumentValueError(f"{_NAME}: a buffer is a Parameter; parameters stay whole")
    if buffer.shape[dim] % group.size():
        shape, size = tuple(buffer.shape), group.size()
        raise ArgumentValueError(f"{_NAME}: {shape} is not cut along dim {dim} into {size} slices of one length; pad it")
    return buffer.detach().chunk(group.size(), dim)[group.rank()].clone()
