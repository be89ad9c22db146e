"""PyTorch's module path `torch.utils.tensorboard`, kept for programs that import it: tensorboardX's writer, if installed."""

try:
    from tensorboardX import SummaryWriter
except ImportError as error:
    raise ImportError("torch.utils.tensorboard: there is no writer here; install one with: pip install tensorboardX") from error

__all__ = ["SummaryWriter"]
