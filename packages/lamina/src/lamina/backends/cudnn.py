"""PyTorch's `torch.backends.cudnn`: its switches may be set, and change nothing."""

from ..absent_names import explained as _explained

differs = "there is no cuDNN here: its switches may be set and change nothing"
allow_tf32 = benchmark = deterministic = enabled = False


def is_available() -> bool:
    """False: no backend uses cuDNN."""
    return False


def version() -> None:
    """None: there is none."""


_explained(globals())
