"""PyTorch's `torch.cuda`."""

from lamina_tensor.cuda_devices import current_device, device_count, is_available, synchronize

from . import amp as amp
