"""`torch.testing`, for tests of programs: whether results are close, and tensors to begin with."""

from .comparing import assert_allclose, assert_close
from .made_tensors import make_tensor

__all__ = ["assert_allclose", "assert_close", "make_tensor"]
