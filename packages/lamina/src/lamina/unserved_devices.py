"""What PyTorch's modules of `mps`, `mtia` and `xpu` answer: no backend computes on such devices."""

__all__ = ["device_count", "is_available"]


def is_available() -> bool:
    """Return False: no backend computes on these devices.

    Returns:
        False.

    >>> torch.xpu.is_available()
    False
    """
    return False


def device_count() -> int:
    """Return how many such devices can be used: none.

    Returns:
        0.

    >>> torch.xpu.device_count()
    0
    """
    return 0
