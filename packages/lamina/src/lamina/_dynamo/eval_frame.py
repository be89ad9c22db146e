"""The class of compiled modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_nn import Module

from ..absent_names import explained

__all__ = ["OptimizedModule"]


class OptimizedModule(Module):
    """What `torch.compile` makes of a module: the same parameters and attributes, and calls that are repeated without their Python.

    Args:
        mod: the module, which is `_orig_mod` from then on.
        function: what its calls are handed to.

    >>> model = torch.compile(torch.nn.Linear(2, 1))
    >>> list(model.state_dict()), model.in_features
    (['_orig_mod.weight', '_orig_mod.bias'], 2)
    """

    def __init__(self, mod: Module, function: Any) -> None:
        super().__init__()
        self._modules["_orig_mod"] = mod
        self.__dict__["_compiled_function"] = function
        del self.__dict__["training"]  # the module's own

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__dict__["_compiled_function"](*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module, compiled.

        Args:
            args, kwargs: its arguments.

        Returns:
            What it returns.
        """
        return self(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        modules: Any = self.__dict__["_modules"]
        return modules[name] if name in modules else getattr(modules["_orig_mod"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_orig_mod" in self.__dict__.get("_modules", ()):
            setattr(self._modules["_orig_mod"], name, value)
        else:
            super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._modules["_orig_mod"], name)

    def __reduce__(self) -> Any:
        function = self.__dict__["_compiled_function"]
        return _compiled, (self._modules["_orig_mod"], function.fullgraph, function.most_ways)


def _compiled(module: Module, fullgraph: bool, most_ways: int) -> Any:
    """A module that was compiled, copied or pickled: what was recorded is not."""
    from ..compiler import compile

    return compile(module, fullgraph=fullgraph, recompile_limit=most_ways)


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
