"""PyTorch's `torch.distributions.transforms`."""

from lamina_nn.distributions.transforms import *
