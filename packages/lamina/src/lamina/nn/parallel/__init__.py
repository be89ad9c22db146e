"""PyTorch's `torch.nn.parallel`."""

from lamina_nn import DataParallel
