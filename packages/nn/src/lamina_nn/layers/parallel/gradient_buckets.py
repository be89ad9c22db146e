"""Gradients of all processes averaged in buckets, each as soon as it is full, while the backward pass still runs."""

from __future__ import annotations

from collections.abc import Sequence

import lamina_ndarray as nd
from lamina_flatarray import OpNotImplemented, UsageError, uint8
from lamina_ndarray import NDArray
from lamina_tensor import Tensor, tensor

from ...process_groups import moves
from ...process_groups.process_group import ProcessGroup
from ...process_groups.reduce_op import ReduceOp
from ...process_groups.work import Work, run

__all__ = ["GradientBuckets"]

_NAME = "DistributedDataParallel"


class _Bucket:
    """Gradients that are exchanged at once, one after the other in one row."""

    def __init__(self, members: Sequence[int], parameters: Sequence[Tensor]) -> None:
        self.members = list(members)
        first = parameters[self.members[0]]
        ends = [0]
        for i in self.members:
            ends.append(ends[-1] + parameters[i].numel())
        self.row = nd.zeros(ends[-1], dtype=first.dtype, device=first.device)
        self.views = {
            i: nd.reshape(self.row[begin:end], tuple(parameters[i].shape))
            for i, begin, end in zip(self.members, ends[:-1], ends[1:], strict=True)
        }
        self.missing = 0
        self.work: Work | None = None


class GradientBuckets:
    """Buckets of gradients in the order in which a backward pass completes them: that of the parameters, from the last to the first.

    Args:
        parameters: those that require gradients.
        names: their names, for messages.
        group: the processes.
        most: bytes of a bucket at most, unless one parameter has more.
        first: bytes of the first one.
        as_views: whether gradients share the buckets' memory.
    """

    def __init__(
        self, parameters: Sequence[Tensor], names: Sequence[str], group: ProcessGroup, most: int, first: int, as_views: bool
    ) -> None:
        self.parameters, self.names, self.group, self.as_views = list(parameters), list(names), group, as_views
        self.buckets: list[_Bucket] = []
        members: list[int] = []
        filled = 0
        for i in reversed(range(len(self.parameters))):
            p = self.parameters[i]
            size = p.numel() * p.array.flat.itemsize
            limit = first if not self.buckets else most
            other = bool(members) and (p.dtype is not self.parameters[members[0]].dtype or p.device != self.parameters[members[0]].device)
            if members and (other or filled + size > limit):
                self.buckets.append(_Bucket(members, self.parameters))
                members, filled = [], 0
            members.append(i)
            filled += size
        self.buckets.append(_Bucket(members, self.parameters))
        self._bucket_of = {i: bucket for bucket in self.buckets for i in bucket.members}
        self._waiting: set[int] = set()
        self._begun = 0
        self._used: Tensor | None = None
        self._divisor: int | None = None
        for i, p in enumerate(self.parameters):
            p.register_post_accumulate_grad_hook(lambda _, i=i: self._ready(i))  # type: ignore[misc]

    @property
    def unfinished(self) -> list[str]:
        """The names of parameters whose gradients were expected and did not come."""
        return [self.names[i] for i in sorted(self._waiting)]

    def expect(self, unused: set[int] | None, divisor: int | None) -> None:
        """Get ready for one backward pass.

        Args:
            unused: the parameters that it will not reach; None where it reaches all.
            divisor: what sums are divided by; None for the number of processes.
        """
        self._waiting = set(range(len(self.parameters)))
        self._begun, self._divisor, self._used = 0, divisor, None
        for bucket in self.buckets:
            bucket.missing, bucket.work = len(bucket.members), None
        if unused is not None:
            self._used = tensor([int(i not in unused) for i in range(len(self.parameters))], dtype=uint8)
            for i in sorted(unused):
                self._ready(i)

    def give_up(self) -> None:
        """Expect nothing."""
        self._waiting = set()

    def _ready(self, i: int) -> None:
        """Take over a gradient, and begin with the buckets that are full, in order; after the last one, wait for all."""
        if i not in self._waiting:
            return
        self._waiting.discard(i)
        bucket, gradient = self._bucket_of[i], self.parameters[i].grad
        if gradient is None:
            moves.copied(bucket.views[i], nd.zeros_like(bucket.views[i]))
        elif gradient.is_sparse:
            raise OpNotImplemented(f"{_NAME}: the gradient of {self.names[i]} is sparse; processes exchange dense ones")
        elif gradient.array.flat is not bucket.row.flat:
            moves.copied(bucket.views[i], gradient.array)
        bucket.missing -= 1
        while self._begun < len(self.buckets) and not self.buckets[self._begun].missing:
            self._begin(self.buckets[self._begun])
            self._begun += 1
        if self._begun == len(self.buckets):
            self._finish()

    def _begin(self, bucket: _Bucket) -> None:
        op = ReduceOp.AVG if self._divisor is None else ReduceOp.SUM
        bucket.work = run(_NAME, self.group, moves.reduced(self.group, [bucket.row], op), True, arrays=[bucket.row])

    def _finish(self) -> None:
        used = None
        if self._used is not None:
            run(_NAME, self.group, moves.reduced(self.group, [self._used.array], ReduceOp.MAX), arrays=[self._used.array])
            used = self._used.tolist()
        for bucket in self.buckets:
            if bucket.work is not None:
                bucket.work.wait()
            if self._divisor is not None:
                nd.divide(bucket.row, self._divisor, out=bucket.row)
            for i in bucket.members:
                if used is None or used[i]:
                    self._give_back(self.parameters[i], bucket.views[i])

    def _give_back(self, p: Tensor, mean: NDArray) -> None:
        if p.grad is None or (self.as_views and p.grad.array.flat is not mean.flat):
            p.grad = Tensor(mean if self.as_views else nd.copy(mean))
        elif p.grad.array.flat is not mean.flat:
            moves.copied(p.grad.array, mean)

    def take_part(self, divisor: int | None, finds_unused: bool) -> None:
        """Take part in the exchange of others with zeros, as this process has no batch left; gradients stay as they are.

        Args:
            divisor: as for `expect`.
            finds_unused: whether it is told which parameters were used.
        """
        op = ReduceOp.AVG if divisor is None else ReduceOp.SUM
        for bucket in self.buckets:
            bucket.row.fill(0)
            run(_NAME, self.group, moves.reduced(self.group, [bucket.row], op), arrays=[bucket.row])
        if finds_unused:
            unused = nd.zeros(len(self.parameters), dtype=uint8)
            run(_NAME, self.group, moves.reduced(self.group, [unused], ReduceOp.MAX), arrays=[unused])

    def check(self) -> None:
        """Refuse a second forward pass while gradients of the first are missing.

        Raises:
            UsageError: some are; the message names them.
        """
        if self._waiting:
            some = ", ".join(self.unfinished[:8])
            raise UsageError(
                f"{_NAME}: Expected to have finished reduction in the prior iteration before starting a new one: no gradient came of "
                f"{some}. Parameters that do not take part in the loss want find_unused_parameters=True; a forward pass without "
                "a backward pass wants torch.no_grad()"
            )
