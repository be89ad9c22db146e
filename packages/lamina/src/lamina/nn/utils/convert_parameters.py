"""PyTorch's `torch.nn.utils.convert_parameters`."""

from lamina_nn.parameter_vectors import *
