"""PyTorch's `torch.backends.mps`."""


def is_available() -> bool:
    """False: no backend serves Apple's GPUs."""
    return False


def is_built() -> bool:
    """False, likewise."""
    return False
