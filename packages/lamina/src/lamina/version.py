"""PyTorch's `torch.version`, of lamina."""

from importlib.metadata import version as _version

__version__ = _version("lamina")
cuda = hip = git_version = None
