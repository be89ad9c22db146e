"""PyTorch's `torch.backends.mkldnn`."""


def is_available() -> bool:
    """False: no backend uses oneDNN."""
    return False
