"""Functions that users hang on optimizers: called before and after steps, of one optimizer or of all."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from lamina_flatarray import UsageError
from lamina_flatarray.modes import INSIDE, STRICT, switched, word
from lamina_tensor.autograd.node import RemovableHandle

from .memory.repeats import repeating

__all__ = [
    "AFTER_STEPS", "BEFORE_STEPS", "hooked", "hung", "register_optimizer_step_post_hook",
    "register_optimizer_step_pre_hook",
]  # fmt: skip

Hooks = dict[Any, Callable[..., Any]]

BEFORE_STEPS: Hooks = {}
"""Called before the steps of all optimizers."""

AFTER_STEPS: Hooks = {}
"""Called after the steps of all optimizers."""


def hung(hooks: Hooks, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
    """Add a hook behind the others, or before them; the handle takes it away."""
    earlier = dict(hooks)
    if prepend:
        hooks.clear()
    handle = RemovableHandle(hooks, hook)
    if prepend:
        hooks.update(earlier)
    return handle


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before every step of every optimizer; it may return other `(args, kwargs)`.

    As in PyTorch, `args` begins with the optimizer itself.

    Args:
        hook: the function.

    Returns:
        A handle whose `remove()` takes the hook away.

    >>> optimizer = torch.optim.SGD([torch.ones(2, requires_grad=True)])
    >>> handle = torch.optim.optimizer.register_optimizer_step_pre_hook(lambda o, args, kwargs: print("before", type(o).__name__))
    >>> optimizer.step()
    before SGD
    >>> handle.remove()
    """
    return hung(BEFORE_STEPS, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after every step of every optimizer.

    Args:
        hook: the function; what it returns is ignored.

    Returns:
        A handle whose `remove()` takes the hook away.

    >>> optimizer = torch.optim.SGD([torch.ones(2, requires_grad=True)])
    >>> handle = torch.optim.optimizer.register_optimizer_step_post_hook(lambda o, args, kwargs: print("after", type(o).__name__))
    >>> optimizer.step()
    after SGD
    >>> handle.remove()
    """
    return hung(AFTER_STEPS, hook)


def _as_hooks_want(optimizer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call the hooks before a step; return what the step is given then."""
    for hook in (*BEFORE_STEPS.values(), *vars(optimizer).get("_before_step", {}).values()):
        changed = hook(optimizer, args, kwargs)
        if changed is not None:
            if not (isinstance(changed, tuple) and len(changed) == 2):
                raise UsageError(f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {changed}.")
            args, kwargs = changed
    return args, kwargs


def hooked(function: Callable[..., Any]) -> Callable[..., Any]:
    """A `step` that calls the hooks. Where a subclass's step calls its base's, they are called once.

    Raises (when called):
        RuntimeError: a hook before the step returns something else than None or a pair.
    """

    own = function.__module__.startswith("lamina_nn.")  # else strict mode looks at it as at any of the user's code

    @wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:
        optimizer = args[0]
        if optimizer._stepping:
            return function(*args, **kwargs)
        optimizer._opt_called = optimizer._stepping = True
        own_hooks = vars(optimizer)  # without any where a subclass that wraps another optimizer calls no constructor
        try:
            if BEFORE_STEPS or own_hooks.get("_before_step"):
                args, kwargs = _as_hooks_want(optimizer, args, kwargs)
            if word.get() & STRICT:
                with switched(INSIDE, own):
                    result = function(*args, **kwargs)
            else:
                result = function(*args, **kwargs)
        finally:
            optimizer._stepping = False
        if AFTER_STEPS or own_hooks.get("_after_step"):
            for hook in (*own_hooks.get("_after_step", {}).values(), *AFTER_STEPS.values()):
                hook(optimizer, args, kwargs)
        return result

    step.hooked = True  # type: ignore[attr-defined]
    return repeating(step, BEFORE_STEPS, AFTER_STEPS) if own else step
