"""PyTorch's `torch.utils.tensorboard`: the writer of tensorboardX, where that is installed."""

try:
    from tensorboardX import SummaryWriter as SummaryWriter
except ImportError as _error:
    raise ImportError("torch.utils.tensorboard: there is no writer here; install one with: pip install tensorboardX") from _error
