"""PyTorch's `torch.fft`."""

from typing import Any as _Any

from lamina_ndarray import fft as _arrays
from lamina_tensor.torch_names import part as _part

_functions = _part(_arrays, "fft_")


def __getattr__(name: str) -> _Any:
    return getattr(_functions, name)
