"""The state of a model and its optimizer, by the names of parameters: in shards as it lies, or whole; and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor, no_grad

from ...module import Module
from ...module.state import IncompatibleKeys
from ...optim.optimizer import Optimizer
from ..distributed_tensor import DTensor
from .saving import refuse

__all__ = [
    "StateDictOptions", "get_model_state_dict", "get_optimizer_state_dict", "get_state_dict", "set_model_state_dict",
    "set_optimizer_state_dict", "set_state_dict",
]  # fmt: skip

Optimizers = Optimizer | Iterable[Optimizer]


@dataclass(frozen=True)
class StateDictOptions:
    """Say how the state of a model and its optimizer is collected.

    Args:
        full_state_dict: whether tensors are whole, in all processes; else they are in shards where those of the model are.
        cpu_offload: without effect, as shards lie in the host's memory.
        ignore_frozen_params, broadcast_from_rank0, flatten_optimizer_state_dict: False; True is not served.
        keep_submodule_prefixes: True; False is not served.
        strict: whether a name that is missing on either side is an error when a model's state is set.
        dsd_fqn_modifiers: without effect.

    Raises:
        OpNotImplemented: an option is not served.

    >>> torch.distributed.checkpoint.state_dict.StateDictOptions(full_state_dict=True).strict
    True
    """

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"

    def __post_init__(self) -> None:
        refuse(
            "StateDictOptions", ignore_frozen_params=self.ignore_frozen_params or None,
            broadcast_from_rank0=self.broadcast_from_rank0 or None, keep_submodule_prefixes=None if self.keep_submodule_prefixes else False,
            flatten_optimizer_state_dict=self.flatten_optimizer_state_dict or None,
        )  # fmt: skip


def get_model_state_dict(
    model: Module, *, submodules: set[Module] | None = None, options: StateDictOptions | None = None
) -> dict[str, Any]:
    """Return a model's state by name. With `full_state_dict`, all processes call it.

    Args:
        model: the model.
        submodules: None; others are not served.
        options: whether tensors are whole; by default they are in shards.

    Returns:
        A dict from names to tensors.

    Raises:
        OpNotImplemented: `submodules` are given.

    >>> from lamina.distributed.checkpoint.state_dict import get_model_state_dict
    >>> list(get_model_state_dict(torch.nn.Linear(3, 2)))
    ['weight', 'bias']
    """
    refuse("get_model_state_dict", submodules=submodules)
    return _placed(dict(model.state_dict()), options)  # type: ignore[no-any-return]


def get_optimizer_state_dict(
    model: Module, optimizers: Optimizers, *, submodules: set[Module] | None = None, options: StateDictOptions | None = None
) -> dict[str, Any]:
    """Return the state of optimizers by the names of the model's parameters. With `full_state_dict`, all processes call it.

    An optimizer that has made no step yet gets a state first, by a step with zeros for gradients and for the learning rate.

    Args:
        model: the model.
        optimizers: the optimizer, or several.
        submodules: None; others are not served.
        options: whether tensors are whole; by default they are in shards.

    Returns:
        A dict of `state`, by name of the parameter, and `param_groups`.

    Raises:
        ArgumentValueError: an optimizer has a parameter that the model has not.
        OpNotImplemented: `submodules` are given.

    >>> from lamina.distributed.checkpoint.state_dict import get_optimizer_state_dict
    >>> model = torch.nn.Linear(3, 2)
    >>> state = get_optimizer_state_dict(model, torch.optim.Adam(model.parameters()))
    >>> list(state["state"]["weight"])
    ['step', 'exp_avg', 'exp_avg_sq']
    """
    refuse("get_optimizer_state_dict", submodules=submodules)
    names = {id(p): name for name, p in model.named_parameters()}
    result: dict[str, Any] = {"state": {}, "param_groups": []}
    for optimizer in _listed(optimizers):
        _begin(optimizer)
        for group in optimizer.param_groups:
            named = [_name_of(p, names, "get_optimizer_state_dict") for p in group["params"]]
            settings = {key: value for key, value in group.items() if key not in ("params", "param_names")}
            result["param_groups"].append({**settings, "params": named})
            result["state"].update({name: dict(optimizer.state[p]) for name, p in zip(named, group["params"], strict=True)})
    return _placed(result, options)  # type: ignore[no-any-return]


def get_state_dict(
    model: Module, optimizers: Optimizers, *, submodules: set[Module] | None = None, options: StateDictOptions | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the state of a model and that of its optimizers, as `torch.distributed.checkpoint.save` and `load` take them.

    Args:
        model: the model.
        optimizers: the optimizer, or several.
        submodules: None; others are not served.
        options: whether tensors are whole; by default they are in shards.

    Returns:
        A pair of dicts.

    Raises:
        ArgumentValueError: an optimizer has a parameter that the model has not.
        OpNotImplemented: `submodules` are given.

    >>> from lamina.distributed.checkpoint.state_dict import get_state_dict
    >>> model = torch.nn.Linear(3, 2)
    >>> _, state = get_state_dict(model, torch.optim.SGD(model.parameters(), lr=0.1))
    >>> state["param_groups"][0]["params"]
    ['weight', 'bias']
    """
    refuse("get_state_dict", submodules=submodules)
    return get_model_state_dict(model, options=options), get_optimizer_state_dict(model, optimizers, options=options)


def set_model_state_dict(
    model: Module, model_state_dict: dict[str, Any], *, options: StateDictOptions | None = None
) -> IncompatibleKeys:
    """Load a model's state, in shards or whole; of whole tensors, each process takes its part.

    Args:
        model: the model.
        model_state_dict: as of `get_model_state_dict`.
        options: whether names that are missing are an error.

    Returns:
        A named tuple of `missing_keys` and `unexpected_keys`.

    Raises:
        UsageError: a shape differs, or a name is missing.

    >>> from lamina.distributed.checkpoint.state_dict import get_model_state_dict, set_model_state_dict
    >>> model = torch.nn.Linear(3, 2)
    >>> set_model_state_dict(model, get_model_state_dict(torch.nn.Linear(3, 2)))
    <All keys matched successfully>
    """
    return model.load_state_dict(model_state_dict, strict=options is None or options.strict)


def set_optimizer_state_dict(
    model: Module, optimizers: Optimizers, optim_state_dict: dict[str, Any], *, options: StateDictOptions | None = None
) -> None:
    """Load the state of optimizers, in shards or whole; of whole tensors, each process takes its part.

    Args:
        model: the model.
        optimizers: the optimizer, or several.
        optim_state_dict: as of `get_optimizer_state_dict`.
        options: without effect.

    Raises:
        ArgumentValueError: it has not the state of a parameter, or other groups of parameters.

    >>> from lamina.distributed.checkpoint.state_dict import get_optimizer_state_dict, set_optimizer_state_dict
    >>> model = torch.nn.Linear(3, 2)
    >>> state = get_optimizer_state_dict(model, torch.optim.Adam(model.parameters(), lr=0.5))
    >>> optimizer = torch.optim.Adam(model.parameters())
    >>> set_optimizer_state_dict(model, optimizer, state)
    >>> optimizer.param_groups[0]["lr"]
    0.5
    """
    names = {id(p): name for name, p in model.named_parameters()}
    saved_groups = {tuple(group["params"]): group for group in optim_state_dict["param_groups"]}
    listed = _listed(optimizers)
    groups = [(optimizer, group) for optimizer in listed for group in optimizer.param_groups]
    named = [tuple([_name_of(p, names, "set_optimizer_state_dict") for p in group["params"]]) for _, group in groups]
    for each in named:
        if each not in saved_groups or not set(each) <= set(optim_state_dict["state"]):
            raise ArgumentValueError(f"set_optimizer_state_dict: there is no group, or no state, of the parameters {list(each)}")
    for optimizer in listed:
        _begin(optimizer)
    for (optimizer, group), each in zip(groups, named, strict=True):
        group.update({key: value for key, value in saved_groups[each].items() if key != "params"})
        for name, p in zip(each, group["params"], strict=True):
            _overwrite(optimizer.state[p], optim_state_dict["state"][name])


def set_state_dict(
    model: Module, optimizers: Optimizers, *, model_state_dict: dict[str, Any], optim_state_dict: dict[str, Any],
    options: StateDictOptions | None = None,
) -> IncompatibleKeys:  # fmt: skip
    """Load the state of a model and that of its optimizers.

    Args:
        model: the model.
        optimizers: the optimizer, or several.
        model_state_dict, optim_state_dict: as of `get_state_dict`.
        options: whether names of the model that are missing are an error.

    Returns:
        A named tuple of `missing_keys` and `unexpected_keys` of the model.

    Raises:
        UsageError: a shape of the model differs, or a name is missing.
        ArgumentValueError: the state of a parameter is missing, or the groups differ.

    >>> from lamina.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
    >>> model = torch.nn.Linear(3, 2)
    >>> optimizer = torch.optim.Adam(model.parameters())
    >>> state, steps = get_state_dict(model, optimizer)
    >>> set_state_dict(model, optimizer, model_state_dict=state, optim_state_dict=steps)
    <All keys matched successfully>
    """
    keys = set_model_state_dict(model, model_state_dict, options=options)
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return keys


def _listed(optimizers: Optimizers) -> list[Optimizer]:
    return [optimizers] if isinstance(optimizers, Optimizer) else list(optimizers)


def _name_of(p: Tensor, names: dict[int, str], caller: str) -> str:
    if id(p) not in names:
        raise ArgumentValueError(f"{caller}: an optimizer has a parameter that the model has not")
    return names[id(p)]


def _begin(optimizer: Optimizer) -> None:
    """Give an optimizer that has made no step the state that it has after one."""
    if optimizer.state:
        return
    gradients = [(p, p._grad) for group in optimizer.param_groups for p in group["params"]]
    rates = [group["lr"] for group in optimizer.param_groups]
    try:
        for p, _ in gradients:
            p._grad = lt.zeros_like(p.detach())
        for group in optimizer.param_groups:
            group["lr"] = lt.zeros_like(group["lr"]) if isinstance(group["lr"], Tensor) else 0.0
        optimizer.step()
    finally:
        for p, gradient in gradients:
            p._grad = gradient
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate


def _overwrite(state: dict[str, Any], saved: dict[str, Any]) -> None:
    """Copy tensors into those that are there, and take the rest over."""
    with no_grad():
        for key, value in saved.items():
            if isinstance(value, Tensor) and isinstance(state.get(key), Tensor):
                state[key].copy_(value)
            else:
                state[key] = value


def _placed(value: Any, options: StateDictOptions | None) -> Any:
    """The state with whole tensors, if these are wanted."""
    if options is None or not options.full_state_dict:
        return value
    if isinstance(value, dict):
        return {key: _placed(part, options) for key, part in value.items()}
    if isinstance(value, list):
        return [_placed(part, options) for part in value]
    return value.full_tensor() if isinstance(value, DTensor) else value
