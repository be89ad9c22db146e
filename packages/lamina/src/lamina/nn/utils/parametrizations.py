"""PyTorch's `torch.nn.utils.parametrizations`."""

from lamina_nn.reparametrization.parametrizations import *
