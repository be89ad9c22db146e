"""PyTorch's `torch.autograd`."""

from typing import TYPE_CHECKING, Any, NoReturn

from lamina_tensor import Tensor
from lamina_tensor.autograd.backward import backward, grad
from lamina_tensor.autograd.debugging.anomaly import (
    detect_anomaly,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_detect_anomaly,
)
from lamina_tensor.autograd.modes import enable_grad, inference_mode, no_grad, set_grad_enabled
from lamina_tensor.transforms.function import Function
from lamina_tensor.transforms.gradcheck import gradcheck, gradgradcheck

from ..absent_names import explained

__all__ = [
    "Function", "Variable", "anomaly_mode", "backward", "detect_anomaly", "enable_grad", "forward_ad", "function", "functional", "grad",
    "grad_mode", "gradcheck", "gradgradcheck", "graph", "inference_mode", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "no_grad",
    "profiler", "set_detect_anomaly", "set_grad_enabled", "variable",
]  # fmt: skip

Variable = Tensor


def variable(*args: Any, **kwargs: Any) -> NoReturn:
    """Refuse to make a tensor, as PyTorch does: `torch.tensor` makes them.

    Args:
        args, kwargs: whatever a program gives.

    Returns:
        Never.

    Raises:
        RuntimeError: always.

    >>> torch.autograd.variable([1.0])
    Traceback (most recent call last):
    ...
    RuntimeError: torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead
    """
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


if TYPE_CHECKING:
    from . import anomaly_mode, forward_ad, function, functional, grad_mode, graph, profiler
else:
    __getattr__, __dir__ = explained(__name__, __all__)
