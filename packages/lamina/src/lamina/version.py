"""PyTorch's `torch.version`, of lamina."""

from importlib.metadata import version as _version

from .absent_names import explained as _explained

__version__ = _version("lamina")
cuda = hip = git_version = None

_explained(globals())
