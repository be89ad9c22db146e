"""PyTorch's `torch.backends.openmp`."""

from ..absent_names import explained as _explained


def is_available() -> bool:
    """False: backends bring threads of their own."""
    return False


_explained(globals())
