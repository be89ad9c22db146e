"""PyTorch's `torch.optim.swa_utils`."""

from lamina_nn.optim.averaging import *
