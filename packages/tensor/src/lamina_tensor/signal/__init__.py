"""PyTorch's `torch.signal`: processing of signals."""

from . import windows

__all__ = ["windows"]
