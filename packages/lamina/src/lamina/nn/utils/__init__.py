"""PyTorch's `torch.nn.utils`."""

from lamina_nn.gradient_clipping import *
from lamina_nn.parameter_vectors import *

from . import clip_grad as clip_grad
from . import convert_parameters as convert_parameters
from . import rnn as rnn
