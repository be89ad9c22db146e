"""PyTorch's `torch.nn.utils.prune`."""

from lamina_nn.reparametrization.pruning import *
