"""PyTorch's `torch.utils.checkpoint`."""

from lamina_tensor.checkpoint import checkpoint, checkpoint_sequential
