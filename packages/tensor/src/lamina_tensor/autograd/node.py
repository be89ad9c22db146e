"""Node: one recorded op. It holds what its gradient rule needs and where the gradients go, and no tensor it made."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.modes import WATCHED_NODES, switch, word
from lamina_flatarray.twins import compiled
from lamina_ndarray import Layout, NDArray

if TYPE_CHECKING:
    from ..tensor_class import Tensor
    from .rules import Plan

__all__ = [
    "OUTPUT", "PACKED", "RETAINED", "Edge", "Node", "Packed", "RemovableHandle", "made_node", "next_sequence", "output_node",
    "unwatch_nodes", "unwatched_node", "watch_nodes",
]  # fmt: skip

next_sequence: Final = count().__next__
"""Nodes are numbered as they are made, so a node's number is above those of all nodes that it depends on."""


class RemovableHandle:
    """Takes a hook away again; `with handle: ...` does so at the end.

    Args:
        hooks_dict: the table of hooks.
        hook: the function, which is put there; with None the caller puts it there, under `id`.
        when: when it is called, for tables of hooks of several kinds.
        extra_dict: further tables, one or a list, in which `remove()` looks for `id`.

    Attributes:
        id: a number that no other handle has.

    >>> x = torch.tensor(1.0, requires_grad=True)
    >>> handle = x.register_hook(lambda g: g * 10)
    >>> handle.remove()
    >>> (2 * x).backward()
    >>> x.grad
    tensor(2.)
    """

    _count: ClassVar[Callable[[], int]] = count().__next__

    id: int

    def __init__(self, hooks_dict: dict[Any, Any], hook: Any = None, when: str = "", *, extra_dict: Any = None) -> None:
        self._hooks = hooks_dict
        self.id = RemovableHandle._count()
        self._key: Any = self.id
        self._others: list[dict[Any, Any]] = [extra_dict] if isinstance(extra_dict, dict) else list(extra_dict or ())
        if hook is not None:
            self._key = (when, self.id)
            hooks_dict[self._key] = hook

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self._key, None)
        for hooks in self._others:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


class Node:
    """A recorded op.

    Attributes:
        plan: the op's gradient rule for the inputs that want gradients.
        inputs: per input of the op, where its gradient goes: a Node, a leaf Tensor, or None.
        saved: the values that the plan names, None once a backward pass has freed them.
        versions: the versions of the saved arrays' memory when they were saved (-1 for other values).
        sequence: its number.
        layout, kernels: shape, dtype and place of the result, so those of its gradient.
        hooks: functions called with its result's gradient ("" in the key, or RETAINED), or before or after its own are
            computed.
        results: shape, dtype and device of each result of an op with several, else None.
        freed_at: file and line where the backward pass that freed `saved` was called.

    >>> x = torch.tensor([3.0], requires_grad=True)
    >>> node = (x * x).grad_fn
    >>> node
    <MulBackward0>
    >>> [edge[0].name() for edge in node.next_functions]
    ['AccumulateGrad', 'AccumulateGrad']
    """

    __slots__ = (
        "__weakref__", "freed_at", "hooks", "inputs", "kernels", "layout", "plan", "results", "saved", "sequence",
        "versions",
    )  # fmt: skip

    if TYPE_CHECKING:  # what is read at run time must be known there
        plan: Plan
    inputs: tuple[Edge | None, ...]
    saved: tuple[Any, ...] | None
    versions: tuple[int, ...]
    sequence: int
    layout: Layout
    kernels: KernelTable
    hooks: dict[tuple[str, int], Any] | None
    results: tuple[tuple[Any, Any, Any], ...] | None
    freed_at: tuple[str, int] | None

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Per input, the node that its gradient goes to, and 0; None where it goes nowhere."""
        return tuple(
            (None if edge is None else edge if isinstance(edge, Node) else AccumulateGrad(edge), 0)
            for edge in self.inputs
        )

    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call `fn(grad_outputs)` before the node's gradients are computed; a tuple that it returns replaces them.

        Args:
            fn: a function of the tuple of gradients of the op's results.

        Returns:
            A handle, whose `remove()` takes the hook away.

        >>> x = torch.tensor([3.0], requires_grad=True)
        >>> y = x * x
        >>> handle = y.grad_fn.register_prehook(lambda grads: (grads[0] * 2,))
        >>> torch.autograd.grad(y, x)
        (tensor([12.]),)
        """
        return self._hooked("before", fn)

    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after they are computed; a tuple that it returns replaces the former.

        Args:
            fn: a function of two tuples: the gradients of the op's inputs (None where one wants none), and those of its results.

        Returns:
            A handle, whose `remove()` takes the hook away.

        >>> x = torch.tensor([3.0], requires_grad=True)
        >>> y = x * 2
        >>> handle = y.grad_fn.register_hook(lambda inputs, outputs: print(inputs, outputs))
        >>> y.backward()
        (tensor([2.]), None) (tensor([1.]),)
        """
        return self._hooked("after", fn)

    def _hooked(self, when: str, hook: Callable[..., Any]) -> RemovableHandle:
        if self.hooks is None:
            self.hooks = {}
        return RemovableHandle(self.hooks, hook, when)

    def name(self) -> str:
        """PyTorch's name for the op's node, such as `MulBackward0`.

        Returns:
            The name as a string.

        >>> x = torch.tensor([3.0], requires_grad=True)
        >>> x.exp().grad_fn.name()
        'ExpBackward0'
        """
        op: Any = self.inputs[0] if self.plan is OUTPUT else self
        return str(op.plan.rule.node_name)

    def __repr__(self) -> str:
        return f"<{self.name()}>"


class AccumulateGrad:
    """The end of the graph at a leaf, as `next_functions` shows it."""

    __slots__ = ("variable",)

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable
        """The leaf."""

    next_functions: tuple[tuple[Any, int], ...] = ()

    def name(self) -> str:
        """PyTorch's name for it."""
        return "AccumulateGrad"

    def __repr__(self) -> str:
        return "<AccumulateGrad>"


Edge = Any  # a Node, or a leaf Tensor


def made_node(plan: Plan, inputs: tuple[Any, ...], saved: tuple[Any, ...], result: NDArray) -> Node:
    """A new node for a result; remembers the versions of the saved arrays."""
    node: Node = object.__new__(Node)
    node.plan = plan
    node.inputs = inputs
    node.saved = saved
    node.versions = tuple([s.flat.version if s.__class__ is NDArray else -1 for s in saved]) if saved else ()
    node.sequence = next_sequence()
    node.layout = result.layout
    node.kernels = result.flat.kernels
    node.hooks = None
    node.results = None
    node.freed_at = None
    if word.get() & WATCHED_NODES:
        for watcher in _watchers.get():
            watcher(node)
    return node


unwatched_node: Final[Callable[[Plan, tuple[Any, ...], tuple[Any, ...], NDArray], Node]] = (
    made_node if compiled is None else compiled.made_node
)
"""The same where nobody watches nodes."""

_watchers: Final[ContextVar[tuple[Callable[[Node], None], ...]]] = ContextVar("lamina_node_watchers", default=())


def watch_nodes(watcher: Callable[[Node], None]) -> None:
    """Show each new node of this thread or task to `watcher`, until `unwatch_nodes` has been called as often."""
    _watchers.set((*_watchers.get(), watcher))
    switch(WATCHED_NODES, True)


def unwatch_nodes(watcher: Callable[[Node], None]) -> None:
    """Take back the latest `watch_nodes` of a watcher."""
    watchers = list(_watchers.get())
    del watchers[len(watchers) - 1 - watchers[::-1].index(watcher)]
    _watchers.set(tuple(watchers))
    switch(WATCHED_NODES, bool(watchers))


RETAINED: Final = ("retained", 0)
"""The key among a node's hooks of the one that keeps the gradient for the node's tensor."""

PACKED: Final = -2
"""In the place of a version: the saved value is `Packed`."""


class Packed:
    """A saved array in other hands; see `saving`."""

    __slots__ = ("unpack", "value")

    def __init__(self, value: Any, unpack: Any) -> None:
        self.value = value
        self.unpack = unpack


OUTPUT: Final[Any] = "one of several results"
"""In the place of a plan: the node is one result of an op with several, its only input is the op's own node, and `saved`
is which result it is, of how many."""


def output_node(parent: Node, index: int, count: int, result: NDArray) -> Node:
    """The node of one result, of `count`, of an op whose own node is `parent`."""
    node = made_node(OUTPUT, (parent,), (), result)
    node.saved = (index, count)
    return node
