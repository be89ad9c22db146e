"""PyTorch's `torch.linalg`."""

from typing import Any as _Any

from lamina_ndarray import linalg as _arrays
from lamina_tensor.functions.torch_linalg import OWN as _OWN
from lamina_tensor.torch_names import part as _part

_functions = _part(_arrays, "linalg_", **_OWN)


def __getattr__(name: str) -> _Any:
    return getattr(_functions, name)
