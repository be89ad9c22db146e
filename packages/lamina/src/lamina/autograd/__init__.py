"""PyTorch's `torch.autograd`."""

from lamina_tensor import Tensor
from lamina_tensor.anomaly import (
    detect_anomaly,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_detect_anomaly,
)
from lamina_tensor.engine import backward, grad
from lamina_tensor.function import Function
from lamina_tensor.gradcheck import gradcheck, gradgradcheck
from lamina_tensor.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

from ..absent_names import explained as _explained
from . import anomaly_mode, forward_ad, functional, graph
from . import function as function

Variable = Tensor

_explained(globals(), parts=("profiler",))
