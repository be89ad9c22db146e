"""Optimizer: groups of parameters with their settings, and state per parameter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from lamina_flatarray import AutogradError, CheckpointError
from lamina_tensor import Tensor, enable_grad, no_grad

__all__ = ["Optimizer"]


class Optimizer:
    """What optimizers share. A subclass gives `_step_group`.

    Args:
        params: tensors, or dicts with a `params` entry and settings of their own.
        defaults: the settings of groups that do not have their own.

    Attributes:
        param_groups: dicts with `params` and the settings.
        state: per parameter, what the optimizer remembers.

    Raises:
        ValueError: there are no parameters, or one is in two groups.
        AutogradError: a parameter is the result of a recorded op.
    """

    param_groups: list[dict[str, Any]]
    state: defaultdict[Tensor, dict[str, Any]]

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, not one Tensor"
            )
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """One more group; settings that it lacks are the defaults."""
        params = param_group["params"]
        group = {**self.defaults, **param_group, "params": [params] if isinstance(params, Tensor) else list(params)}
        known = {id(p) for other in self.param_groups for p in other["params"]}
        for p in group["params"]:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if not p.is_leaf:
                raise AutogradError("can't optimize a non-leaf Tensor")
            if id(p) in known:
                raise ValueError("some parameters appear in more than one parameter group")
            known.add(id(p))
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p._grad = None
                elif p._grad is not None:
                    p._grad.detach().zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient.

        Args:
            closure: if given, called first to compute the loss, which is returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                params = [p for p in group["params"] if p._grad is not None]
                for alike in _alike(params):
                    try:
                        self._step_group(group, alike)
                    except Exception as error:
                        error.add_note(f"in {type(self).__name__}.step()")
                        raise
        return loss

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Change parameters of one dtype and device, all of which have gradients."""
        raise NotImplementedError(f"{type(self).__name__} defines no step")

    def state_dict(self) -> dict[str, Any]:
        """Settings and state with parameters numbered in order, as PyTorch's."""
        numbers = {id(p): i for i, p in enumerate(p for group in self.param_groups for p in group["params"])}
        return {
            "state": {numbers[id(p)]: dict(state) for p, state in self.state.items()},
            "param_groups": [
                {
                    **{k: v for k, v in group.items() if k != "params"},
                    "params": [numbers[id(p)] for p in group["params"]],
                }
                for group in self.param_groups
            ],
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take settings and state from another optimizer's `state_dict`; all of it, or nothing.

        Raises:
            CheckpointError: the groups differ in number or in size.
        """
        saved = state_dict["param_groups"]
        if [len(g["params"]) for g in saved] != [len(g["params"]) for g in self.param_groups]:
            raise CheckpointError(
                "loaded state dict has parameter groups that don't match the size of optimizer's group"
            )
        params = [p for group in self.param_groups for p in group["params"]]
        numbers = [n for group in saved for n in group["params"]]
        of_number = dict(zip(numbers, params, strict=True))
        state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        for number, entries in state_dict["state"].items():
            p = of_number[number]
            state[p] = {k: v.clone() if isinstance(v, Tensor) else v for k, v in entries.items()}
        for group, other in zip(self.param_groups, saved, strict=True):
            group.update({k: v for k, v in other.items() if k != "params"})
        self.state = state

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {key}: {value}" for key, value in sorted(group.items()) if key != "params"]
        return "\n".join([*lines, ")"])


def _alike(params: list[Tensor]) -> Iterable[list[Tensor]]:
    """Parameters by kernel table: one kernel call serves one dtype on one device."""
    found: dict[Any, list[Tensor]] = {}
    for p in params:
        found.setdefault(p.array.flat.kernels, []).append(p)
    return found.values()
