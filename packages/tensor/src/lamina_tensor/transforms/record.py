"""A record apart from the tensors: what was computed from what within a block, and gradients of it by asking the record.

While a record is on, two fields of Tensor, `node` and `requires_grad`, are answered by the record instead of by the tensor, so
ops are recorded as ever and tensors stay as they were. While none is on, the fields are the plain slots.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from inspect import getattr_static
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_flatarray.modes import NO_GRAD, RECORD, switch, word

from ..autograd import engine
from ..autograd.node import Node, made_node
from ..autograd.rules import Rule
from ..tensor_class import Tensor
from ..tensor_fields import TensorFields, tensor_of
from .trees import flattened, mapped

__all__ = ["Gradients", "Record", "record"]

_SLOTS: Final[dict[str, Any]] = {name: TensorFields.__dict__[name] for name in ("node", "requires_grad")}
_TAKING_OUT: Final[dict[str, Any]] = {name: getattr_static(Tensor, name) for name in ("numpy", "__array__", "__deepcopy__")}
"""What refuses tensors with a history, which tensors in a record have only there."""

_SWITCHES: Final = 50 if sys.version_info >= (3, 13) else sys.maxsize
"""How often the fields are switched back. From 3.13 on, CPython gives up caching the attributes of a class that has changed
about a thousand times. Before that they stay switched, and small ops slower outside of records, too; see decision 0012."""

_START: Final = Rule("start", ("x",), "Start", {"x": lambda g: g})
"""The beginning of a record at a tensor; its gradient goes on to where the tensor's own history, if it has one, begins."""


@cache
def _elsewhere() -> Tensor:
    """A leaf that no gradient reaches, as the edge of a beginning: who looks for the leaves behind a result, as nested transforms
    do, finds one that is none of theirs."""
    return tensor_of(nd.zeros(0))


class _Here(threading.local):
    def __init__(self) -> None:
        self.records: list[Record] = []


_here: Final = _Here()
_lock: Final = threading.Lock()
_users = 0
_switched = 0  # odd while the fields are switched over


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


class Record:
    """What was recorded; see `record`. It may be entered again to go on, and lives as long as its user keeps it: tensors do
    not keep it alive, nor does it keep alive more of them than the arrays that gradients need."""

    def __init__(self, tensors: tuple[Any, ...] = ()) -> None:
        self._nodes: dict[int, tuple[weakref.ref[Tensor], Node]] = {}  # by id: to compare tensors would be an op
        self._started: set[int] = set()  # whose nodes begin at them
        self._everything = not tensors
        self._before: list[tuple[Record | None, bool]] = []
        self._named = [x for x in flattened(tensors) if isinstance(x, TensorFields) and x.array.dtype.is_inexact]
        if tensors and not self._named:
            raise AutogradError("record: there is no floating or complex tensor among the named ones")

    def __enter__(self) -> Record:
        self._push()
        switch(NO_GRAD, False)
        for x in self._named:
            self._start(x)
        self._named = []  # not to keep them alive
        return self

    def __exit__(self, *_: object) -> None:
        outer = self._pop()
        if outer is not None:  # what was recorded here began with what is recorded there
            for key, (reference, node) in list(self._nodes.items()):
                x = reference()
                if x is not None and key not in self._started:
                    outer._remember(x, node)

    def _push(self) -> None:
        """Have this record answer the fields of tensors, in this thread."""
        outer = _here.records[-1] if _here.records else None
        self._before.append((self._outer() if outer is self else outer, not word.get() & NO_GRAD))
        _here.records.append(self)
        switch(RECORD, True)
        _switch(True)

    def _pop(self) -> Record | None:
        """Take back one `_push`; gives the record that was on before, unless it is this one."""
        _switch(False)
        _here.records.pop()
        switch(RECORD, bool(_here.records))
        outer, recording = self._before.pop()
        switch(NO_GRAD, not recording)
        return None if outer is self._outer() else outer

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
        create = bool(_here.records) if create_graph is None else create_graph
        entries = [(key, reference, x) for key, (reference, _) in self._nodes.items() if (x := reference()) is not None]
        self._push()
        try:
            found = engine.grad(
                outputs, [x for _, _, x in entries], gradients, retain_graph=True, create_graph=create, allow_unused=True
            )
        finally:
            outer = self._pop()
        for g in found if outer is not None else ():
            if g is not None and (node := self._known(g)) is not None:
                outer._remember(g, node)
        seeds = [g for g in flattened(gradients) if isinstance(g, TensorFields)]
        taken = None if create else {id(g.array.flat.memory) for g in seeds}
        pairs = {key: (reference, g) for (key, reference, _), g in zip(entries, found, strict=True)}
        return Gradients(pairs, self._everything, taken)

    # -- what the tensors' fields ask -------------------------------------------------------------------------------------

    def _known(self, x: Tensor) -> Node | None:
        entry = self._nodes.get(id(x))
        return None if entry is None else entry[1]

    def _wants(self, x: Tensor) -> bool:
        return id(x) in self._nodes or (self._everything and x.array.flat.dtype.is_inexact) or self._wanted_before(x)

    def _node(self, x: Tensor) -> Node | None:
        return self._known(x) or (self._start(x) if self._wants(x) else None)

    def _start(self, x: Tensor) -> Node:
        before = self._wanted_before(x)
        edge = (self._node_before(x) or x) if before else _elsewhere()
        node = made_node(_START.plan((before,)), (edge,), (), x.array)
        self._remember(x, node)
        self._started.add(id(x))
        return node

    def _outer(self) -> Record | None:
        return self._before[-1][0] if self._before else None

    def _wanted_before(self, x: Tensor) -> bool:
        outer = self._outer()
        return outer._wants(x) if outer is not None else _SLOTS["requires_grad"].__get__(x)

    def _node_before(self, x: Tensor) -> Node | None:
        outer = self._outer()
        return outer._node(x) if outer is not None else _SLOTS["node"].__get__(x)

    def _remember(self, x: Tensor, node: Node) -> None:
        own, key = weakref.ref(self), id(x)

        def forget(_: Any) -> None:
            record = own()
            if record is not None:
                record._forget(key)

        self._nodes[key] = (weakref.ref(x, forget), node)
        self._started.discard(key)

    def _forget(self, key: int) -> None:
        self._nodes.pop(key, None)
        self._started.discard(key)

    def _ask(self, x: Tensor, wants: bool) -> None:
        """What setting `requires_grad` does: results of ops have it by their nodes, all others by themselves."""
        if id(x) not in self._nodes:
            _SLOTS["requires_grad"].__set__(x, wants)
        elif id(x) in self._started:
            _SLOTS["requires_grad"].__set__(x, wants)
            node = self._nodes[id(x)][1]
            node.plan, node.inputs = _START.plan((wants,)), (x if wants else _elsewhere(),)


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
        return mapped(lambda x: self._one(x) if isinstance(x, TensorFields) else x, tree)

    def _one(self, x: Tensor) -> Tensor:
        if not x.array.dtype.is_inexact:
            raise AutogradError(f"record: there is no gradient with respect to a tensor of dtype {x.array.dtype.name}")
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


# -- the switch ---------------------------------------------------------------------------------------------------------


def _get_node(x: Tensor) -> Node | None:
    records = _here.records
    return records[-1]._node(x) if records else _SLOTS["node"].__get__(x)


def _set_node(x: Tensor, node: Node | None) -> None:
    records = _here.records
    if not records:
        _SLOTS["node"].__set__(x, node)
    elif node is not None:
        records[-1]._remember(x, node)
    else:
        records[-1]._forget(id(x))
        _SLOTS["node"].__set__(x, None)


def _get_wants(x: Tensor) -> bool:
    records = _here.records
    return records[-1]._wants(x) if records else _SLOTS["requires_grad"].__get__(x)


def _set_wants(x: Tensor, wants: bool) -> None:
    records = _here.records
    if records:
        records[-1]._ask(x, wants)
    else:
        _SLOTS["requires_grad"].__set__(x, wants)


def _get_is_leaf(x: Tensor) -> bool:
    records = _here.records
    node = _get_node(x)  # may start one
    return node is None or bool(records and id(x) in records[-1]._started)


def _apart(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of tensors, run as if no record were on."""

    def on_ordinary(self: Tensor, *args: Any, **params: Any) -> Any:
        records, _here.records = _here.records, []
        try:
            return method(self, *args, **params)
        finally:
            _here.records = records

    return on_ordinary


_PLAIN: Final[dict[str, Any]] = _SLOTS | _TAKING_OUT | {"is_leaf": getattr_static(Tensor, "is_leaf")}
_RECORDED: Final[dict[str, Any]] = {
    "node": property(_get_node, _set_node),
    "requires_grad": property(_get_wants, _set_wants),
    "is_leaf": property(_get_is_leaf),
    **{name: _apart(method) for name, method in _TAKING_OUT.items()},
}


def _switch(on: bool) -> None:
    """Switch the fields of Tensor over with the first record that is on, and back after the last."""
    global _users, _switched
    with _lock:
        _users += 1 if on else -1
        over = _users > 0 or _switched >= 2 * _SWITCHES
        if over is not bool(_switched % 2):
            _switched += 1
            for name, attribute in (_RECORDED if over else _PLAIN).items():
                setattr(Tensor, name, attribute)
