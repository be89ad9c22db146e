"""PyTorch's `torch.nn.utils.parametrize`."""

from lamina_nn.reparametrization.parametrize import *
