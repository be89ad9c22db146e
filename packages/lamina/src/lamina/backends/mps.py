"""PyTorch's `torch.backends.mps`."""

from ..absent_names import explained as _explained


def is_available() -> bool:
    """Return False: no backend serves Apple's GPUs.

    Returns:
        False.

    >>> torch.backends.mps.is_available()
    False
    """
    return False


def is_built() -> bool:
    """Return False, as nothing for Apple's GPUs is part of lamina.

    Returns:
        False.

    >>> torch.backends.mps.is_built()
    False
    """
    return False


_explained(globals())
