"""PyTorch's `torch.nn.utils.clip_grad`."""

from lamina_nn.gradient_clipping import *
