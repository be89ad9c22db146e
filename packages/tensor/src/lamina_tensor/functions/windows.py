"""Windows as tensors, which may want gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_ndarray import NDArray

from ..tensor_fields import tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]


def _window(make: Callable[..., NDArray]) -> Callable[..., Tensor]:
    def create(
        window_length: int, *shape: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **more: Any
    ) -> Tensor:
        made = tensor_of(make(window_length, *shape, dtype=dtype, device=device, **more))
        made.requires_grad = requires_grad
        return made

    create.__name__ = create.__qualname__ = make.__name__
    create.__doc__ = make.__doc__
    return create


hann_window, hamming_window, blackman_window = map(_window, (nd.hann_window, nd.hamming_window, nd.blackman_window))
bartlett_window, kaiser_window = map(_window, (nd.bartlett_window, nd.kaiser_window))
