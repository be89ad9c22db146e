"""PyTorch's `torch.nn.utils.rnn`."""

from lamina_nn.packed_sequences import *
