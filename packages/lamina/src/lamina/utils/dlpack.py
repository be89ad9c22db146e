"""PyTorch's module path `torch.utils.dlpack`, kept for programs that import it."""

from lamina_tensor.devices.capsules import from_dlpack, to_dlpack

from ..absent_names import explained as _explained

_explained(globals())
