"""PyTorch's `torch.autograd.anomaly_mode`."""

from lamina_tensor.autograd.debugging.anomaly import detect_anomaly, set_detect_anomaly

from ..absent_names import explained as _explained

_explained(globals())
