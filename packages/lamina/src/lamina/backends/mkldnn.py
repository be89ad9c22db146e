"""PyTorch's `torch.backends.mkldnn`."""

from ..absent_names import explained as _explained


def is_available() -> bool:
    """False: no backend uses oneDNN."""
    return False


_explained(globals())
