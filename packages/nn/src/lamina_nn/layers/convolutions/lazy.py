"""Lazy modules: their parameters get their shapes from the first input, and then they become ordinary ones."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import UsageError

from ...lazy_parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Give a module's parameters their shapes at its first call: a base class that stands in front of a Module's.

    `initialize_parameters(*args, **kwargs)` is called with the first arguments of forward, and materializes all
    uninitialized parameters and buffers; the module then takes the class `cls_to_become`.

    Args:
        args, kwargs: those of the next class.

    Attributes:
        cls_to_become: the class that the module then has; None for its own.

    >>> torch.nn.LazyLinear(2).has_uninitialized_params()
    True
    """

    cls_to_become: type[Any] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner: Any = self
        self._load_hook = owner._register_load_state_dict_pre_hook(_take_shapes, with_module=True)
        self._initialize_hook = owner.register_forward_pre_hook(_initialized, with_kwargs=True)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Materialize what is uninitialized; a subclass defines it.

        Args:
            args, kwargs: the arguments of the first call.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Tell whether a parameter or a buffer has no shape yet.

        Returns:
            A bool.
        """
        owner: Any = self
        return any(is_lazy(x) for x in (*owner._parameters.values(), *owner._buffers.values()))


def _take_shapes(module: Any, state_dict: Any, prefix: str, *_: Any) -> None:
    """Before a state is loaded: give what has no shape that of its item."""
    for name, own in (*module._parameters.items(), *module._buffers.items()):
        saved = state_dict.get(prefix + name)
        if saved is not None and is_lazy(own) and not is_lazy(saved):
            own.materialize(saved.shape)


def _initialized(module: Any, args: Any, kwargs: Any) -> None:
    """Before the first forward: give all their shapes, and be an ordinary module from now on."""
    module.initialize_parameters(*args, **kwargs)
    if module.has_uninitialized_params():
        raise UsageError(f"module {module._get_name()} has not been fully initialized")
    for name in ("_initialize_hook", "_load_hook"):
        getattr(module, name).remove()
        delattr(module, name)
    if module.cls_to_become is not None:
        module.__class__ = module.cls_to_become
