"""Programs written for PyTorch: run as they are, and read for the names that they use."""

from .ledger import Entry, report_package
from .reporting import Use, report, written
from .running import run

__all__ = ["Entry", "Use", "report", "report_package", "run", "written"]
