"""What `torch.compile` gives for a module: a module around it."""

from __future__ import annotations

from typing import Any

from lamina_nn import Module
from lamina_tensor.compiling.compiled import compiled_functions
from lamina_tensor.compiling.function import CompiledFunction
from lamina_tensor.compiling.recordings.own_code import own

__all__ = ["OptimizedModule"]

own.add(__name__.partition(".")[0])


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
        return _again, (self._modules["_orig_mod"], self.__dict__["_compiled_function"])


def _again(model: Module, function: Any) -> OptimizedModule:
    """One that is copied or unpickled: what was recorded is not there."""
    if isinstance(function, CompiledFunction):
        compiled_functions.add(function)
    return OptimizedModule(model, function)
