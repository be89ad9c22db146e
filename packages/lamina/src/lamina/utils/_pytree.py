"""PyTorch's private `torch.utils._pytree`, which published packages use: nested containers taken apart and put together.

A leaf is whatever is no container: None is one, as in PyTorch. Dictionaries keep their order of insertion.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..absent_names import explained

__all__ = [
    "Context", "LeafSpec", "MappingKey", "NodeDef", "PyTree", "SUPPORTED_NODES", "SequenceKey", "TreeSpec",
    "register_pytree_node", "tree_all", "tree_any", "tree_flatten", "tree_iter", "tree_leaves", "tree_map", "tree_map_",
    "tree_map_only", "tree_structure", "tree_unflatten",
]  # fmt: skip

Context: TypeAlias = Any
PyTree: TypeAlias = Any
IsLeaf: TypeAlias = Callable[[Any], bool] | None


class NodeDef(NamedTuple):
    """How a class of containers is taken apart and put together.

    Attributes:
        type: the class.
        flatten_fn: gives the parts of a container, and what else is needed to make it again.
        unflatten_fn: makes a container of its parts and that.
    """

    type: type[Any]
    flatten_fn: Callable[[Any], tuple[list[Any], Context]]
    unflatten_fn: Callable[[Iterable[Any], Context], Any]


def _dict_flatten(tree: dict[Any, Any]) -> tuple[list[Any], Context]:
    return list(tree.values()), list(tree)


def _dict_unflatten(values: Iterable[Any], context: Context) -> dict[Any, Any]:
    return dict(zip(context, values, strict=True))


SUPPORTED_NODES: Final[dict[type[Any], NodeDef]] = {
    node.type: node
    for node in (
        NodeDef(tuple, lambda tree: (list(tree), None), lambda values, _: tuple(values)),
        NodeDef(list, lambda tree: (tree, None), lambda values, _: list(values)),
        NodeDef(dict, _dict_flatten, _dict_unflatten),
        NodeDef(OrderedDict, _dict_flatten, lambda values, keys: OrderedDict(zip(keys, values, strict=True))),
        NodeDef(
            defaultdict, lambda tree: (list(tree.values()), (tree.default_factory, list(tree))),
            lambda values, context: defaultdict(context[0], zip(context[1], values, strict=True)),
        ),
        NodeDef(deque, lambda tree: (list(tree), tree.maxlen), lambda values, length: deque(values, maxlen=length)),
    )
}  # fmt: skip
"""Each class of containers, and how it is taken apart; named tuples are containers, too."""

_NAMED: Final = NodeDef(tuple, lambda tree: (list(tree), type(tree)), lambda values, kind: kind(*values))


class SequenceKey(NamedTuple):
    """The place of a part of a list or tuple.

    Attributes:
        idx: its index.
    """

    idx: int


class MappingKey(NamedTuple):
    """The place of a part of a dictionary.

    Attributes:
        key: its key.
    """

    key: Any


def _dict_flatten_with_keys(tree: dict[Any, Any]) -> tuple[list[tuple[MappingKey, Any]], Context]:
    values, context = _dict_flatten(tree)
    return [(MappingKey(key), value) for key, value in zip(context, values, strict=True)], context


def register_pytree_node(
    cls: type[Any], flatten_fn: Callable[[Any], tuple[list[Any], Context]], unflatten_fn: Callable[[Iterable[Any], Context], Any], *,
    serialized_type_name: str | None = None, to_dumpable_context: Any = None, from_dumpable_context: Any = None,
    flatten_with_keys_fn: Any = None,
) -> None:  # fmt: skip
    """Let instances of a class be containers.

    Args:
        cls: the class itself; classes derived from it are leaves.
        flatten_fn: gives the parts of a container, and what else is needed to make it again.
        unflatten_fn: makes a container of its parts and that.
        serialized_type_name, to_dumpable_context, from_dumpable_context, flatten_with_keys_fn: accepted as in PyTorch.

    Raises:
        ValueError: it is registered already.

    >>> from lamina.utils import _pytree
    >>> class Pair:
    ...     def __init__(self, a, b):
    ...         self.a, self.b = a, b
    >>> _pytree.register_pytree_node(Pair, lambda pair: ([pair.a, pair.b], None), lambda parts, _: Pair(*parts))
    >>> _pytree.tree_leaves([Pair(1, 2), 3])
    [1, 2, 3]
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn)


def _node_of(tree: PyTree) -> NodeDef | None:
    kind = type(tree)
    if (node := SUPPORTED_NODES.get(kind)) is not None:
        return node
    return _NAMED if isinstance(tree, tuple) and kind.__bases__ == (tuple,) and hasattr(kind, "_fields") else None


def _get_node_type(tree: PyTree) -> Any:
    """The key of a container among `SUPPORTED_NODES`; of a leaf, its class."""
    return type(tree)


@dataclass(frozen=True)
class TreeSpec:
    """The shape of a tree: what is left of it without its leaves.

    Attributes:
        type: the class of the container; None for a leaf.
        context: what else is needed to make it again.
        children: the shapes of its parts.
    """

    type: Any
    context: Context
    children: tuple[TreeSpec, ...]

    @property
    def num_leaves(self) -> int:
        """How many leaves the tree has."""
        return sum(child.num_leaves for child in self.children)

    def is_leaf(self) -> bool:
        """Whether it is the shape of a leaf."""
        return False

    def unflatten(self, leaves: Iterable[Any]) -> PyTree:
        """The tree with these leaves.

        Args:
            leaves: as many as it has.
        """
        return tree_unflatten(leaves, self)


class LeafSpec(TreeSpec):
    """The shape of a tree that is a leaf."""

    def __init__(self) -> None:
        super().__init__(None, None, ())

    @property
    def num_leaves(self) -> int:
        """One."""
        return 1

    def is_leaf(self) -> bool:
        """True."""
        return True


def _take_apart(tree: PyTree, leaves: list[Any], is_leaf: IsLeaf) -> TreeSpec:
    node = None if is_leaf is not None and is_leaf(tree) else _node_of(tree)
    if node is None:
        leaves.append(tree)
        return LeafSpec()
    parts, context = node.flatten_fn(tree)
    return TreeSpec(type(tree), context, tuple(_take_apart(part, leaves, is_leaf) for part in parts))


def tree_flatten(tree: PyTree, is_leaf: IsLeaf = None) -> tuple[list[Any], TreeSpec]:
    """Take a tree apart.

    Args:
        tree: nested containers, or a leaf.
        is_leaf: tells of a container whether it is to count as a leaf.

    Returns:
        The leaves from left to right, and the shape.

    >>> from lamina.utils import _pytree
    >>> leaves, shape = _pytree.tree_flatten({"a": [1, 2], "b": (3,)})
    >>> leaves, shape.num_leaves
    ([1, 2, 3], 3)
    """
    leaves: list[Any] = []
    return leaves, _take_apart(tree, leaves, is_leaf)


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> PyTree:
    """Put a tree together.

    Args:
        leaves: from left to right.
        treespec: its shape.

    Returns:
        The tree.

    Raises:
        TypeError: the shape is none.
        ValueError: there are more or fewer leaves than it has.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_unflatten([4, 5], _pytree.tree_structure([1, (2,)]))
    [4, (5,)]
    """
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"tree_unflatten(leaves, treespec): Expected `treespec` to be instance of TreeSpec but got {type(treespec)}.")
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"tree_unflatten(leaves, treespec): `leaves` has length {len(leaves)}, but the shape has {treespec.num_leaves}")
    return _put_together(iter(leaves), treespec)


def _put_together(leaves: Any, spec: TreeSpec) -> PyTree:
    if spec.is_leaf():
        return next(leaves)
    node = SUPPORTED_NODES.get(spec.type, _NAMED)
    return node.unflatten_fn([_put_together(leaves, child) for child in spec.children], spec.context)


def tree_leaves(tree: PyTree, is_leaf: IsLeaf = None) -> list[Any]:
    """Return the leaves of a tree, from left to right.

    Args:
        tree, is_leaf: as for `tree_flatten`.

    Returns:
        A list.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_leaves([1, (2, None)])
    [1, 2, None]
    """
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree: PyTree, is_leaf: IsLeaf = None) -> Iterable[Any]:
    """Return an iterator of the leaves of a tree, from left to right.

    Args:
        tree, is_leaf: as for `tree_flatten`.

    Returns:
        An iterator.

    >>> from lamina.utils import _pytree
    >>> list(_pytree.tree_iter([1, (2,)]))
    [1, 2]
    """
    return iter(tree_leaves(tree, is_leaf))


def tree_structure(tree: PyTree, is_leaf: IsLeaf = None) -> TreeSpec:
    """Return the shape of a tree.

    Args:
        tree, is_leaf: as for `tree_flatten`.

    Returns:
        The shape, which equals that of another tree of the same containers.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_structure([1, 2]) == _pytree.tree_structure([3, 4])
    True
    """
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func: Callable[..., Any], tree: PyTree, *rests: PyTree, is_leaf: IsLeaf = None) -> PyTree:
    """Return a tree of the same shape, with what a function makes of each leaf.

    Args:
        func: takes a leaf of each tree.
        tree: the first tree.
        *rests: further ones of the same shape.
        is_leaf: tells of a container whether it is to count as a leaf.

    Returns:
        The tree.

    Raises:
        ValueError: the trees have different shapes.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_map(lambda a, b: a + b, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    others = []
    for rest in rests:
        other, shape = tree_flatten(rest, is_leaf)
        if shape != spec:
            raise ValueError(f"tree_map: the trees have different shapes, {spec} and {shape}")
        others.append(other)
    return tree_unflatten([func(*parts) for parts in zip(leaves, *others, strict=True)], spec)


def tree_map_(func: Callable[..., Any], tree: PyTree, *rests: PyTree, is_leaf: IsLeaf = None) -> PyTree:
    """Call a function with each leaf, for what it does, and return the tree itself.

    Args:
        func, tree, is_leaf: as for `tree_map`.
        *rests: further trees of the same shape.

    Returns:
        The same tree.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_map_(print, [1, 2])
    1
    2
    [1, 2]
    """
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(type_or_types_or_pred: Any, func: Callable[[Any], Any], tree: PyTree, is_leaf: IsLeaf = None) -> PyTree:
    """Return a tree of the same shape, with what a function makes of the leaves of some classes; others stay.

    Args:
        type_or_types_or_pred: a class, a tuple of them, or a function that tells of a leaf.
        func: takes such a leaf.
        tree, is_leaf: as for `tree_map`.

    Returns:
        The tree.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_map_only(int, lambda n: -n, [1, "a"])
    [-1, 'a']
    """
    wanted = type_or_types_or_pred
    if isinstance(wanted, type | tuple) or not callable(wanted):
        kinds = wanted
        wanted = lambda leaf: isinstance(leaf, kinds)
    return tree_map(lambda leaf: func(leaf) if wanted(leaf) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred: Callable[[Any], bool], tree: PyTree, is_leaf: IsLeaf = None) -> bool:
    """Tell whether something holds of all leaves.

    Args:
        pred: tells it of one.
        tree, is_leaf: as for `tree_map`.

    Returns:
        True or False.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_all(bool, [1, (0,)])
    False
    """
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred: Callable[[Any], bool], tree: PyTree, is_leaf: IsLeaf = None) -> bool:
    """Tell whether something holds of any leaf.

    Args:
        pred: tells it of one.
        tree, is_leaf: as for `tree_map`.

    Returns:
        True or False.

    >>> from lamina.utils import _pytree
    >>> _pytree.tree_any(bool, [1, (0,)])
    True
    """
    return any(map(pred, tree_leaves(tree, is_leaf)))


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
