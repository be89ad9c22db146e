"""A record apart from the tensors: what was computed from what within a block, and gradients of it by asking the record.

While a record is on in a thread or task, it answers there for two fields of tensors, `node` and `requires_grad` (see
`tensor_fields`), so ops are recorded as ever and tensors stay as they were.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_flatarray.modes import NO_GRAD, RECORD, region

from ..autograd.backward import grad
from ..autograd.node import Node, made_node
from ..autograd.rules import Rule
from ..tensor_class import Tensor
from ..tensor_fields import AnyTensor, records, tensor_of
from .trees import flattened, mapped

__all__ = ["Gradients", "Record", "record"]

_START: Final = Rule("start", ("x",), "Start", {"x": lambda g: g})
"""The beginning of a record at a tensor; its gradient goes on to where the tensor's own history, if it has one, begins."""


@cache
def _elsewhere() -> Tensor:
    """A leaf that no gradient reaches, as the edge of a beginning: who looks for the leaves behind a result, as nested transforms
    do, finds one that is none of theirs."""
    return tensor_of(nd.zeros(0))


def record(*tensors: Any) -> Record:
    """Record what is computed in a `with` block, apart from the tensors.

    No tensor has to ask for gradients, and none is changed: in the block, every floating or complex tensor that is made or
    used is recorded, and after it they are as if it had not been. Gradients are there for leaves and results alike.

    That everything is recorded means that gradients of data are computed, too, and that an op that has no gradient is an
    error unless it is called under `no_grad()`. Name the tensors that count, and only what depends on them is recorded.

    Args:
        tensors: tensors, or trees of them, such as a dict of parameters; none for all.

    Returns:
        The record, which is asked for gradients after the block.

    Raises:
        AutogradError: what was named has no floating or complex tensor.

    >>> x = torch.tensor([1.0, 2.0])
    >>> with torch.record() as rec:
    ...     loss = (x * x).sum()
    >>> rec.gradients(loss).wrt(x)
    tensor([2., 4.])
    """
    return Record(tensors)


class Record(region):
    """What was recorded; see `record`. It may be entered again to go on, and lives as long as its user keeps it: tensors do
    not keep it alive, nor does it keep alive more of them than the arrays that gradients need."""

    def __init__(self, tensors: tuple[Any, ...] = ()) -> None:
        super().__init__(RECORD | NO_GRAD, records)
        self._nodes: dict[int, tuple[weakref.ref[Tensor], Node]] = {}  # by id: to compare tensors would be an op
        self._started: set[int] = set()  # whose nodes begin at them
        self._everything = not tensors
        self._named = [x for x in flattened(tensors) if isinstance(x, AnyTensor) and x.array.dtype.is_inexact]
        if tensors and not self._named:
            raise AutogradError("record: there is no floating or complex tensor among the named ones")

    def _entered(self, outer: tuple[Record, ...]) -> tuple[int, tuple[Record, ...]]:
        for x in self._named:
            self._start(x)
        self._named = []  # not to keep them alive
        return RECORD, (*outer, self)

    def _left(self) -> None:
        outer = self._around()
        if outer is not None:  # what was recorded here began with what is recorded there
            for key, (reference, node) in list(self._nodes.items()):
                x = reference()
                if x is not None and key not in self._started:
                    outer.remember(x, node)

    def _around(self) -> Record | None:
        """The record that is on, unless it is this one."""
        active = records.get()
        return active[-1] if active and active[-1] is not self else None

    def gradients(
        self,
        outputs: Tensor | Sequence[Tensor],
        gradients: Tensor | Sequence[Tensor | None] | None = None,
        create_graph: bool | None = None,
    ) -> Gradients:
        """Compute the gradients of `outputs` with respect to everything that was recorded and is still there, in one pass.

        Args:
            outputs: a tensor computed in the block, or a list of them.
            gradients: of the same shapes, what to begin with; may be left out for single items, which begin with 1.
            create_graph: whether the pass is recorded, for higher derivatives; by default, if a record is on.

        Returns:
            The gradients, which are asked for with respect to tensors.

        Raises:
            AutogradError: an output was not recorded; a gradient is missing or has another shape; what was saved has been
                changed in place.
        """
        outputs = [outputs] if isinstance(outputs, Tensor) else list(outputs)
        for output in outputs:
            if self._known(output) is None:
                raise AutogradError(
                    f"record: the {output.dtype.name} tensor of shape {tuple(output.shape)} was not computed in the record's block from "
                    "floating or complex tensors, so there are no gradients of it"
                )
        create = bool(records.get()) if create_graph is None else create_graph
        entries = [(key, reference, x) for key, (reference, _) in self._nodes.items() if (x := reference()) is not None]
        with _answering(self):
            grads = grad(
                outputs, [x for _, _, x in entries], gradients, retain_graph=True, create_graph=create, allow_unused=True
            )
        outer = self._around()
        for g in grads:
            if outer is not None and g is not None and (node := self._known(g)) is not None:
                outer.remember(g, node)
        seeds = [g for g in flattened(gradients) if isinstance(g, AnyTensor)]
        taken = None if create else {id(g.array.flat.memory) for g in seeds}
        pairs = {key: (reference, g) for (key, reference, _), g in zip(entries, grads, strict=True)}
        return Gradients(pairs, self._everything, taken)

    # -- what the tensors' fields ask -------------------------------------------------------------------------------------

    def _known(self, x: Tensor) -> Node | None:
        entry = self._nodes.get(id(x))
        return None if entry is None or entry[0]() is not x else entry[1]  # Ctrl-C may have kept `dead` from being run

    def wants(self, x: Tensor) -> bool:
        """Whether gradients with respect to a tensor can be asked for: it is recorded, or would be if it were used."""
        return id(x) in self._nodes or (self._everything and x.array.flat.dtype.is_inexact) or self._wanted_before(x)

    def node_of(self, x: Tensor) -> Node | None:
        """The tensor's node in this record, at which the record begins now if it has none; None where its gradients are not wanted."""
        return self._known(x) or (self._start(x) if self.wants(x) else None)

    def _start(self, x: Tensor) -> Node:
        before = self._wanted_before(x)
        edge = (self._node_before(x) or x) if before else _elsewhere()
        node = made_node(_START.plan((before,)), (edge,), (), x.array)
        self.remember(x, node)
        self._started.add(id(x))
        return node

    def _outer(self) -> Record | None:
        """The record around this one, where this one is on; else the one that is on."""
        active = records.get()
        depth = active.index(self) if self in active else len(active)
        return active[depth - 1] if depth else None

    def _wanted_before(self, x: Tensor) -> bool:
        outer = self._outer()
        return outer.wants(x) if outer is not None else x._requires_grad

    def _node_before(self, x: Tensor) -> Node | None:
        outer = self._outer()
        return outer.node_of(x) if outer is not None else x._node

    def remember(self, x: Tensor, node: Node) -> None:
        """Note that a node made a tensor, for as long as the tensor lives."""
        own, key = weakref.ref(self), id(x)

        def dead(_: Any) -> None:
            record = own()
            if record is not None:
                record._drop(key)

        self._nodes[key] = (weakref.ref(x, dead), node)
        self._started.discard(key)

    def forget(self, x: Tensor) -> None:
        """What setting `node` to None does: the tensor is a leaf again."""
        self._drop(id(x))
        x._node = None

    def started(self, x: Tensor) -> bool:
        """Whether the record begins at this tensor, so that it is a leaf there."""
        return id(x) in self._started

    def _drop(self, key: int) -> None:
        self._nodes.pop(key, None)
        self._started.discard(key)

    def ask(self, x: Tensor, wants: bool) -> None:
        """What setting `requires_grad` does: results of ops have it by their nodes, all others by themselves."""
        if id(x) not in self._nodes:
            x._requires_grad = wants
        elif id(x) in self._started:
            x._requires_grad = wants
            node = self._nodes[id(x)][1]
            node.plan, node.inputs = _START.plan((wants,)), (x if wants else _elsewhere(),)


class _answering(region):
    """A block in which a record answers the fields of tensors, whether ops are recorded or not."""

    def __init__(self, record: Record) -> None:
        super().__init__(RECORD, records)
        self.record = record

    def _entered(self, outer: tuple[Record, ...]) -> tuple[int, tuple[Record, ...]]:
        return RECORD, (*outer, self.record)


class Gradients:
    """The gradients of one pass, for each tensor that was recorded."""

    def __init__(self, found: dict[int, Any], everything: bool, taken: set[int] | None) -> None:
        self._found = found
        self._everything = everything
        self._taken = taken

    def wrt(self, tree: Any) -> Any:
        """The gradients with respect to a tensor, or a tree of them.

        Args:
            tree: a tensor, or a tree of tensors; what is no tensor stays as it is.

        Returns:
            A tree of the same form; zeros where nothing depends on a tensor. Each gradient has memory of its own, unless the
            pass was recorded.

        Raises:
            AutogradError: a tensor is neither floating nor complex; or the record was one of named tensors, and this one
                is neither named nor computed from them.
        """
        return mapped(lambda x: self._one(x) if isinstance(x, AnyTensor) else x, tree)

    def _one(self, x: Tensor) -> Tensor:
        if not x.array.dtype.is_inexact:
            raise AutogradError(f"record: there is no gradient with respect to a tensor of dtype {x.array.dtype.name}")
        g: Tensor | None
        reference, g = self._found.get(id(x), (None, None))
        if reference is None or reference() is not x:
            if not self._everything:
                raise AutogradError(
                    f"record: the {x.array.dtype.name} tensor of shape {tuple(x.shape)} is neither named nor computed from "
                    "named ones, so nothing is known about it"
                )
            g = None
        if g is None:
            return tensor_of(nd.zeros_like(x.array))
        if self._taken is None:
            return g
        memory = id(g.array.flat.memory)
        if memory in self._taken or not g.array.layout.contiguous:
            return tensor_of(nd.copy(g.array))
        self._taken.add(memory)
        return g
