"""PyTorch's `torch.fft`."""

from collections.abc import Callable as _Callable
from typing import Any as _Any

from lamina_ndarray import fft as _arrays
from lamina_tensor.dispatch.subclassing import overridable as _overridable
from lamina_tensor.dispatch.torch_names import part as _part

from .absent_names import explained as _explained

_functions = _part(_arrays, "fft_")

__getattr__: _Callable[[str], _Any] = _explained(globals(), further=_functions)
_overridable(globals())
