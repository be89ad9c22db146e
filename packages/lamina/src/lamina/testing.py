"""PyTorch's `torch.testing`."""

from lamina_tensor.testing import assert_allclose, assert_close, make_tensor

from .absent_names import explained as _explained

__getattr__ = _explained(globals())
