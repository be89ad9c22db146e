"""PyTorch's module path `torch.nn.utils.rnn`, kept for programs that import it."""

from lamina_nn.packed_sequences import *

from ...absent_names import explained as _explained

_explained(globals())
