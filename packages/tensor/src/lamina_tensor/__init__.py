"""lamina_tensor: arrays that remember how they were computed, and the gradients of it."""

from . import operators as _operators
from .autograd.engine import backward, grad
from .autograd.modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .devices.defaults import get_default_device, set_default_device, set_default_tensor_type
from .devices.memory_formats import *
from .devices.random_state import get_rng_state, initial_seed, seed, set_rng_state
from .dispatch.strictness import strict
from .dispatch.subclassing import overridable as _overridable
from .functions import *
from .functions.creation import (
    arange,
    as_tensor,
    asarray,
    bartlett_window,
    bernoulli,
    blackman_window,
    complex,
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
    hamming_window,
    hann_window,
    kaiser_window,
    linspace,
    logspace,
    manual_seed,
    multinomial,
    normal,
    ones,
    ones_like,
    poisson,
    polar,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
    scalar_tensor,
    tensor,
    zeros,
    zeros_like,
)
from .methods.explaining import explain
from .methods.sizes import Size
from .methods.tensor_types import *
from .tensor import Tensor

__all__ = [name for name, value in globals().items() if name[0] != "_" and type(value) is not type(_operators)]

_overridable(globals())
