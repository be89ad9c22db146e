"""PyTorch's `torch.autograd.forward_ad`."""

from lamina_tensor.forward_ad import UnpackedDualTensor, dual_level, make_dual, unpack_dual
