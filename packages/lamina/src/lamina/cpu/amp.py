"""PyTorch's `torch.cpu.amp`: `torch.amp` for devices of type "cpu"."""

from functools import partial as _partial

from lamina_tensor.precision.autocasting import autocast_of as _autocast_of
from lamina_tensor.precision.autocasting import custom_bwd as _custom_bwd
from lamina_tensor.precision.autocasting import custom_fwd as _custom_fwd
from lamina_tensor.precision.gradient_scaling import scaler_of as _scaler_of

from ..absent_names import explained as _explained

autocast = _autocast_of("cpu")
custom_fwd, custom_bwd = _partial(_custom_fwd, device_type="cpu"), _partial(_custom_bwd, device_type="cpu")
GradScaler = _scaler_of("cpu")

_explained(globals())
