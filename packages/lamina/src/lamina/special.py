"""PyTorch's `torch.special`."""

from collections.abc import Callable as _Callable
from typing import Any as _Any

from lamina_ndarray import special as _arrays
from lamina_tensor.dispatch.subclassing import overridable as _overridable
from lamina_tensor.dispatch.torch_names import part as _part
from lamina_tensor.functions import polygamma as _polygamma

from .absent_names import explained as _explained

_functions = _part(_arrays, polygamma=_polygamma)

__getattr__: _Callable[[str], _Any] = _explained(globals(), further=_functions)
_overridable(globals())
