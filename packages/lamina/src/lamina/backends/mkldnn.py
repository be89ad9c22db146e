"""PyTorch's `torch.backends.mkldnn`."""

from ..absent_names import explained as _explained


def is_available() -> bool:
    """Return False: no backend uses oneDNN.

    Returns:
        False.

    >>> torch.backends.mkldnn.is_available()
    False
    """
    return False


_explained(globals())
