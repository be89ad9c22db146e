"""PyTorch's `torch.nn`."""

from collections.abc import Callable as _Callable
from typing import Any as _Any

from lamina_nn import *
from lamina_nn import Buffer, Module, Parameter, UninitializedBuffer, UninitializedParameter

from ..absent_names import explained as _explained

_PARTS = ("attention", "functional", "init", "modules", "parallel", "parameter", "utils")

__getattr__: _Callable[[str], _Any] = _explained(globals(), _PARTS)
