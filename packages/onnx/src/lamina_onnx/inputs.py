"""The inputs of an export: their names, and which of their axes are dynamic."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lamina_tensor import Tensor

__all__ = ["Inputs", "Symbol", "named_inputs"]


@dataclass(frozen=True)
class Symbol:
    """A named size.

    Args:
        name: its name.
        axes: the inputs and their axes that have it.
        least, most: the sizes that are allowed; None where nobody says.
    """

    name: str
    axes: tuple[tuple[str, int], ...]
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Inputs:
    """The arguments of a model, with its tensors by name.

    Args:
        args, kwargs: the arguments.
        tensors: the tensors among them, in order.
        symbols: the named sizes.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    tensors: dict[str, Tensor]
    symbols: tuple[Symbol, ...]

    def others(self, tensors: Mapping[str, Tensor]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with other tensors in the places of these."""
        by_id = {id(x): tensors[name] for name, x in self.tensors.items()}

        def replaced(tree: Any) -> Any:
            if isinstance(tree, Tensor):
                return by_id[id(tree)]
            if isinstance(tree, tuple) and hasattr(tree, "_fields"):
                return type(tree)(*map(replaced, tree))
            if isinstance(tree, (list, tuple)):
                return type(tree)(map(replaced, tree))
            return {key: replaced(part) for key, part in tree.items()} if isinstance(tree, dict) else tree

        return replaced(self.args), replaced(self.kwargs)


def leaves(name: str, tree: Any) -> list[tuple[str, Tensor]]:
    """The tensors of an argument, named after it and their places in it."""
    if isinstance(tree, Tensor):
        return [(name, tree)]
    if isinstance(tree, dict):
        return [leaf for key, part in tree.items() for leaf in leaves(f"{name}_{key}", part)]
    if isinstance(tree, (list, tuple)):
        return [leaf for i, part in enumerate(tree) for leaf in leaves(f"{name}_{i}", part)]
    return []


def named_inputs(
    forward: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    input_names: Sequence[str] | None,
    dynamic_axes: Any,
    dynamic_shapes: Any,
) -> Inputs:
    """Name the tensors among the arguments of a model.

    Args:
        forward: what takes the arguments.
        args, kwargs: the arguments.
        input_names: names for the tensors in order, for the first of them where there are fewer.
        dynamic_axes: by input, axes with or without names for their sizes.
        dynamic_shapes: by parameter of `forward`, or in the order of `args`, the same.

    Raises:
        TypeError: the arguments do not fit `forward`.
        ValueError: there are more names than tensors, a name is there twice, or is none of an input; an axis is out of range.
    """
    bound = inspect.signature(forward).bind(*args, **kwargs)
    found: list[tuple[str, Tensor]] = []
    parameters = inspect.signature(forward).parameters
    for name, argument in bound.arguments.items():
        if parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            found += [leaf for key, part in argument.items() for leaf in leaves(key, part)]
        else:
            found += leaves(name, argument)
    if len({id(x) for _, x in found}) != len(found):
        raise ValueError("export: the same tensor is given twice; give a clone, as the graph has an input for each")
    names = [name for name, _ in found]
    if input_names is not None:
        if len(input_names) > len(found):
            raise ValueError(
                f"export: input_names: {len(input_names)}, but tensors among the arguments: {len(found)}, {names}"
            )
        names[: len(input_names)] = input_names
    if len(set(names)) != len(names):
        raise ValueError(f"export: inputs must have different names, got {names}")
    tensors = {name: x for name, (_, x) in zip(names, found, strict=True)}
    asked: list[tuple[str, int, Any]] = []
    for name, axes in (dynamic_axes or {}).items():
        if name in tensors:
            asked += (
                [(name, axis, None) for axis in axes]
                if not isinstance(axes, Mapping)
                else [(name, a, s) for a, s in axes.items()]
            )
    if dynamic_shapes is not None:
        positions = {id(x): name for name, x in tensors.items()}
        tree = (
            dynamic_shapes
            if isinstance(dynamic_shapes, Mapping)
            else dict(zip(bound.arguments, dynamic_shapes, strict=False))
        )
        for key, part in tree.items():
            if key in tensors and key not in bound.arguments:
                asked += asked_of(part, tensors[key], positions)
            elif key in bound.arguments:
                asked += asked_of(part, bound.arguments[key], positions)
            else:
                raise ValueError(f"export: dynamic_shapes names {key!r}, which is none of {list(bound.arguments)}")
    return Inputs(args, kwargs, tensors, symbols_of(asked, tensors))


def asked_of(part: Any, argument: Any, names: Mapping[int, str]) -> list[tuple[str, int, Any]]:
    """The dynamic axes that one part of `dynamic_shapes` asks for."""
    if part is None:
        return []
    if isinstance(argument, Tensor):
        pairs = part.items() if isinstance(part, Mapping) else enumerate(part)
        return [
            (names[id(argument)], axis, size) for axis, size in pairs if size is not None and not isinstance(size, int)
        ]
    below_it = [(key, argument[key]) for key in part] if isinstance(part, Mapping) else list(enumerate(argument))
    return [found for key, below in below_it for found in asked_of(part[key], below, names)]


def symbols_of(asked: Sequence[tuple[str, int, Any]], tensors: Mapping[str, Tensor]) -> tuple[Symbol, ...]:
    """The named sizes: axes that are called alike have the same one."""
    by_name: dict[str, Symbol] = {}
    for name, axis, size in asked:
        x = tensors[name]
        if not -x.ndim <= axis < x.ndim:
            raise ValueError(f"export: {name!r} of shape {tuple(x.shape)} has no axis {axis}")
        axis %= x.ndim
        told = size if isinstance(size, str) else getattr(size, "__name__", None)
        symbol = told if told is not None else f"{name}_dim_{axis}"
        before = by_name.get(symbol)
        axes = (*before.axes, (name, axis)) if before else ((name, axis),)
        lengths = {tensors[n].shape[a] for n, a in axes}
        if len(lengths) > 1:
            raise ValueError(f"export: the size {symbol!r} is {sorted(lengths)} in different inputs")
        if (name, axis) not in (before.axes if before else ()):
            by_name[symbol] = Symbol(symbol, axes, getattr(size, "min", None), getattr(size, "max", None))
    return tuple(by_name.values())
