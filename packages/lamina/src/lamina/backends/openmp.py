"""PyTorch's `torch.backends.openmp`."""

from ..absent_names import explained as _explained


def is_available() -> bool:
    """Return False: backends bring threads of their own.

    Returns:
        False.

    >>> torch.backends.openmp.is_available()
    False
    """
    return False


_explained(globals())
