"""lamina_nn: modules, and by part `functional`, `init`, `optim`, `data` and `files`, which load when first used."""

from importlib import import_module as _import
from typing import Any as _Any

from .layers import *
from .lazy_parameter import UninitializedBuffer, UninitializedParameter
from .module import Module
from .parameter import Buffer, Parameter

_PARTS = ("data", "distributions", "files", "functional", "gradient_clipping", "init", "optim", "parameter_vectors", "utils")


def __getattr__(name: str) -> _Any:
    if name in _PARTS:
        return _import(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
