"""PyTorch's module path `torch.utils.tensorboard`, kept for programs that import it: tensorboardX's writer, if installed."""

from ..absent_names import explained as _explained

try:
    from tensorboardX import SummaryWriter
except ImportError as _error:
    raise ImportError(
        "torch.utils.tensorboard: there is no writer here; install one with: pip install tensorboardX"
    ) from _error

_explained(globals())
