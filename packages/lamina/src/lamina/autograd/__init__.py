"""PyTorch's `torch.autograd`."""

from lamina_tensor import Tensor
from lamina_tensor.autograd.debugging.anomaly import (
    detect_anomaly,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_detect_anomaly,
)
from lamina_tensor.autograd.engine import backward, grad
from lamina_tensor.autograd.modes import enable_grad, inference_mode, no_grad, set_grad_enabled
from lamina_tensor.transforms.function import Function
from lamina_tensor.transforms.gradcheck import gradcheck, gradgradcheck

from ..absent_names import explained as _explained
from . import anomaly_mode, forward_ad, function, functional, graph

Variable = Tensor

_explained(globals(), parts=("profiler",))
