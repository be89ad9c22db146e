"""The state of an optimizer as a dict, in PyTorch's format, and back: parameters are numbered in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

__all__ = ["packed", "unpacked"]

Groups = list[dict[str, Any]]


def packed(state: dict[Any, Any], groups: Groups) -> dict[str, Any]:
    """Settings and state, the tensors of which are shared."""
    numbers: dict[int, int] = {}
    for group in groups:
        for p in group["params"]:
            numbers.setdefault(id(p), len(numbers))
    return {
        "state": {numbers[id(p)] if isinstance(p, Tensor) else p: entries for p, entries in state.items()},
        "param_groups": [
            {**{k: v for k, v in group.items() if k != "params"}, "params": [numbers[id(p)] for p in group["params"]]}
            for group in groups
        ],
    }


def unpacked(saved: dict[str, Any], groups: Groups) -> dict[str, Any]:
    """The state and the groups of an optimizer that has the parameters of `groups`, the tensors copied.

    Raises:
        ValueError: the groups differ in number or in size.
    """
    loaded = saved["param_groups"]
    if len(groups) != len(loaded):
        raise ArgumentValueError("loaded state dict has a different number of parameter groups")
    if any(len(group["params"]) != len(other["params"]) for group, other in zip(groups, loaded, strict=True)):
        raise ArgumentValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
    of_number: dict[Any, tuple[Tensor, bool]] = {}
    for group, other in zip(groups, loaded, strict=True):
        device_counts = bool(other.get("fused") or other.get("capturable"))
        for p, number in zip(group["params"], other["params"], strict=True):
            of_number[number] = p, device_counts
    state: defaultdict[Any, Any] = defaultdict(dict)
    for number, entries in saved["state"].items():
        if number in of_number:
            p, device_counts = of_number[number]
            state[p] = _taken(entries, p, device_counts)
        else:
            state[number] = entries
    merged = [{**_names(group), **_copied(other), "params": group["params"]} for group, other in zip(groups, loaded, strict=True)]
    return {"state": state, "param_groups": merged}


def _taken(value: Any, p: Tensor, device_counts: bool, key: Any = None) -> Any:
    """A value of the state of parameter `p`, in its dtype and on its device; counts keep theirs, unless they belong there."""
    if isinstance(value, Tensor):
        if key == "step":
            dtype, device = (nd.float32, p.device) if device_counts else (value.dtype, value.device)
        else:
            dtype, device = p.dtype if p.is_floating_point() else value.dtype, p.device
        return value.detach().clone().to(dtype=dtype, device=device)
    if isinstance(value, dict):
        return {k: _taken(v, p, device_counts, k) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return type(value)(_taken(v, p, device_counts) for v in value)  # type: ignore[call-arg]
    return value


def _copied(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings whose tensors, and lists of them, are not shared with those given."""
    return {k: _copy(v) for k, v in settings.items()}


def _copy(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if type(value) in (list, tuple):
        return type(value)(_copy(v) for v in value)
    return value


def _names(group: dict[str, Any]) -> dict[str, Any]:
    """The names of a group's parameters, which stay where the loaded settings have none."""
    return {"param_names": group["param_names"]} if "param_names" in group else {}
