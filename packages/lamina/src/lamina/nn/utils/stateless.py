"""PyTorch's module path `torch.nn.utils.stateless`, kept for programs that import it."""

from lamina_nn.stateless import functional_call

from ...absent_names import explained as _explained

_explained(globals())
