"""PyTorch's module path `torch.nn.utils.clip_grad`, kept for programs that import it."""

from lamina_nn.gradient_clipping import *

from ...absent_names import explained as _explained

_explained(globals())
