"""A module's state: its parameters, persistent buffers and extra state by path, and how they are loaded again."""

from __future__ import annotations

import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lamina_flatarray import ArgumentTypeError, UsageError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.autograd.node import RemovableHandle

from ..lazy_parameter import is_lazy
from ..parameter import Parameter

if TYPE_CHECKING:
    from .module import Module

__all__ = ["IncompatibleKeys", "State"]

_EXTRA_STATE_KEY_SUFFIX: Final = "_extra_state"


class IncompatibleKeys(NamedTuple):
    """The paths that `load_state_dict` missed, and those that it had no use for."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not any(self):
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"


class _Pending(threading.local):
    """What is to be written once a whole state is known to fit; None while none is being loaded."""

    writes: list[Callable[[], Any]] | None = None


_pending: Final = _Pending()


class State:
    """Save and load the parameters and buffers of a Module and of all modules below it.

    >>> source, target = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    >>> list(source.state_dict())
    ['weight', 'bias']
    >>> target.load_state_dict(source.state_dict())
    <All keys matched successfully>
    >>> torch.equal(target.weight, source.weight)
    True
    """

    _version: int = 1
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    if TYPE_CHECKING:  # what is read at run time must be known there
        _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]
    _state_dict_pre_hooks: OrderedDict[int, Callable[..., Any]]
    _state_dict_hooks: OrderedDict[int, Callable[..., Any]]
    _load_state_dict_pre_hooks: OrderedDict[int, Callable[..., Any]]
    _load_state_dict_post_hooks: OrderedDict[int, Callable[..., Any]]

    def get_extra_state(self) -> Any:
        """Return what else is saved with the module; a subclass defines it together with `set_extra_state`.

        Returns:
            Anything that can be pickled.

        Raises:
            UsageError: the subclass does not define it.

        >>> class Counter(torch.nn.Module):
        ...     count = 3
        ...
        ...     def get_extra_state(self):
        ...         return self.count
        >>> Counter().state_dict()["_extra_state"]
        3
        """
        raise UsageError(
            "Reached a code path in Module.get_extra_state() that should never be called: define it in the module's class"
        )

    def set_extra_state(self, state: Any) -> None:
        """Load what `get_extra_state` returned; a subclass defines it.

        Args:
            state: what was saved.

        Raises:
            UsageError: the subclass does not define it.

        >>> class Counter(torch.nn.Module):
        ...     def set_extra_state(self, state):
        ...         self.count = state
        >>> counter = Counter()
        >>> counter.load_state_dict({"_extra_state": 3})
        <All keys matched successfully>
        >>> counter.count
        3
        """
        raise UsageError(
            "Reached a code path in Module.set_extra_state() that should never be called: define it in the module's class"
        )

    def _own_state(self) -> dict[str, Any]:
        """Name to tensor: what is saved of this module, without those below."""
        lasting = {k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set}
        return {k: v for k, v in (*self._parameters.items(), *lasting.items()) if v is not None}

    # -- saving ---------------------------------------------------------------------------------------------------------

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Add what belongs to this module itself to `destination`."""
        for name, value in self._own_state().items():
            destination[prefix + name] = value if keep_vars or is_lazy(value) else value.detach()
        if type(self).get_extra_state is not State.get_extra_state:
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> dict[str, Any]:
        """Return all parameters, persistent buffers and extra states by path; tensors share memory with the module's.

        Args:
            args: destination, prefix and keep_vars by position, which is deprecated.
            destination: a dict to add to.
            prefix: what stands in front of every path.
            keep_vars: whether the tensors themselves are returned rather than detached ones.

        Returns:
            An ordered dict from paths to tensors.

        Raises:
            UsageError: a hook of `register_state_dict_post_hook` returns something.

        >>> {path: tensor.shape for path, tensor in torch.nn.Linear(3, 2).state_dict().items()}
        {'weight': lamina.Size([2, 3]), 'bias': lamina.Size([2])}
        """
        named: tuple[Any, ...] = (destination, prefix, keep_vars)
        destination, prefix, keep_vars = args + named[len(args) :]
        result = OrderedDict() if destination is None else destination
        if destination is None:
            vars(result)["_metadata"] = OrderedDict()
        metadata: dict[str, Any] = {"version": self._version}
        if hasattr(result, "_metadata"):
            result._metadata[prefix[:-1]] = metadata
        for hook in self.__dict__.get("_state_dict_pre_hooks", {}).values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(result, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=result, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self.__dict__.get("_state_dict_hooks", {}).values():
            other = hook(self, result, prefix, metadata)
            if getattr(hook, "_from_public_api", False):
                if other is not None:
                    raise UsageError("state_dict post-hook must return None")
            elif other is not None:
                result = other
        return result

    # -- loading --------------------------------------------------------------------------------------------------------

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list[str],
        unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        """Take what belongs to this module itself from `state_dict`, and add what does not fit to the lists.

        Args:
            state_dict: the items whose paths begin with `prefix`; it may be changed.
            prefix: this module's path and a dot.
            local_metadata: what was saved about this module: its "version".
            strict: whether missing and unexpected names are to be listed.
        """
        for hook in tuple(self.__dict__.get("_load_state_dict_pre_hooks", {}).values()):
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own = self._own_state()
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, target in own.items():
            key = prefix + name
            if key in state_dict:
                fault = self._take(name, key, target, state_dict[key], assign)
                if fault:
                    error_msgs.append(fault)
            elif strict:
                missing_keys.append(key)
        self._take_extra_state(state_dict, prefix + _EXTRA_STATE_KEY_SUFFIX, strict, missing_keys, unexpected_keys)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != prefix + _EXTRA_STATE_KEY_SUFFIX:
                    name, dot, _ = key[len(prefix) :].partition(".")
                    if name not in (self._modules if dot else own):
                        unexpected_keys.append(key)

    def _take(self, name: str, key: str, target: Any, item: Any, assign: bool) -> str:
        """Copy, or assign, one item; or say why not."""
        if not isinstance(item, Tensor):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
                f"received {type(item)}"
            )
        if not is_lazy(target):
            if not target.shape and tuple(item.shape) == (1,):
                item = item[0]
            if tuple(item.shape) != tuple(target.shape):
                return (
                    f"size mismatch for {key}: copying a param with shape torch.Size({list(item.shape)}) from checkpoint, the "
                    f"shape in current model is torch.Size({list(target.shape)})."
                )
            if target.is_meta and not item.is_meta and not assign:
                warnings.warn(
                    f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, "
                    "which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their "
                    "corresponding key in the module instead of copying them in place?)",
                    stacklevel=2,
                )
        elif is_lazy(item) and not assign:
            return ""  # neither has items yet
        write = (lambda: self._assign(name, target, item)) if assign else (lambda: target.copy_(item))
        if _pending.writes is None:
            with no_grad():
                write()
        else:
            _pending.writes.append(write)
        return ""

    def _assign(self, name: str, target: Any, item: Tensor) -> None:
        if isinstance(target, Parameter):
            parameter: Any = item if isinstance(item, Parameter) else Parameter(item)
            item = parameter.requires_grad_(target.requires_grad)
        setattr(self, name, item)

    def _take_extra_state(self, state: Any, key: str, strict: bool, missing: list[str], unexpected: list[str]) -> None:
        if type(self).set_extra_state is not State.set_extra_state:
            if key in state:
                self.set_extra_state(state[key])
            elif strict:
                missing.append(key)
        elif strict and key in state:
            unexpected.append(key)

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> IncompatibleKeys:
        """Copy tensors into the parameters and buffers of the same paths; all of them, or none.

        Args:
            state_dict: a mapping from paths to tensors.
            strict: whether a path that is missing on either side is an error.
            assign: whether the tensors become the module's own rather than being copied.

        Returns:
            A named tuple of `missing_keys` and `unexpected_keys`.

        Raises:
            ArgumentTypeError: state_dict is not a mapping.
            UsageError: shapes differ; or with `strict`, a path is missing on either side.

        >>> source, target = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
        >>> target.load_state_dict(source.state_dict())
        <All keys matched successfully>
        """
        if not isinstance(state_dict, Mapping):
            raise ArgumentTypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        keys = IncompatibleKeys([], [])
        faults: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        state = OrderedDict(state_dict)
        if metadata is not None:
            vars(state)["_metadata"] = metadata
        before, _pending.writes = _pending.writes, []
        try:
            _load(self, state, "", metadata, assign, keys, faults)
            if strict:
                for kind, names in (("Missing", keys.missing_keys), ("Unexpected", keys.unexpected_keys)):
                    if names:
                        at = int(kind == "Unexpected" and bool(keys.missing_keys))
                        faults.insert(at, f"{kind} key(s) in state_dict: " + ", ".join(f'"{k}"' for k in names) + ". ")
            if faults:
                raise UsageError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(faults))
            _flush()
        finally:
            _pending.writes = before
        return keys

    # -- hooks ----------------------------------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict` collects the module's state.

        Args:
            hook: the function.

        Returns:
            A handle, whose `remove()` removes the hook.

        >>> layer = torch.nn.Linear(3, 2, bias=False)
        >>> handle = layer.register_state_dict_pre_hook(lambda module, prefix, keep_vars: print(module))
        >>> _ = layer.state_dict()
        Linear(in_features=3, out_features=2, bias=False)
        """
        return RemovableHandle(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` after `state_dict` collects the module's state; it
        may change it in place.

        Args:
            hook: the function, which returns None.

        Returns:
            A handle, whose `remove()` removes the hook.

        >>> layer = torch.nn.Linear(3, 2)
        >>> handle = layer.register_state_dict_post_hook(lambda module, state, *others: state.update(extra=1))
        >>> list(layer.state_dict())
        ['weight', 'bias', 'extra']
        """
        hook._from_public_api = True  # type: ignore[attr-defined]
        return RemovableHandle(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """As `register_state_dict_post_hook`, for a hook that may give another dict."""
        if getattr(hook, "_from_public_api", False):
            raise UsageError("Cannot register the same function as the state dict post hook that was already registered")
        return RemovableHandle(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call a hook before the module takes its tensors from a state.

        Args:
            hook: is called with `(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                error_msgs)`; it may change `state_dict` and the lists in place.

        Returns:
            A handle, whose `remove()` removes the hook.

        >>> layer = torch.nn.Linear(3, 2)
        >>> handle = layer.register_load_state_dict_pre_hook(lambda module, state_dict, *others: print(len(state_dict)))
        >>> layer.load_state_dict(layer.state_dict())
        2
        <All keys matched successfully>
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook: Callable[..., None], with_module: bool = False) -> RemovableHandle:
        """The same; without `with_module`, the hook is not given the module."""
        called = _WithModule(hook, self) if with_module else hook
        return RemovableHandle(self._load_state_dict_pre_hooks, called)

    def register_load_state_dict_post_hook(self, hook: Callable[..., None]) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after the module and those below are loaded; it may change the lists
        in place.

        Args:
            hook: the function, which returns None.

        Returns:
            A handle, whose `remove()` removes the hook.

        >>> layer = torch.nn.Linear(3, 2)
        >>> handle = layer.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
        >>> layer.load_state_dict({"weight": torch.zeros(2, 3)}, strict=False)
        <All keys matched successfully>
        """
        return RemovableHandle(self._load_state_dict_post_hooks, hook)


class _WithModule:
    """A hook and the module that it is called with."""

    def __init__(self, hook: Callable[..., None], module: Any) -> None:
        self.hook = hook
        self.module = module

    def __call__(self, *args: Any) -> None:
        self.hook(self.module, *args)


def _load(
    module: Any, state: Any, prefix: str, metadata: Any, assign: bool, keys: IncompatibleKeys, faults: list[str]
) -> None:
    local = {} if metadata is None else metadata.get(prefix[:-1], {})
    if assign:
        local = {**local, "assign_to_params_buffers": True}
    module._load_from_state_dict(state, prefix, local, True, keys.missing_keys, keys.unexpected_keys, faults)
    for name, below in module._modules.items():
        if below is not None:
            path = f"{prefix}{name}."
            _load(below, {k: v for k, v in state.items() if k.startswith(path)}, path, metadata, assign, keys, faults)
    hooks = tuple(module.__dict__.get("_load_state_dict_post_hooks", {}).values())
    if hooks and not faults:
        _flush()  # they are to see the new items
    for hook in hooks:
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with register_load_state_dict_post_hook are not expected to return new values: change "
                "incompatible_keys in place"
            )


def _flush() -> None:
    """Write what is waiting."""
    writes = _pending.writes or []
    with no_grad():
        for write in writes:
            write()
    writes.clear()
