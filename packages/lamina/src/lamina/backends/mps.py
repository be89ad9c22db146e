"""PyTorch's `torch.backends.mps`."""

from ..absent_names import explained as _explained


def is_available() -> bool:
    """False: no backend serves Apple's GPUs."""
    return False


def is_built() -> bool:
    """False, likewise."""
    return False


_explained(globals())
