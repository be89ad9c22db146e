"""PyTorch's `torch.distributions.kl`."""

from lamina_nn.distributions.divergence import *
