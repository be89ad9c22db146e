"""lamina_tensor: arrays that remember how they were computed, and the gradients of it."""

from . import operators as _operators
from .creation import *
from .engine import backward, grad
from .functions import *
from .modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .operators import Size
from .tensor import Tensor
from .windows import *
