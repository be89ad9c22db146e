"""PyTorch's `torch.special`."""

from typing import Any as _Any

from lamina_ndarray import special as _arrays
from lamina_tensor.functions import polygamma as _polygamma
from lamina_tensor.torch_names import part as _part

_functions = _part(_arrays, polygamma=_polygamma)


def __getattr__(name: str) -> _Any:
    return getattr(_functions, name)
