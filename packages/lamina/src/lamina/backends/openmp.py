"""PyTorch's `torch.backends.openmp`."""


def is_available() -> bool:
    """False: backends bring threads of their own."""
    return False
