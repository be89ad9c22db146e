"""Optimizer: groups of parameters with their settings, state per parameter, and the step over all groups."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, TypeVar, overload

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, UsageError
from lamina_flatarray.modes import INSIDE, NO_GRAD, switched
from lamina_tensor import Tensor, enable_grad
from lamina_tensor.autograd.node import RemovableHandle
from lamina_tensor.dispatch.torch_function import overriding_classes

from .for_subclasses import SubclassMethods
from .hooks import Hooks, hooked, hung
from .memory.counters import counter
from .memory.gathering import real
from .memory.repeats import Repeats
from .memory.saved_state import packed, unpacked

__all__ = ["Optimizer", "required"]


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


required: Final = _Required()
"""In `defaults`: a setting that every group must give."""

_HOOKS: Final = ("_before_step", "_after_step", "_before_saving", "_after_saving", "_before_loading", "_after_loading")

T = TypeVar("T")


class Optimizer(SubclassMethods):
    """Base class of optimizers: groups of parameters with their settings, and a state per parameter.

    A subclass overrides `step`, or defines what a step does with one parameter in `_start` and `_update`.

    Args:
        params: tensors, pairs of name and tensor, or dicts with a `params` entry of either kind and settings of their own.
        defaults: the settings of groups that do not have their own.

    Attributes:
        param_groups: dicts with `params` and the settings; `param_names` if names were given.
        state: per parameter, what the optimizer remembers.

    Raises:
        TypeError: what is given are not tensors, or not in a sequence.
        ValueError: there are no parameters, one is in two groups or the result of a recorded op, some have names and
            others none, or a required setting is missing.

    >>> class SignSGD(torch.optim.Optimizer):
    ...     @torch.no_grad()
    ...     def step(self, closure=None):
    ...         for group in self.param_groups:
    ...             for p in group["params"]:
    ...                 p.sub_(group["lr"] * p.grad.sign())
    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = SignSGD([weight], {"lr": 0.5})
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.5000, -1.5000], requires_grad=True)
    """

    param_groups: list[dict[str, Any]]
    state: defaultdict[Any, Any]
    defaults: dict[str, Any]

    _scalars: ClassVar[tuple[str, ...]] = ("step",)
    """The entries of a parameter's state that are counted, not computed item by item."""

    _opt_called: bool = False  # schedulers watch it
    _stepping: bool = False
    _before_step: Hooks
    _after_step: Hooks
    _before_saving: Hooks
    _after_saving: Hooks
    _before_loading: Hooks
    _after_loading: Hooks
    _repeats: Repeats

    def __init_subclass__(cls, **params: Any) -> None:
        super().__init_subclass__(**params)
        if "step" in cls.__dict__ and not hasattr(cls.step, "hooked"):
            cls.step = hooked(cls.step)  # type: ignore[method-assign]

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor) or not isinstance(params, Iterable):
            mend = "; give it model.parameters()" if hasattr(params, "parameters") else ""
            raise ArgumentTypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                f"{type(params).__name__}{mend}"
            )
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        self._add_hooks()
        groups = list(params)
        if not groups:
            raise ArgumentValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def _add_hooks(self) -> None:
        for name in _HOOKS:
            self.__dict__.setdefault(name, {})
        self._repeats = Repeats()

    # -- groups ---------------------------------------------------------------------------------------------------------

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters; settings that it lacks are set to the defaults, in the dict itself.

        Args:
            param_group: a dict with an entry `params` (a tensor, or a list of tensors or of pairs of name and tensor), and settings
                such as `lr` for them.

        Raises:
            TypeError, ValueError: as for the constructor.
        """
        if not isinstance(param_group, dict):
            raise ArgumentTypeError(f"param_group must be a dict, but got {type(param_group)}")
        parameters = param_group["params"]
        if isinstance(parameters, set):
            raise ArgumentTypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets "
                "will change between runs. Please use a list instead."
            )
        items = [parameters] if isinstance(parameters, Tensor) else list(parameters)
        params = [item[1] if isinstance(item, tuple) else item for item in items]
        names = [item[0] for item in items if isinstance(item, tuple)]
        if names and len(names) != len(params):
            raise ArgumentValueError("all optimizer params should be with/without names. Some param names are missing")
        self._check_tensors(params)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ArgumentValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        param_group["params"] = params
        if names:
            param_group["param_names"] = names
        self._check_group(param_group)
        self.param_groups.append(param_group)

    def _check_tensors(self, params: list[Any]) -> None:
        for p in params:
            if not isinstance(p, Tensor):
                raise ArgumentTypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if not p.is_leaf and not (self.defaults.get("differentiable") or p.retains_grad):
                raise ArgumentValueError("can't optimize a non-leaf Tensor")

    def _check_group(self, group: dict[str, Any]) -> None:
        """Refuse a group that does not go together with the others."""
        own = {id(p) for p in group["params"]}
        if len(own) != len(group["params"]):
            warnings.warn("optimizer contains a parameter group with duplicate parameters", stacklevel=5)
        for other in self.param_groups:
            if ("param_names" in group) != ("param_names" in other):
                kind = "with names" if "param_names" in group else "without names"
                raise ArgumentValueError(
                    f"all optimizer param groups should be with/without names. cannot add param group {kind} to the optimizer"
                )
            if not own.isdisjoint(id(p) for p in other["params"]):
                raise ArgumentValueError("some parameters appear in more than one parameter group")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters.

        Args:
            set_to_none: whether gradients become None; else they are set to zero in place.
        """
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p._grad = None
                elif p._grad is not None:
                    if p._grad.is_leaf:
                        p._grad.requires_grad = False
                    else:
                        p._grad.detach_()
                    p._grad.zero_()

    # -- the step -------------------------------------------------------------------------------------------------------

    @overload
    def step(self, closure: None = None) -> None: ...
    @overload
    def step(self, closure: Callable[[], T]) -> T: ...
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient.

        Args:
            closure: if given, called first to compute the loss, which is returned.

        Returns:
            What the closure returned; None without one.
        """
        loss = None
        if closure is not None:
            with enable_grad(), switched(INSIDE, False):
                loss = closure()
        with switched(NO_GRAD, not self.defaults.get("differentiable")):
            for group in self.param_groups:
                params = [p for p in group["params"] if p._grad is not None]
                if not params:
                    continue
                try:
                    if overriding_classes and any(p._grad.is_sparse for p in params):
                        self._step_mixed(group, params)
                    elif not self._repeats.step_again(group):
                        self._step_group(group, params)
                except Exception as error:
                    error.add_note(f"in {type(self).__name__}.step()")
                    raise
        return loss

    def _step_mixed(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Change the parameters of a group of which some have sparse gradients; those first, as they may be refused."""
        self._step_sparse(group, [p for p in params if p._grad.is_sparse])  # type: ignore[union-attr]
        dense = [p for p in params if not p._grad.is_sparse]  # type: ignore[union-attr]
        if dense:
            self._step_group(group, dense)

    def _step_sparse(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Change the parameters whose gradients are sparse.

        Raises:
            UsageError: the optimizer takes none.
        """
        name = type(self).__name__
        advice = ", please consider SparseAdam instead" if name == "Adam" else ""
        raise UsageError(f"{name} does not support sparse gradients{advice}")

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Change the parameters of a group that have gradients."""
        for p in params:
            state, gradient = self._state_of(p, group), p._grad
            assert gradient is not None
            if group.get("maximize"):
                gradient = -gradient
            if p.dtype.is_complex:
                self._update(real(p), real(gradient), {k: real(v) for k, v in state.items()}, group)
            else:
                self._update(p, gradient, state, group)

    def _state_of(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        state: dict[str, Any] = self.state[p]
        if not state:
            state.update(self._start(p, group))
        return state

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """What is remembered of a parameter before its first step."""
        return {}

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Change one parameter and its state in place. All are real: the parts of complex ones are parameters of their own.
        The step is recorded where `differentiable` is set."""
        raise NotImplementedError(f"{type(self).__name__} defines no step")

    # -- state ----------------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return settings and state with parameters numbered in order, as PyTorch's; tensors are shared.

        Returns:
            A dict of `state`, by number of the parameter, and `param_groups`, a list of dicts of settings.
        """
        for hook in self._before_saving.values():
            hook(self)
        saved = packed(self.state, self.param_groups)
        for hook in self._after_saving.values():
            saved = _replaced(saved, hook(self, saved))
        return saved

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over settings and state from another optimizer's `state_dict`, tensors copied; all of it, or nothing.

        Args:
            state_dict: what `state_dict` returned.

        Raises:
            ValueError: the groups differ in number or in size.
        """
        saved = dict(state_dict)
        for hook in self._before_loading.values():
            saved = _replaced(saved, hook(self, saved))
        self.__setstate__(unpacked(saved, self.param_groups))
        for hook in self._after_loading.values():
            hook(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._add_hooks()
        for group in self.param_groups:  # those of older versions lack settings, and count in Python's numbers
            for name, default in self.defaults.items():
                group.setdefault(name, default)
            for p in group["params"]:
                entries = self.state.get(p, {})
                for name in self._scalars:
                    if name in entries and not isinstance(entries[name], Tensor):
                        entries[name] = counter(entries[name], p, group)

    # -- hooks ----------------------------------------------------------------------------------------------------------

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before every step; it may return other `(args, kwargs)`.

        Args:
            hook: the function.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        return hung(self._before_step, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after every step.

        Args:
            hook: the function; what it returns is ignored.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        return hung(self._after_step, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict`.

        Args:
            hook: the function; what it returns is ignored.
            prepend: whether it is called before the hooks registered earlier.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        return hung(self._before_saving, hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after `state_dict`; it may return another one.

        Args:
            hook: the function.
            prepend: whether it is called before the hooks registered earlier.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        return hung(self._after_saving, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before `load_state_dict`, on a shallow copy; it may return another one.

        Args:
            hook: the function.
            prepend: whether it is called before the hooks registered earlier.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        return hung(self._before_loading, hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` after `load_state_dict`.

        Args:
            hook: the function; what it returns is ignored.
            prepend: whether it is called before the hooks registered earlier.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        return hung(self._after_loading, hook, prepend)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {key}: {value}\n" for key, value in sorted(group.items()) if key != "params")
        return text + ")"


Optimizer.step = hooked(Optimizer.step)  # type: ignore[method-assign]


def _replaced(saved: dict[str, Any], other: dict[str, Any] | None) -> dict[str, Any]:
    return saved if other is None else other
