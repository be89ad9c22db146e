"""Modules of PyTorch's from which the module above re-exports: `torch.nn.modules.batchnorm` for what `lamina.nn.modules` has of it.

lamina's files are cut elsewhere. Such a path is served where PyTorch has it, and has names in it that lamina has above: the
same objects, and no others: `torch.hub.load` is not `torch.load`. Which names PyTorch has there stands in the list made from
PyTorch itself. Where PyTorch has a function of the name, too, that is the attribute: `torch.nn.utils.weight_norm`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from lamina_nn import Module

from .programs.pytorch_names import covered_modules, is_module, missing, shared_names_of
from .programs.respelling import theirs

__all__ = ["covered_at", "module_at"]


def covered_at(path: str) -> dict[str, ModuleType]:
    """The submodules of a module that are not its attributes, each with its own last name.

    Args:
        path: our name of the module above.
    """
    modules = {name: module_at(f"{path}.{name}") for name in covered_modules(theirs(path))}
    return {name: module for name, module in modules.items() if module is not None}


def module_at(path: str) -> ModuleType | None:
    """The module of such a path; None where PyTorch has none, or lamina nothing of it.

    Args:
        path: our name of it, such as `lamina.nn.modules.batchnorm`.
    """
    above_path, _, _ = path.rpartition(".")
    name = theirs(path)
    if not above_path or not is_module(name):
        return None
    if path in sys.modules:
        return sys.modules[path]
    above = import_module(above_path)
    if hasattr(above, "__path__") and find_spec(path) is not None:  # a module of lamina's, which nobody has imported yet
        return import_module(path)
    listed = sorted(shared_names_of(name) & set(above.__all__))
    if not set(listed) - {"Tensor"}:  # which a source imports for its annotations alone: `torch.nested`
        return None
    module = ModuleType(path, f"PyTorch's `{name}`: of `{above_path}` what it has there.")
    homes = sorted({getattr(getattr(above, known), "__module__", above_path) for known in listed})

    def __getattr__(wanted: str) -> Any:
        if wanted in listed:
            return getattr(above, wanted)
        if wanted.startswith("_") and not wanted.startswith("__"):  # a private base class stands beside the public ones
            for home in homes:
                beside = vars(sys.modules[home])
                if wanted in beside:
                    return beside[wanted]
                if isinstance(base := beside.get(wanted[1:]), type) and issubclass(base, Module):  # `_Loss`, which is `Loss` here
                    return base
        if wanted.startswith("__"):
            raise AttributeError(f"module {path!r} has no attribute {wanted!r}")
        raise AttributeError(missing(name, wanted, listed))

    module.__dict__.update(__getattr__=__getattr__, __dir__=lambda: listed, __all__=listed)
    sys.modules[path] = module
    return module
