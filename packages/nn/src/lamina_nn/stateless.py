"""Modules as functions of their parameters: called with others than their own, and with those of several stacked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor, no_grad

from .module import Module

__all__ = ["functional_call", "stack_module_state"]


def functional_call(
    module: Module, parameter_and_buffer_dicts: Any, args: Any = None, kwargs: dict[str, Any] | None = None, *,
    tie_weights: bool = True, strict: bool = False,
) -> Any:  # fmt: skip
    """Call a module with other parameters and buffers than its own, which do not change.

    Args:
        module: the module.
        parameter_and_buffer_dicts: a mapping from paths to tensors, or several with distinct paths.
        args: the argument, or a tuple of arguments.
        kwargs: keyword arguments.
        tie_weights: whether a tensor given for one path also replaces the parameter at its other paths.
        strict: whether every parameter and buffer must be given.

    Returns:
        What the module returns.

    Raises:
        ArgumentValueError: two mappings have a path in common.
        UsageError: there is no parameter or buffer at a path; or with `strict`, one is missing.

    >>> layer = torch.nn.Linear(2, 1, bias=False)
    >>> torch.func.functional_call(layer, {"weight": torch.tensor([[1.0, 2.0]])}, torch.tensor([3.0, 4.0]))
    tensor([11.])
    """
    by_path: dict[str, Tensor] = {}
    dicts = (
        [parameter_and_buffer_dicts] if isinstance(parameter_and_buffer_dicts, Mapping) else parameter_and_buffer_dicts
    )
    for tensors in dicts:
        for name, tensor in tensors.items():
            if name in by_path:
                raise ArgumentValueError(f"functional_call: {name!r} appears in several dictionaries")
            by_path[name] = tensor
    positional = args if isinstance(args, tuple) else () if args is None else (args,)
    with _replaced(module, by_path, tie_weights, strict):
        return module(*positional, **(kwargs or {}))


@contextmanager
def _replaced(module: Module, by_path: dict[str, Tensor], tie_weights: bool, strict: bool) -> Iterator[None]:
    places: dict[str, tuple[Any, str]] = {}
    for path, part in module.named_modules(remove_duplicate=False):
        for table in (part._parameters, part._buffers):
            for name in table:
                places[f"{path}.{name}" if path else name] = (table, name)
    unexpected = [name for name in by_path if name not in places]
    missing = [name for name in places if name not in by_path and places[name][0][places[name][1]] is not None]
    if unexpected or (strict and missing):
        raise UsageError(f"functional_call: unexpected keys {unexpected}; missing keys {missing if strict else []}")
    new = dict(by_path)
    if tie_weights:
        by_tensor = {id(places[name][0][places[name][1]]): tensor for name, tensor in by_path.items()}
        for name, (table, key) in places.items():
            if name not in new and table[key] is not None and id(table[key]) in by_tensor:
                new[name] = by_tensor[id(table[key])]
    before: list[tuple[Any, str, Any]] = [(table, key, table[key]) for table, key in (places[name] for name in new)]
    try:
        for name, tensor in new.items():
            places[name][0][places[name][1]] = tensor
        yield
    finally:
        for own, key, value in before:
            own[key] = value


def stack_module_state(models: Sequence[Module]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Stack the parameters and the buffers of models of one class, for `vmap` over `functional_call`.

    Args:
        models: the models.

    Returns:
        Two dicts from paths to tensors with a new first dim, (models, ...): parameters, which require gradients, and
        buffers.

    Raises:
        UsageError: there are no models, or they are of several classes.

    >>> parameters, buffers = torch.func.stack_module_state([torch.nn.Linear(3, 2) for _ in range(4)])
    >>> parameters["weight"].shape
    lamina.Size([4, 2, 3])
    """
    if not models:
        raise UsageError("stack_module_state: Expected at least one model, got 0.")
    if len({type(model) for model in models}) > 1:
        raise UsageError("stack_module_state: Expected all models to be of the same class.")
    with no_grad():
        parameters = {
            name: lt.stack([dict(model.named_parameters())[name] for model in models])
            for name, _ in models[0].named_parameters()
        }
        buffers = {
            name: lt.stack([dict(model.named_buffers())[name] for model in models])
            for name, _ in models[0].named_buffers()
        }
    for tensor in parameters.values():
        tensor.requires_grad = True
    return parameters, buffers
