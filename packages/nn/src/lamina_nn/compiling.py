"""What compiled functions are told of modules and optimizers: their hooks, and what a program calls again as it is."""

from __future__ import annotations

from typing import Any

from lamina_tensor.compiling.compiled import compiled
from lamina_tensor.compiling.exporting import exported_function
from lamina_tensor.compiling.recordings.effects import Action, actions, checks
from lamina_tensor.compiling.recordings.own_code import is_own, own
from lamina_tensor.compiling.recordings.state import everywhere

from .functional.losses.classification import check_probabilities
from .module.hooks import GLOBAL
from .module.walks import Walks
from .optim.hooks import AFTER_STEPS, BEFORE_STEPS
from .optim.lr_scheduler.scheduler import LRScheduler
from .optim.optimizer import Optimizer

__all__ = ["compiled", "exported_function"]

own.add(__name__.partition(".")[0])
everywhere.extend([*GLOBAL.values(), BEFORE_STEPS, AFTER_STEPS])


def _step(names: dict[str, Any]) -> Action | None:
    """A step of an optimizer, if it is nothing but that: without a closure, hooks, a record, or code of the user's."""
    (optimizer, *given), hooks = names["args"], (BEFORE_STEPS, AFTER_STEPS)
    own_hooks = [vars(optimizer).get(name) for name in ("_before_step", "_after_step")]
    if given or names["kwargs"] or any((*hooks, *own_hooks)) or None in own_hooks or optimizer.defaults.get("differentiable"):
        return None
    return Action(optimizer, "step", looked_at=[*own_hooks, optimizer.defaults]) if is_own(type(optimizer).__module__) else None


def _cleared_by_optimizer(names: dict[str, Any]) -> Action | None:
    optimizer, to_none = names["self"], names["set_to_none"]
    own_hooks = [vars(optimizer).get(name) for name in ("_before_step", "_after_step")]

    def cleared() -> list[Any]:
        return [p for group in optimizer.param_groups for p in group["params"]] if to_none else []

    known = is_own(type(optimizer).__module__)
    return Action(optimizer, "zero_grad", (to_none,), cleared, [*own_hooks, optimizer.defaults]) if known else None


def _cleared_by_module(names: dict[str, Any]) -> Action:
    module, to_none = names["self"], names["set_to_none"]
    return Action(module, "zero_grad", (to_none,), lambda: module.parameters() if to_none else ())


def _scheduled(names: dict[str, Any]) -> Action | None:
    scheduler = names["self"]
    known = names["epoch"] is None and is_own(type(scheduler).__module__)
    return Action(scheduler, "step", looked_at=[]) if known else None


actions[LRScheduler.step.__code__] = _scheduled
actions[Optimizer.step.__code__] = _step
actions[Optimizer.zero_grad.__code__] = _cleared_by_optimizer
actions[Walks.zero_grad.__code__] = _cleared_by_module
checks[check_probabilities.__code__] = check_probabilities
