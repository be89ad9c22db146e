"""PyTorch's `torch.autograd.anomaly_mode`."""

from typing import TYPE_CHECKING

from lamina_tensor.autograd.debugging.anomaly import detect_anomaly, set_detect_anomaly

from ..absent_names import explained

__all__ = ["detect_anomaly", "set_detect_anomaly"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
