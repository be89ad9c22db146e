"""Attention of a sequence of which each process has a slice: queries stay, keys and values go round.

H. Liu et al., "Ring Attention with Blockwise Transformers for Near-Infinite Context", 2023, https://arxiv.org/abs/2310.01889; sums that
go along with the largest score so far are M. Milakov and N. Gimelshein's, 2018, https://arxiv.org/abs/1805.02867.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import dtypes as dt
from lamina_ndarray import NDArray
from lamina_tensor import Tensor
from lamina_tensor.tensor_fields import tensor_of
from lamina_tensor.transforms.function import Function, once_differentiable

from ..process_groups import moves
from ..process_groups.process_group import ProcessGroup
from ..process_groups.progress import Steps
from ..process_groups.work import Work, run

__all__ = ["ring_attention"]

_NAME: Final = "context_parallel"


def ring_attention(query: Tensor, key: Tensor, value: Tensor, group: ProcessGroup, is_causal: bool, scale: float) -> Tensor:
    """Attend to the keys and values of all processes, whose slices are of one length and in the order of ranks.

    A block of scores is that of the queries of one process and the keys of one other: it is all that there is at a time.

    Args:
        query: (..., queries, features), this process's slice.
        key: (..., keys, features).
        value: (..., keys, values).
        group: the processes.
        is_causal: whether a query sees only the keys up to its own place.
        scale: of the scores.

    Returns:
        (..., queries, values).
    """
    result: Tensor = _RingAttention.apply(query, key, value, group, is_causal, scale)
    return result


class _Passing:
    """Arrays on their way to the next process, while those of the one before come."""

    def __init__(self, group: ProcessGroup, arrays: Sequence[NDArray]) -> None:
        self._arrays: list[NDArray] = [nd.empty(a.shape, dtype=a.dtype, device=a.device) for a in arrays]
        size, mine = group.size(), group.rank()
        to, source = (mine + 1) % size, (mine - 1) % size
        self._works: list[Work | None] = []
        for what, rank in (("to", to), ("from", source)):
            steps = self._sent(group, arrays, to) if what == "to" else self._received(group, source)
            name = f"{_NAME}: keys and values {what} rank {group.ranks[rank]}"
            self._works.append(run(name, group, steps, True, arrays=arrays, message=True))

    def _sent(self, group: ProcessGroup, arrays: Sequence[NDArray], to: int) -> Steps:
        yield from [request for array in arrays for request in moves.sent(group.communicator, array, to, 0)]

    def _received(self, group: ProcessGroup, source: int) -> Steps:
        for array in self._arrays:
            yield from moves.received(group.communicator, array, source, 0, _NAME)

    def wait(self) -> list[NDArray]:
        """Return what has come."""
        for work in self._works:
            if work is not None:
                work.wait()
        return self._arrays


def _scores(query: Tensor, key: Tensor, scale: float, own: bool) -> Tensor:
    """Of queries and a block of keys; in a causal process's own block, those of later keys are -inf."""
    scores = lt.matmul(query, key.transpose(-2, -1)) * scale
    if own:
        later = lt.triu(lt.ones(scores.shape[-2:], dtype=dt.bool, device=scores.device), 1)
        scores = scores.masked_fill(later, -float("inf"))
    return scores


def _exact(x: Tensor) -> Tensor:
    """In float32 at least, as sums of blocks go on."""
    return x.float() if x.dtype in (dt.float16, dt.bfloat16) else x


class _RingAttention(Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, group: ProcessGroup, is_causal: bool, scale: float) -> Tensor:
        q, block = _exact(query), [key.array, value.array]
        total = lt.zeros((*query.shape[:-1], value.shape[-1]), dtype=q.dtype, device=q.device)
        sums = lt.zeros((*query.shape[:-1], 1), dtype=q.dtype, device=q.device)
        largest = lt.full_like(sums, -float("inf"))
        for step in range(group.size()):
            passing = _Passing(group, block) if step + 1 < group.size() else None
            if not is_causal or step <= group.rank():  # else the keys are later than all queries
                k, v = (_exact(tensor_of(array)) for array in block)
                scores = _scores(q, k, scale, is_causal and step == 0)
                before, largest = largest, lt.maximum(largest, scores.amax(-1, keepdim=True))
                weights, shrunk = lt.exp(scores - largest), lt.exp(before - largest)
                total = total * shrunk + lt.matmul(weights, v)
                sums = sums * shrunk + weights.sum(-1, keepdim=True)
            if passing is not None:
                block = passing.wait()
        output = (total / sums).to(query.dtype)
        ctx.save_for_backward(query, key, value, output, largest + lt.log(sums))
        ctx.group, ctx.is_causal, ctx.scale = group, is_causal, scale
        return output

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        query, key, value, output, exponent = ctx.saved_tensors
        group, scale = ctx.group, ctx.scale
        q, g = _exact(query), _exact(g)
        inner = (g * _exact(output)).sum(-1, keepdim=True)
        dq = lt.zeros_like(q)
        block = [key.array, value.array]
        gradients = [lt.zeros_like(_exact(x)).array for x in (key, value)]  # of the block; they go along with it, and come home
        for step in range(group.size()):
            passing = _Passing(group, block) if step + 1 < group.size() else None
            if not ctx.is_causal or step <= group.rank():
                k, v = (_exact(tensor_of(array)) for array in block)
                dk, dv = map(tensor_of, gradients)
                weights = lt.exp(_scores(q, k, scale, ctx.is_causal and step == 0) - exponent)
                dscores = weights * (lt.matmul(g, v.transpose(-2, -1)) - inner) * scale
                dq = dq + lt.matmul(dscores, k)
                gradients = [
                    (dk + lt.matmul(dscores.transpose(-2, -1), q)).array, (dv + lt.matmul(weights.transpose(-2, -1), g)).array
                ]  # fmt: skip
            if passing is not None:
                block = passing.wait()
            if group.size() > 1:
                gradients = _Passing(group, gradients).wait()
        dk, dv = map(tensor_of, gradients)
        return dq.to(query.dtype), dk.to(key.dtype), dv.to(value.dtype), None, None, None
