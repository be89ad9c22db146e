"""Programs written for PyTorch: run as they are, and read for the names that they use."""

from .reporting import Use, report, written
from .running import run

__all__ = ["Use", "report", "run", "written"]
