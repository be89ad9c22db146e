"""lamina_tensor: arrays that remember how they were computed, and the gradients of it."""

from . import operators as _operators
from .complex_making import *
from .creation import (
    arange,
    as_tensor,
    asarray,
    empty,
    empty_like,
    empty_permuted,
    empty_strided,
    eye,
    from_file,
    from_numpy,
    frombuffer,
    full,
    full_like,
    linspace,
    logspace,
    ones,
    ones_like,
    scalar_tensor,
    tensor,
    zeros,
    zeros_like,
)
from .defaults import get_default_device, set_default_device, set_default_tensor_type
from .engine import backward, grad
from .explaining import explain
from .functions import *
from .memory_formats import *
from .modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .random_creation import *
from .random_state import get_rng_state, initial_seed, seed, set_rng_state
from .sizes import Size
from .strictness import strict
from .subclassing import overridable as _overridable
from .tensor import Tensor
from .tensor_types import *
from .windows import *

__all__ = [name for name, value in globals().items() if name[0] != "_" and type(value) is not type(_operators)]

_overridable(globals())
