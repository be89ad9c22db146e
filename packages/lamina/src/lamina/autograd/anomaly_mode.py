"""PyTorch's `torch.autograd.anomaly_mode`."""

from lamina_tensor.anomaly import detect_anomaly, set_detect_anomaly
