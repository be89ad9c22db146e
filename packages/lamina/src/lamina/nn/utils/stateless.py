"""PyTorch's `torch.nn.utils.stateless`."""

from lamina_nn.stateless import functional_call
