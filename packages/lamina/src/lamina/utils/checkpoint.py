"""PyTorch's module path `torch.utils.checkpoint`, kept for programs that import it."""

from lamina_tensor.transforms.checkpoint import checkpoint, checkpoint_sequential

from ..absent_names import explained as _explained

_explained(globals())
