"""PyTorch's `torch.amp`."""

from lamina_tensor.precision.autocasting import autocast, custom_bwd, custom_fwd, is_autocast_available
from lamina_tensor.precision.gradient_scaling import GradScaler

from ..absent_names import explained as _explained

_explained(globals())
