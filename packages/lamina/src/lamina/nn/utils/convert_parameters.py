"""PyTorch's module path `torch.nn.utils.convert_parameters`, kept for programs that import it."""

from lamina_nn.parameter_vectors import *

from ...absent_names import explained as _explained

_explained(globals())
