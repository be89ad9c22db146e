"""PyTorch's `torch.nn`."""

from importlib import import_module as _import
from typing import Any as _Any

from lamina_nn import *
from lamina_nn import Buffer, Module, Parameter, UninitializedBuffer, UninitializedParameter


def __getattr__(name: str) -> _Any:
    if name in ("attention", "functional", "init", "modules", "parallel", "parameter", "utils"):
        return _import(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
