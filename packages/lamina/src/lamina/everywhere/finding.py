"""How `import torch` finds lamina: `torch.x.y` is the module `lamina.x.y`, under both names the same object.

Only the top, and `torch.version`, are modules of their own: they show what lamina's show, but PyTorch's version.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ..module_paths import covered_at, module_at
from ..programs.pytorch_names import is_module, served_version
from ..programs.respelling import ours
from .distribution import ServedDistribution

__all__ = ["Alias", "is_aliased"]

_WITH_A_VERSION = ("torch", "torch.version")


def is_aliased(name: str) -> bool:
    """Whether a module's name is `torch`, or that of a part of it."""
    return name == "torch" or name.startswith("torch.")


class Alias(DistributionFinder):
    """The entry of `sys.meta_path` while `torch` is lamina: finds its modules, and the distribution that says their version."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The spec of `torch` or of a part of it; None for any other name.

        Raises:
            ModuleNotFoundError: lamina has no such part. It is raised here, as Python's own words would not say whether PyTorch
                has it.
        """
        if not is_aliased(name):
            return None
        place = find_spec(ours(name)) if is_module(name) else None
        if place is None and (further := module_at(ours(name))) is not None:
            return ModuleSpec(name, _Loader(), origin=further.__name__)
        if place is None:
            raise ModuleNotFoundError(f"No module named {name!r}: {_reason(name)}", name=name)
        loader = _Showing() if name in _WITH_A_VERSION else _Loader()
        return ModuleSpec(name, loader, origin=place.origin, is_package=place.submodule_search_locations is not None)

    def find_distributions(self, context: DistributionFinder.Context = DistributionFinder.Context()) -> Iterable[Distribution]:
        """What `importlib.metadata` is told of `torch`, and of no other name."""
        return [ServedDistribution()] if context.name is None or context.name.lower() == "torch" else []


def _reason(name: str) -> str:
    if is_module(name):
        return "PyTorch has this module, lamina not yet"
    own = find_spec(ours(name)) if name.count(".") == 1 else None
    return f"PyTorch has no such module; lamina's own is {ours(name)}" if own else "PyTorch has no such module, nor has lamina"


class _Loader(Loader):
    """Loads a module of lamina's, and enters it under PyTorch's name."""

    def create_module(self, spec: ModuleSpec) -> None:
        """None: Python makes an empty module, which the true one replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Enter the true module in the place of the empty one, as the import system lets a module do.

        So are the submodules that a function covers: Python would make those that are imported later an attribute in its place.
        """
        sys.modules[module.__name__] = entered = import_module(ours(module.__name__))
        if hasattr(entered, "__path__"):
            sys.modules.update({f"{module.__name__}.{name}": covered for name, covered in covered_at(entered.__name__).items()})


class _Showing(_Loader):
    """Loads a module of its own that shows what lamina's has."""

    def exec_module(self, module: ModuleType) -> None:
        """Give it lamina's names, each when it is first wanted, and the version whose names are served."""
        shown = import_module(ours(module.__name__))

        def __getattr__(name: str) -> Any:
            value = getattr(shown, name)
            if isinstance(value, ModuleType) and value.__name__ == f"{shown.__name__}.{name}" and is_module(f"{module.__name__}.{name}"):
                value = import_module(f"{module.__name__}.{name}")
            return module.__dict__.setdefault(name, value)

        module.__dict__.update(
            __getattr__=__getattr__, __dir__=lambda: dir(shown), __doc__=shown.__doc__, __file__=shown.__file__,
            __version__=served_version(),
        )  # fmt: skip
        if hasattr(shown, "__path__"):
            module.__path__ = shown.__path__
