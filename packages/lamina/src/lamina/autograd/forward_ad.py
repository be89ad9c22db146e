"""PyTorch's `torch.autograd.forward_ad`."""

from lamina_tensor.transforms.forward_ad import UnpackedDualTensor, dual_level, make_dual, unpack_dual

from ..absent_names import explained as _explained

_explained(globals())
