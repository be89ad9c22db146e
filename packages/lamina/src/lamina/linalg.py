"""PyTorch's `torch.linalg`."""

from collections.abc import Callable as _Callable
from typing import Any as _Any

from lamina_ndarray import linalg as _arrays
from lamina_tensor.dispatch.subclassing import overridable as _overridable
from lamina_tensor.dispatch.torch_names import part as _part
from lamina_tensor.functions.torch_linalg import OWN as _OWN

from .absent_names import explained as _explained

_functions = _part(_arrays, "linalg_", **_OWN)

__getattr__: _Callable[[str], _Any] = _explained(globals(), further=_functions)
_overridable(globals())
